// What threads will do behind a place, as far as it is known there: the key that a mark takes.
//
//     place:  %key = 2 bits: which way %c goes, which way %d will        find.c: which places
//             mark(%key)
//             br i1 %c ──▶ ... br i1 %d ──▶ ...
//
// A key is made of branches, each of a slice of cheap instructions that can be computed at the
// place; or of a loop's trip count, `end - start` of what the loop counts by.
#ifndef LIN_LLVM_REGROUP_KEYS_H
#define LIN_LLVM_REGROUP_KEYS_H

#include "regroup/fragments.h"
#include "llvm/read/function.h"

// A function, and the fronts (find.c) that were added to its graph. Nothing of it is owned.
typedef struct lin_ir_places {
  lin_arena *arena;
  lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *analysis;
  lin_numbers number;    // of LLVM's blocks, in order
  lin_block first_front; // of the blocks before they were ordered
} lin_ir_places;

bool lin_ir_is_front(const lin_ir_places *s, lin_block block);

// The block as it was read; of a front, the block in front of it. O(1).
lin_block lin_ir_own_block(const lin_ir_places *s, lin_block ordered);
LLVMValueRef lin_ir_terminator_of(const lin_ir_places *s, lin_block block);

// What a branch or a switch asks, or NULL. O(1).
LLVMValueRef lin_ir_asked_by(LLVMValueRef terminator);

// Whether a value is computed of the thread's index and of what all have in common, without a loop.
// Mostly that is a bound, which whole warps keep to; regrouping by the index alone does the rest
// (lib/permute), without a round. O(1): of a bounded number of instructions.
bool lin_ir_follows_index(LLVMValueRef value);

// How many bits tell at the end of `head` which way `branch` will go; 0: none do. O(1).
uint32_t lin_ir_key_bits(const lin_ir_places *s, lin_block head, lin_block branch);

// Whether it is known at the end of `head` how far the loop will count that `branch` leaves;
// `*step` is by how much in each iteration. O(predecessors of the loop's header).
bool lin_ir_key_counts(const lin_ir_places *s, lin_block head, lin_block branch, uint32_t *step);

// Puts the fragment's mark at its place, with its key. A front becomes a block of the function.
// Complexity: O(MOST_COMPUTED) for each of its branches.
void lin_ir_add_key(const lin_ir_places *s, const lin_fragment *fragment);

#endif
