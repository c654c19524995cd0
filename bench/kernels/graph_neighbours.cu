// One step of a shortest-path search over a graph: a thread expands `rounds` nodes of the frontier,
// and for each neighbour that is not yet settled looks whether the way through the node is shorter
// than the one known.
//
// Uneven: a node has 0 to 46 neighbours, most have few; a quarter of the neighbours is settled, and
// of the others some come nearer.
//
//     node ─▶ neighbour ─▶ settled? ─▶ nearer? ─▶ relax ─┐
//       ▲        ▲            └───────────┴──────────────┤
//       └────────┴────────── next ◀──────────────────────┘
#include "linearize_device.h"

// Where the input's tables begin.
enum { DEGREES = 5003, EDGES = 9001, WEIGHTS = 17011, LEVELS = 31013, DISTANCES = 46021 };

KERNEL_BODY(graph_neighbours) {
  unsigned relaxed = 0, checksum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned node = in[thread * rounds + round];
    unsigned word = in[DEGREES + node];
    unsigned degree = (word & 63) * (word >> 6 & 63) * 49 >> 12;
    degree = degree * (word >> 12 & 63) >> 6;
    unsigned edges = EDGES + (node >> 7);
    unsigned distance = in[DISTANCES + node] >> 8;
    for (unsigned edge = 0; edge < degree; edge++) {
      unsigned neighbour = in[edges + edge];
      unsigned level = in[LEVELS + neighbour] & 3;
      if (level == 0)
        continue;
      unsigned through = distance + (in[WEIGHTS + edges + edge] & 0xfff);
      if (through < in[DISTANCES + neighbour] >> 8) {
        relaxed++;
        checksum += through ^ neighbour;
      }
    }
    checksum = lin_mix(checksum + node);
  }
  return checksum ^ relaxed;
}
