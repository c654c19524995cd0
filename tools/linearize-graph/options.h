// The command line of linearize-graph.
#ifndef LIN_TOOL_OPTIONS_H
#define LIN_TOOL_OPTIONS_H

#include "common/command_line.h"
#include "driver/passes.h"

typedef enum {
  STEP_ORDER,
  STEP_UNSTRUCTURED,
  STEP_REGIONS,
  STEP_RESULT,
  STEP_LOOPS, // it and those behind it have no pictures
  STEP_STATS,
  STEP_JOINS,
  STEP_PSEUDO,
  STEP_PASS,
} tool_step;

// The name of the output says which: .dot, .svg, .html.
typedef enum { FORM_TEXT, FORM_DOT, FORM_SVG, FORM_PAGE } tool_form;

typedef struct tool_options {
  const char *file;     // "-" is standard input
  const char *function; // NULL: all
  const char *output;   // NULL: standard output
  const char *profile;  // NULL: none
  const char *edits;    // NULL: none
  const char *launch;   // a file for linearize-simt; NULL: nothing is run
  const char *counts;   // of what was run, to be shown; NULL: none, or of the launch
  tool_step step;
  const lin_pass *pass; // of STEP_PASS
  tool_form form;
  bool with_source;                      // of pseudo-code
  const char *mode;                      // what the pass is told: "paper,level=O2"; "": nothing
  const struct linearize_options *asked; // the same
} tool_options;

// Fills `options`. Ends the program after --help and --version, or with status 2 and one line if it
// is misused.
void tool_options_parse(int argc, char **argv, tool_options *options);

#endif
