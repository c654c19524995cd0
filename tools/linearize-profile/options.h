// The command line.
#ifndef LIN_TOOLS_PROFILE_OPTIONS_H
#define LIN_TOOLS_PROFILE_OPTIONS_H

#include <stdint.h>

typedef struct tool_options {
  char **program;     // with its arguments, ended by NULL: to be run; or NULL
  const char *counts; // the file of counts, of the program if there is one; NULL: nobody wants that
  const char *passes; // how often warps entered blocks, or NULL
  const char *inputs; // what threads read, or NULL
  const char *lanes;  // which lanes of a warp entered which block, or NULL
  const char *kernel; // NULL: all
  const char *html;   // NULL: no page
  const char *title;  // of the page, or NULL
  uint32_t rows;      // blocks to print of each launch
  const char *given;  // --counts, also where `counts` stands for the program; or NULL
} tool_options;

// Parses the command line; ends the program if it is wrong, or for --help.
void tool_options_parse(int argc, char **argv, tool_options *options);

#endif
