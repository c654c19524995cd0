// Late meetings: places where threads meet later than they could, although every edge is structured
// by Definition 1.
//
//   late join   Two ways lead to the block from its immediate dominator d, and yet d doesn't
//               reconverge there. With a block on an edge of its own (s), a short circuit has no
//               unstructured edge:
//
//                     d
//                    / \         d reconverges at y, so threads that come to x by s and threads
//                   a   b        that come by b run it one after the other
//                  / \  |
//                 |   s |
//                 |    \|
//                 |     x
//                  \   /
//                    y
//
//   late loop   Every iteration should pass the block x that leaves the loop, and x should have one
//               way to stay and one to leave. Else some threads go around while others wait:
//
//                 ┌──▶ h ◀──┐    h reconverges at x: threads that take l go around alone until they
//                 │   / \   │    come to x, and those that wait there run the same iterations
//                 └─ l   x ─┘    after them
//                        ▼
//                        t
#ifndef LIN_LINEARIZE_LATE_H
#define LIN_LINEARIZE_LATE_H

#include "definition1_edges.h"

enum { LIN_LATE_JOIN = 1, LIN_LATE_LOOP = 2 };

// [num_blocks] LIN_LATE_JOIN for a late join, LIN_LATE_LOOP for the header of a late loop. Loops
// with unstructured edges into or out of them may be left out. O(edges), parallel ones aside.
uint8_t *lin_late_find(lin_arena *arena, const lin_analysis *analysis);

#endif
