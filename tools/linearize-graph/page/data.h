// What the page's program shows, as JSON.
#ifndef LIN_TOOLS_REPORT_DATA_H
#define LIN_TOOLS_REPORT_DATA_H

#include "linearize-graph/options.h"
#include "picture.h"
#include "remarks.h"

#include <cjson/cJSON.h>

typedef struct report_content {
  const tool_options *options;
  const char *file;          // its name, for people
  const char *target, *llvm; // the module's; LLVM's version
  uint32_t defined;          // functions there were to choose from
  report_functions functions;
  report_remarks remarks;
  report_remarks refilling; // of kernels alone (report_run_refilling)
  tool_sources sources;
  report_drawing *drawings;
  const char *simulation; // linearize-simt's JSON, or NULL
  const char *costs;      // linearize-profile's page, or NULL
} report_content;

// The text, in which no `<` stands, so that it may stand in a page; the caller frees it.
char *report_data(const report_content *content);

#endif
