// Where it is worth it to regroup the threads of a block, and by which branches' ways.
//
// Branches whose conditions are known at a place are a *fragment* (Lin, Wang and others, ACM TACO
// 15(3), 2018, section 3.1): one round there, by all of their ways as the key, does for all. The
// *place* is the end of a block; the branches stand there or behind, in loops, too, and don't
// depend on what is computed in between. A fragment of no branch brings those together that come
// to the place at all: of that the point is at the block's beginning.
//
//     place ─▶ loop ◀──┐        rock is known at the place, and so is `b`: 2 bits. Behind the point
//              ├─ rock ┤        a warp's threads come to one of the four arms
//              ├─ fluid┤
//              └▶ b ...┘
#ifndef LIN_REGROUP_FRAGMENTS_H
#define LIN_REGROUP_FRAGMENTS_H

#include "gain.h"

enum {
  LIN_MOST_PLACES = 32,   // that are looked at: those with most work behind them,
  LIN_MOST_BRANCHES = 32, // and branches: those to which warps come most
};

// What has to be gained: a part of what the kernel's warps run, and so many times what rounds take;
// and how many branches a fragment has at least.
typedef struct lin_bound {
  double part, times;
  uint32_t branches;
} lin_bound;

// By counts it has to be more than they are off. What is promised of the kernels of bench/threads
// in the open half, all in all, and how many times as fast they are on an H100: 53% fewer
// instructions x2.87, 40% x1.92, 33% x1.63, 22% x1.49, 16% x1.22, 15% x1.57; of the others 27%
// x1.35, 25% x1.54, 24% x1.42, and 54% x1.14, where memory takes the time (remarks of
// `scripts/bench reorder --build automatic`; bench/results/h100-2026-11-25-loops.txt). Guesses have
// to be far off to lose.
#define LIN_BOUND_COUNTED ((lin_bound){0.10, 2, 0})
#define LIN_BOUND_GUESSED ((lin_bound){0.25, 4, 1})
#define LIN_BOUND_NONE ((lin_bound){-1e30, -1e30, 0}) // for tests

// The fragments that are worth it, the best one first, of those in one loop, or one behind the
// other, one: [*count]. In the arena.
// O(LIN_MOST_PLACES * LIN_MOST_BRANCHES * blocks), and for blocks behind loops the depth of these.
lin_fragment *lin_fragments_find(lin_arena *arena, const lin_sites *sites, lin_bound bound,
                                 uint32_t *count);

#endif
