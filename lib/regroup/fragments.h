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
//
// To blocks to which threads of equal keys come together, which are *pure*, warps come
//
//     rounds * (n / 32 + borders)     times, if n threads come there in a round on average
//
// or n, or as often as there are warps, if that is less, instead of as often as they do as it is.
// Who stands side by side begins at any lane, and every border between two ways is 31/32 of a warp
// more, for both together: one for a branch of two ways, two for the second of two such branches
// one behind the other, if the key counts up, and down again (0 1, 1 0). In loops behind the place
// this holds for the threads that come to it, each with its iterations v; where n threads went
// around r times together, 32 do
//
//     v + (r - v) * H                 of the iterations that some don't need, so many times as many
//                                     as the most of 32 threads has more than the most of n, if
//                                     they leave with one chance: H = (H32 - 1) / (Hn - 1), where
//                                     Hn = 1 + 1/2 + ... + 1/n
//     and at most r * 32 / n          for 32 threads are 32 / n groups
//
// times. Where how often they will go around is the key, 32 neighbours of the sorted threads do
// (turns_of_sorted). Behind other branches, in the same loops, warps come as chance has it
// (passes_by_chance), if threads were counted; and else as often as they did: whether threads that
// have been sorted by one thing do more or less together of another, nobody knows.
//
// In a loop that is in no other a place may be in an arm that not all iterations come by. Threads
// go around until they come there, or are through, and wait: as many rounds as the thread has
// that comes there most often, in place of as many passes as there are iterations; but a warp
// goes around until the last of its threads is there (cost_of_skipping):
//
//     ┌▶ h ────────────▶ l ─▶      round 1: threads 0, 1, 2 come to the place in iterations
//     │  └▶ place ─▶ a ─┘│                  1, 4, 2 of theirs
//     └──────────────────┘
//
// What a round takes is gpu/rounds.h's, of each warp of the block in each round. A station in a
// loop takes registers beside those of the loop, one for each word that moves (ptxas' numbers for
// the kernels of bench/threads, bench/results/*-automatic.txt): where a multiprocessor has fewer
// warps for them, all takes so much longer. All numbers are instructions of a warp.
#ifndef LIN_REGROUP_FRAGMENTS_H
#define LIN_REGROUP_FRAGMENTS_H

#include "gpu/target.h"
#include "traffic.h"

// A kernel's graph, and what the front end knows of its code.
typedef struct lin_sites {
  const lin_analysis *analysis;
  const lin_traffic *flow;
  const uint32_t *scattered; // [num_blocks] accesses at addresses that threads side by side share
                             // sectors of, and regrouped ones don't
  const uint32_t *words;     // [num_blocks] that live at its end, and those in memory
  const uint32_t *live;      // [num_blocks] without these: they take registers
  const lin_target *target;
  uint32_t registers;      // that a thread takes, at least; 0: nobody knows
  uint32_t most_registers; // that it may take
  // How many bits tell the ways of a branch apart, if what it asks is known at the end of `place`,
  // or can be computed there; else 0. Asked of branches at which threads may part.
  uint32_t (*bits)(void *context, lin_block place, lin_block branch);
  // Whether threads leave the loop of `branch` there after so many iterations as is known at the
  // end of `place`, or can be computed there. `*step`: what the loop counts by.
  bool (*counts)(void *context, lin_block place, lin_block branch, uint32_t *step);
  void *context;
} lin_sites;

enum {
  LIN_MOST_PLACES = 32,      // that are looked at: those with most work behind them,
  LIN_MOST_BRANCHES = 32,    // and branches: those to which warps come most
  LIN_MOST_FRAGMENT_BITS = 5 // that one pass of votes sorts by
};

typedef struct lin_fragment {
  lin_block place;
  lin_block branch[LIN_MOST_FRAGMENT_BITS]; // [count] of the key, from its highest bits on
  uint32_t bits_of[LIN_MOST_FRAGMENT_BITS];
  uint32_t count, bits;
  uint32_t loop;  // the key is how often it goes around, not the branch's way; 0: no
  uint32_t shift; // the lowest bits of what it counts to, which are no part of the key
  bool moves;     // threads have different keys, or some don't come
  double saved;   // of what the warps run
  double rounds;  // what rounds take, and accesses that are scattered
  double fewer;   // what is lost if a multiprocessor has fewer warps
  double total;   // what the warps run in the kernel
} lin_fragment;

// What the warps run less, all in all. O(1).
double lin_fragment_gain(const lin_fragment *fragment);

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
