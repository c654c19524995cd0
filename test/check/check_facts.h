// Facts about a graph for the checkers, found in the plainest way:
//   - dominators and post-dominators as one set of blocks for each block, iterated to the fixpoint;
//   - loops: the strongly connected components; in each, without its lowest block (the header, in a
//     loop-contiguous order), again;
//   - Definition 1 from these.
// Post-dominance of threads that spin for ever depends on which block stands for the end of their
// loop. Nothing says which: the facts are found for one choice, and others can be tried.
#ifndef LIN_CHECK_CHECK_FACTS_H
#define LIN_CHECK_CHECK_FACTS_H

#include "linearize/flow.h"

// A text in the arena, for a checker's answer. Longer ones are cut off.
__attribute__((format(printf, 2, 3))) const char *lin_check_describe(lin_arena *arena,
                                                                     const char *format, ...);

// The innermost region of a flow's block, an original one or a guard; LIN_NONE if there is none.
uint32_t lin_check_region_of(const lin_flow *flow, lin_block block);

// Sets of blocks, a bit for each.

typedef uint64_t lin_word;

static inline bool lin_set_has(const lin_word *set, uint32_t item) {
  return (set[item / 64] >> item % 64 & 1) != 0;
}
static inline void lin_set_put(lin_word *set, uint32_t item) {
  set[item / 64] |= (lin_word)1 << item % 64;
}
static inline void lin_set_take(lin_word *set, uint32_t item) {
  set[item / 64] &= ~((lin_word)1 << item % 64);
}

typedef struct lin_facts_loop {
  uint32_t parent;        // LIN_NONE for an outermost loop
  lin_block header, last; // the lowest and the highest block
  uint32_t count;
  lin_block *blocks; // [count]
  lin_word *set;
  lin_word *common_above, *common_below; // what dominates, and post-dominates, all of its blocks
  bool reducible;
} lin_facts_loop;

typedef struct lin_facts {
  const lin_graph *graph;
  size_t words; // of a set of all blocks
  uint8_t *fate;
  bool *doomed;
  lin_block *order; // reachable blocks in reverse post-order
  uint32_t count;   // of them
  lin_word *above;  // [num_blocks] sets: what dominates it
  lin_word *below;  // [num_blocks] sets: what post-dominates it
  uint32_t *depth;  // [num_blocks] size of above
  uint32_t *height; // [num_blocks] size of below
  lin_facts_loop *loops;
  uint32_t num_loops;
  uint32_t *loop_of; // [num_blocks] the innermost, or LIN_NONE
} lin_facts;

// In a loop that nothing leaves, `choice` 0 takes the last block for the end of an iteration, any
// other number some other block.
lin_facts *lin_facts_find(lin_arena *arena, const lin_graph *graph, uint32_t choice);

static inline lin_word *lin_facts_above(const lin_facts *f, lin_block block) {
  return f->above + block * f->words;
}
static inline lin_word *lin_facts_below(const lin_facts *f, lin_block block) {
  return f->below + block * f->words;
}
static inline bool lin_facts_dominates(const lin_facts *f, lin_block above, lin_block block) {
  return lin_set_has(lin_facts_above(f, block), above);
}
static inline bool lin_facts_postdominates(const lin_facts *f, lin_block below, lin_block block) {
  return lin_set_has(lin_facts_below(f, block), below);
}
static inline bool lin_facts_in_loop(const lin_facts *f, uint32_t loop, lin_block block) {
  return lin_set_has(f->loops[loop].set, block);
}

// The block of a chain of dominators (by depth) or post-dominators (by height) that is furthest in;
// LIN_NONE if the set is empty.
lin_block lin_facts_furthest(const lin_facts *f, const lin_word *set, const uint32_t *depth);

// The post-dominator of `block` next to it, or LIN_NONE.
lin_block lin_facts_next_below(const lin_facts *f, lin_block block);

// Definition 1: the kinds of an edge (definition1_edges.h).
unsigned lin_facts_kinds(const lin_facts *f, lin_edge edge);

#endif
