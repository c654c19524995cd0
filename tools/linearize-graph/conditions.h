// What branches and guards ask, in words.
#ifndef LIN_TOOL_CONDITIONS_H
#define LIN_TOOL_CONDITIONS_H

#include "outline.h"
#include "sides.h"

#include <stdio.h>

typedef struct tool_words {
  FILE *file; // with marks of terminal.h
  const tool_work *work;
  const tool_side *side;
  const tool_outline *outline;
  lin_edge *scratch; // [num_edges]
} tool_words;

// "%c1", "%s is 1 or 4", "next is B3": that the branch of the edge's block takes `edge`, or another
// that does the same; with `is_not` that it doesn't.
void tool_print_condition(const tool_words *w, lin_edge edge, bool is_not);

// The name of a block of the function, as it can be printed; of its number of blocks: "return".
void tool_print_name(const tool_words *w, lin_block block);

// Prints names from a file; what is no character of a line is a `?`.
void tool_print_text(FILE *file, const char *text);

// Names of the form "a, b or c": prints what stands before name `i` of `count`.
void tool_print_separator(FILE *file, uint32_t i, uint32_t count, const char *last);

#endif
