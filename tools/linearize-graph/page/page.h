// The page.
#ifndef LIN_TOOLS_REPORT_PAGE_H
#define LIN_TOOLS_REPORT_PAGE_H

#include "data.h"

// Writes the page of a file, to options->output. Ends the program if that fails.
void report_write(const tool_options *options);

// Prints it: report.html, with style, program, data and pictures in their places.
void report_print_page(FILE *file, const report_content *content);

// The files of that name, embedded when this program is built.
extern const char report_html[], report_css[], drawing_js[], panels_js[], report_js[];

#endif
