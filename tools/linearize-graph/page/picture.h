// Pictures of a function's control flow, by Graphviz.
#ifndef LIN_TOOLS_REPORT_PICTURE_H
#define LIN_TOOLS_REPORT_PICTURE_H

#include "report.h"

#include <stdio.h>

// Prints one side as a Graphviz graph. Nodes are called by their number, regions are the clusters
// `cluster_N`; classes say what blocks and edges are: guard, added, exit; branch, jump-in,
// jump-out, uniform. With `framed` unset, regions have no frames.
void report_print_picture(FILE *file, const report_function *function, const report_side *side,
                          bool framed);

typedef struct report_drawing {
  const char *svg; // from <svg to </svg>; NULL: not drawn
  const char *why; // it isn't
} report_drawing;

// Draws both sides of each function, at 2 * its number and the next; the second only if it has
// changed. What has more than 3000 blocks isn't drawn. Several processes do it at once. Ends
// the program if Graphviz can't be run.
report_drawing *report_draw(lin_arena *arena, const report_functions *functions);

#endif
