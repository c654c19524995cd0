// Which copies of functions a module needs that has versions of its kernels.
//
// A build makes something of every function, as a mode does; build 0 is what stays under the
// function's own name. A version of a kernel is the kernel as one build makes it, and calls what
// that build makes of the functions that it calls. Nothing is there twice:
//
//               walk   calls f    f        g
//     build 0   walk              f        g
//     build 1   walk'             f = 0    g = 0     walk' calls f and g
//     build 2   walk = 0          f'       g = 0     walk'' is walk's code, and calls f'
//     build 3   walk = 0          f' = 2   g = 0     the same as version 2, and left out
//
// Code is compared by whoever knows the code, calls aside: as if each function called what it
// called before. From that follows here which are the same with all that they call, recursion
// included: two differ if their own code does, or if one of the functions that they call differs.
#ifndef LIN_CHOOSE_COPIES_H
#define LIN_CHOOSE_COPIES_H

#include "graph/graph.h"

// Of function f in build b, [num_builds * num_functions] arrays have b * num_functions + f.
typedef struct lin_builds {
  uint32_t num_builds, num_functions;
  const uint32_t *own;        // the least build in which the function's own code is the same
  const uint32_t *first_call; // [num_functions + 1] into callee
  const uint32_t *callee;     // functions that each calls
} lin_builds;

typedef struct lin_copies {
  const lin_builds *builds;
  uint32_t *same; // the least build in which it is the same, with all that it calls
  bool *is_kept;  // a copy of it has to exist, besides what build 0 makes
} lin_copies;

// Finds out what is the same; no copy is kept yet. `builds` has to live as long. Lives in the
// arena. O(builds^2 * (functions + calls)).
lin_copies *lin_copies_compare(lin_arena *arena, const lin_builds *builds);

// The build whose copy of `function` stands for that of `build`; 0: the function itself. O(1).
static inline uint32_t lin_copy_of(const lin_copies *copies, uint32_t build, uint32_t function) {
  return copies->same[build * copies->builds->num_functions + function];
}

// Keeps the copy that stands for that of `function`, and of what it calls. O(functions + calls) all
// calls together, for each build.
void lin_copies_keep(lin_copies *copies, uint32_t build, uint32_t function);

#define LIN_LIKE_ITSELF (UINT32_MAX - 1)

// Which versions of a kernel are worth having: like[i] is set to LIN_NONE for version i of
// build[0..count) if it is like none before it, else to the version that it is like, or to
// LIN_LIKE_ITSELF if that is the kernel, which is built as `itself`. Returns how many are like
// none. O(count^2).
uint32_t lin_copies_distinct(const lin_copies *copies, uint32_t kernel, uint32_t itself,
                             const uint32_t *build, uint32_t count, uint32_t *like);

#endif
