// What it gains to regroup threads at a place by a key of branches (fragments.h).
//
// To blocks to which threads of equal keys come together, which are *pure*, warps come
//
//     rounds * (n / 32 + borders)     times, if n threads come there in a round on average
//
// or n, or as often as there are warps, if that is less, instead of as often as they do as it is.
// Who stands side by side begins at any lane, and every border between two ways is 31/32 of a warp
// more, for both together: one for a branch of two ways, two for the second of two such branches
// one behind the other, if the key counts up, and down again (0 1, 1 0). In loops behind the place
// this holds for the threads that reach it, each with its iterations v; where n threads went
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
#ifndef LIN_REGROUP_GAIN_H
#define LIN_REGROUP_GAIN_H

#include "counts/traffic.h"
#include "gpu/rounds.h"
#include "gpu/target.h"
#include "linearize/definition1_edges.h"

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

typedef struct lin_fragment {
  lin_block place;
  lin_block branch[LIN_BITS_OF_PASS]; // [count] of the key, from its highest bits on
  uint32_t bits_of[LIN_BITS_OF_PASS];
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
static inline double lin_fragment_gain(const lin_fragment *f) {
  return f->saved - f->rounds - f->fewer;
}

// Threads that come to a pure block in a round, however often: as it is, and behind the point.
typedef struct lin_anchor {
  double threads, passes, after;
} lin_anchor;

// What is known of the fragment that was weighed last.
typedef struct lin_weighing {
  const lin_sites *sites;
  const lin_block *last; // [num_loops] the last block that all iterations come by
  const lin_fragment *f;
  bool *keyed;               // [num_blocks] branches of the fragment
  bool *pure;                // [num_blocks]
  lin_anchor *anchor;        // [num_blocks]
  double *around, *together; // [num_blocks] how often a thread that comes to a pure block at all
                             // does so, and a warp, each time that they come to the place
  double *after;             // [num_blocks] how often warps come behind the point
  double warps, left_over;   // of a thread block; of a warp, those that only wait, side by side
  uint32_t loop;             // the outermost loop around the place, or 0
  double skipping; // how many times as often warps go around that, if not all iterations pass the
                   // place; else 1
} lin_weighing;

// Of no fragment yet. In the arena; `sites` stays. O(blocks + edges log blocks).
lin_weighing lin_weighing_new(lin_arena *arena, const lin_sites *sites);

// Fills in what the fragment gains, whose branches are `keyed`, and what is `pure`. O(blocks), and
// for blocks behind loops the depth of these.
void lin_fragment_weigh(lin_weighing *w, lin_fragment *f);

#endif
