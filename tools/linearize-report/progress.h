// What the program is at, on a terminal.
#ifndef LIN_TOOLS_REPORT_PROGRESS_H
#define LIN_TOOLS_REPORT_PROGRESS_H

// One line on standard error that the next one replaces; NULL takes it away, and so does
// tool_die. Nothing if that is no terminal.
void report_progress(const char *text);

#endif
