// Text in HTML.
#ifndef LIN_TOOLS_HTML_H
#define LIN_TOOLS_HTML_H

#include <stdio.h>

// Prints a text, between tags or quotes, as it is.
void tool_print_html(FILE *file, const char *text);

#endif
