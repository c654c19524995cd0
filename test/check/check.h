// Checkers of what a result must satisfy. They share no code with the transformation: dominance is
// by sets of blocks, loops are strongly connected components found again and again, regions grow by
// the letter of their definition. Slow where the transformation is fast, and simple.
//
// Each returns NULL, or a description of the first violation that lives in the arena. The numbers
// are those of the properties in docs/algorithm.md, "What is checked".
#ifndef LIN_CHECK_CHECK_H
#define LIN_CHECK_CHECK_H

#include "driver/pipeline.h"

// The order holds every reachable block once, keeps edges and flags, and goes back only to headers
// of loops that contain the source; loops are contiguous, headers first, and the forest is right.
const char *lin_check_order(lin_arena *arena, const lin_graph *input, const lin_order *order);

// Dominators, post-dominators, fates, doomed edges and the kinds of unstructured edges. Where
// threads spin for ever, post-dominance is a choice, and is not compared.
const char *lin_check_analysis(lin_arena *arena, const lin_analysis *analysis);

// How far regions are from minimal.
typedef struct lin_region_sizes {
  uint32_t regions; // looked at
  uint32_t larger;  // than the smallest region of every seed in it
  uint32_t seeds;   // looked at
  uint32_t loose;   // whose innermost region is larger than their smallest one
} lin_region_sizes;

// Regions as lin_regions_build made them from `seed`, before any is removed: closed, bounded by D
// and P, of one fate, nested or disjoint, and each with the smallest region of its seeds. Only
// some are looked at where there are many. Adds to `sizes`.
const char *lin_check_regions(lin_arena *arena, const lin_analysis *analysis,
                              const lin_regions *regions, const bool *seed,
                              lin_region_sizes *sizes);

// Leaves of the plan: entered at one block, left for one target, no seed inside that isn't an inner
// region's.
const char *lin_check_leaves(lin_arena *arena, const lin_plan *plan, const bool *seed);

// 1. No unstructured edge in what was linearized, and none that was structured before. In mode
// irreducible, only jumps into loops count.
const char *lin_check_structure(lin_arena *arena, const lin_flow *flow, lin_mode mode);

// 2. Every original block once, with its edges.
const char *lin_check_blocks(lin_arena *arena, const lin_flow *flow);

// 3. Every edge of an original block leads, through guards that it sets itself, to the block that
// it led to. With 2 that makes all traces equal, by induction.
const char *lin_check_edges(lin_arena *arena, const lin_flow *flow);

// 3. Traces of `input` and of the result under `runs` oracles drawn from `seed`.
const char *lin_check_traces(lin_arena *arena, const lin_graph *input, const lin_result *result,
                             uint64_t seed, uint32_t runs);

// 3. Values: for blocks and phis drawn from `seed`, what reaches a use over the phis that values.h
// and carry.h ask for is the same instance as in the original; and so for every guard.
const char *lin_check_values(lin_arena *arena, const lin_flow *flow, uint64_t seed);

// 4. Guards of a region: not more than its leaves and its retreating edges.
const char *lin_check_size(lin_arena *arena, const lin_flow *flow);

// 5. A warp with oracles drawn from `seed` enters each block of a region at most once per pass and
// iteration; the k-th iteration of a loop is one for all threads, so the warp goes around as often
// as the thread that goes around most. Not asked, in mode irreducible, inside leaves of several
// blocks.
const char *lin_check_warp(lin_arena *arena, const lin_flow *flow, lin_mode mode, uint64_t seed,
                           uint32_t limit);

// 7. Linearizing the flow again, under the same options, finds nothing to do.
const char *lin_check_again(lin_arena *arena, const lin_flow *flow, const lin_options *options);

#endif
