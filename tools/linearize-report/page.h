// The page.
#ifndef LIN_TOOLS_REPORT_PAGE_H
#define LIN_TOOLS_REPORT_PAGE_H

#include "data.h"

// Prints the page: report.html, with style, program, data and pictures in their places.
void report_print_page(FILE *file, const report_content *content);

// The files of that name, embedded when this program is built.
extern const char report_html[], report_css[], drawing_js[], panels_js[], report_js[];

#endif
