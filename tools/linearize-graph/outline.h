// A graph as a text of ifs, loops and gotos: the lines, without the words.
//
// Each block stands there once, and each edge once: as a jump, or by what comes next in the text.
// A structured graph has no gotos.
#ifndef LIN_TOOL_OUTLINE_H
#define LIN_TOOL_OUTLINE_H

#include "graph/order.h"

// A branch asks for edges: those of its block that go to the same place and set the same.
// Conditions name them by the first one.
typedef enum {
  LINE_LABEL,    // `block`, which some goto names
  LINE_BLOCK,    // runs `block`
  LINE_SET,      // what `edge` sets
  LINE_IF,       // if `edge` is taken, ...
  LINE_ELSE_IF,  // otherwise if `edge` is taken, ...
  LINE_ELSE,     // otherwise ...
  LINE_END,      // ... until here
  LINE_LOOP,     // runs again and again what stands until
  LINE_END_LOOP, // here; while `edge` isn't taken, if there is one
  LINE_GOTO,     // `edge` leads to the label of its destination
  LINE_BREAK,    // `edge` leads behind the innermost loop
  LINE_CONTINUE, // `edge` leads to that one's beginning
  LINE_RETURN,   // of `block`
  LINE_TRAP,     // of `block`
} tool_line_kind;

typedef struct tool_line {
  tool_line_kind kind;
  uint32_t depth; // how many lines are open around it
  lin_block block;
  lin_edge edge; // or LIN_NONE
} tool_line;

typedef struct tool_outline {
  const lin_graph *graph;
  const uint32_t *set; // [num_edges] what an edge sets; LIN_NONE: nothing
  lin_edge *first;     // [num_edges] the first edge of the same block that does the same
  lin_edge *next;      // [num_edges] the next one, or LIN_NONE
  tool_line *line;
  uint32_t num_lines;
} tool_outline;

// Of a graph in loop-contiguous order. O(edges log edges + edges * depth of loops).
tool_outline *tool_outline_build(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                 const uint32_t *set);

#endif
