// Graphviz pictures of a graph: `dot -Tsvg`.
#ifndef LIN_GRAPH_DOT_H
#define LIN_GRAPH_DOT_H

#include "graph.h"

#include <stdio.h>

// What to add to the plain picture. Every array may be NULL, and so may every text in it.
typedef struct lin_dot_style {
  const char *attributes;         // of the whole picture, as Graphviz reads them: "nslimit=2"
  const char *const *label;       // [num_blocks] text below the block's name
  const char *const *colour;      // [num_blocks] to fill the block with
  const char *const *shape;       // [num_blocks] a Graphviz shape
  const char *const *class;       // [num_blocks] for style sheets
  const char *const *edge_label;  // [num_edges]
  const char *const *tail_label;  // [num_edges] where the edge begins
  const char *const *edge_class;  // [num_edges]
  const char *const *edge_colour; // [num_edges]
  const uint32_t *cluster;        // [num_blocks] the region around a block, or LIN_NONE: a frame
  uint32_t num_clusters;
  const uint32_t *cluster_parent; // [num_clusters] the frame around a frame, or LIN_NONE
} lin_dot_style;

// Prints `graph`; `style` may be NULL. O(blocks + edges + frames).
void lin_dot_print(FILE *file, const lin_graph *graph, const lin_dot_style *style);

#endif
