// Graphs from bytes, so that libFuzzer can look for new ones by coverage.
#ifndef LIN_TEST_BYTE_GRAPH_H
#define LIN_TEST_BYTE_GRAPH_H

#include "graph/graph.h"

#include <stddef.h>

// The graph that `size` > 0 bytes stand for; any bytes stand for one that passes lin_graph_check. A
// change of one byte changes one block or one edge:
//
//     block := control successor*
//     control   bits 0-1: one successor, two, a switch, the end
//               bit 2:    uniform; of an end: a trap
//               bits 3-7: a flag, if large enough
//     switch    one more byte, for 3 to 8 successors
//     successor how far ahead its block stands, or behind
lin_graph *byte_graph(lin_arena *arena, const uint8_t *data, size_t size);

#endif
