// Graphviz's dot, which draws graphs as SVG.
#ifndef LIN_TOOL_DOT_H
#define LIN_TOOL_DOT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

// Has dot draw the graphs of a scratch file into another one. Ends the program if it doesn't start.
pid_t tool_dot_start(FILE *input, FILE *output);

// Waits for it. Returns false if it failed.
bool tool_dot_end(pid_t child);

// Draws one graph of *length characters. Returns the SVG text, to be freed, and its length. Ends
// the program if that fails.
char *tool_dot(const char *graph, size_t *length);

#endif
