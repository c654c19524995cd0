// Two arms: which blocks become one, and which instructions of these.
#ifndef LIN_MELD_PAIRS_H
#define LIN_MELD_PAIRS_H

#include "gain.h"

typedef struct lin_meld_arm {
  lin_block *block; // [count] in order
  uint64_t reaches; // a bit for each arm of the branch that it leads to
  lin_block first;
  uint32_t count;
  lin_block refuses; // this block may not be melded; else LIN_NONE
  bool refused;      // for that, or it is too large, or its blocks are taken
} lin_meld_arm;

typedef struct lin_meld_finder {
  lin_arena *arena;
  const lin_meld_code *code;
  const lin_graph *graph;
  const lin_tree *dominators;
  const uint32_t *preorder;
  lin_meld_facts *facts;
  uint32_t *sorted; // [num_ops] the instructions of each block by kind
  bool *taken;      // [num_blocks] by what is melded in this round
  uint64_t work;
  lin_melds *found;
} lin_meld_finder;

static inline bool lin_meld_may(const lin_meld_op *op) { return (op->flags & LIN_MELD_ALONE) == 0; }

// Sorts pointers to instructions by kind, and sets sorted[count] to their numbers.
// O(count log count).
void lin_meld_sort(const lin_meld_code *code, const lin_meld_op **op, uint32_t count,
                   uint32_t *sorted);

// What two sorted lists of instructions could share at most, whatever its order: what it costs.
// O(n + m).
uint64_t lin_meld_shared(const lin_meld_code *code, const uint32_t *a, uint32_t n,
                         const uint32_t *b, uint32_t m);

// Fills in f->sorted. O(instructions log instructions).
void lin_meld_sort_ops(lin_meld_finder *f);

// Pairs what two arms have, in f->found. Returns what that gains by an estimate; 0: too little.
// O(the product of their blocks, and of the instructions of each pair).
double lin_meld_pair_arms(lin_meld_finder *f, lin_block branch, const lin_meld_arm *a,
                          const lin_meld_arm *b, lin_meld_arms *arms);

// Nothing of the arm has a counterpart any more. O(instructions).
void lin_meld_forget(const lin_meld_finder *f, const lin_meld_arm *a);

#endif
