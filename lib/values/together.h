// What the threads of a block do together: blocks of code to which all of them come, all as often,
// and values that are the same for all of them.
//
//     A: t = threadIdx.x          A, J and the barrier are together. A's branch asks something that
//        t % 2 ? B : J            differs from thread to thread, so B is not, nor is any other
//         │       │               block between A and the first one to which all threads of A
//     B:  x[t] = 0│               come, J. A phi in J may differ, too: it tells who came from
//         └───┬───┘               where.
//     J:  barrier
//
// Like LLVM's uniformity analysis, but of blocks of threads, not of warps; and from values as
// values.h has them. A load by all threads from one address gives all of them the same: where it
// doesn't, somebody writes there at the same time, which is a race.
#ifndef LIN_VALUES_TOGETHER_H
#define LIN_VALUES_TOGETHER_H

#include "values.h"

typedef struct lin_together {
  bool *same; // [values] the same for all threads that compute it at the same time
  bool *come; // [blocks] all threads of the thread block come here together
} lin_together;

// O(values and operands, edges log blocks).
lin_together *lin_together_find(lin_arena *arena, const lin_values *values);

#endif
