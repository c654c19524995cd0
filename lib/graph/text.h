// The .cfg text form of a graph, for tests, fuzzing and bug reports.
//
//     # comment to the end of the line
//     function short_circuit
//     B1: B3 B2
//     B2 [uniform waits]: B3 T
//     B3: return
//     T: trap
//
// One line a block: its name, its attributes if it has any, and its successors in order, or
// `return` or `trap`. The first block is the entry. Names are made of A-Z a-z 0-9 _ . $ - and are
// not `return` or `trap`. Attributes are uniform, waits, polls, observes, releases, cross-lane,
// refused and spins (LIN_MAY_SPIN), counted, strip, two-sided, stage, agreed and memory, the flags
// of graph.h, `cost N`, and `trips N` (most_trips). A successor of weight 7 is written `B3 * 7`.
#ifndef LIN_GRAPH_TEXT_H
#define LIN_GRAPH_TEXT_H

#include "graph.h"

#include <stdio.h>

typedef struct lin_text_error {
  size_t line;         // counted from 1
  const char *message; // names what is wrong there, without the line; lives in the arena
} lin_text_error;

// Reads the `length` bytes at `text`. Returns a graph that passes lin_graph_check, or NULL with
// `error` filled. Nothing of the graph points into `text`. O(length log blocks).
lin_graph *lin_text_parse(lin_arena *arena, const char *text, size_t length, lin_text_error *error);

// Prints `graph` so that parsing gives it back, but for the reasons of refused blocks. Characters
// that a name may not have become `_`, and such a name gets its block's number behind it; if names
// still repeat, all get one.
void lin_text_print(FILE *file, const lin_graph *graph);

// The names that it prints, [num_blocks], each another one; in the arena. O(blocks log blocks).
const char **lin_text_names(lin_arena *arena, const lin_graph *graph);

#endif
