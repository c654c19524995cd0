// What a front end does for the core. A front end is what knows a compiler's own form of a function
// (LLVM's IR, PTX): it reads a function as a graph, answers questions about the code of its blocks,
// and applies edits (edit.h) to it.
//
//     front end                      core
//     reads a graph         ──▶      analyses it
//     answers questions     ◀──▶     decides                choose/
//     applies edits         ◀──      returns edits
//     reads it again        ──▶      ... until there are none; then plans
//     writes the plan       ◀──      linearize/
//
// Questions change nothing and may come in any order, as often as the core likes. Blocks are those
// of the graph that was read, by their numbers.
#ifndef LIN_FRONT_FRONT_H
#define LIN_FRONT_FRONT_H

#include "pieces.h"

typedef struct lin_front {
  void *context;       // handed to each question
  uint32_t num_blocks; // of the graph that was read

  // The destination that the terminator of `block` takes threads to that come to it from `from`, or
  // LIN_NONE if that isn't known before the program runs. `from` leads to `block`.
  lin_block (*next_from)(void *context, lin_block block, lin_block from);

  // How many simple instructions a copy of `block` would run, its terminator included: UINT32_MAX
  // if a copy may not do what the block does (a barrier, a call that may not be made twice). Where
  // it is over `most`, any number over `most`.
  uint32_t (*cost_of_copy)(void *context, lin_block block, uint32_t most);

  // How many simple instructions stand in front of the terminator of `block`, if each costs next to
  // nothing, has no effect and can't trap, whatever its operands are; else UINT32_MAX.
  uint32_t (*cost_of_moving)(void *context, lin_block block);

  // How many of the values that a loop takes anew in each iteration are used outside of it. Its
  // blocks are `block[0..count)`, its header first. Threads that leave by the first of several
  // tests need what the value was before the iteration changed it. Counters don't count: what one
  // was follows from what it is.
  uint32_t (*kept_behind)(void *context, const lin_block *block, uint32_t count);

  // Whether `block` ends in a branch on one condition.
  bool (*is_branch)(void *context, lin_block block);

  // Whether the pass itself has made the branch of `block`, to bring threads together there.
  bool (*is_guard)(void *context, lin_block block);

  // The blocks in which what `block` computes is used, each once, in any order; a value that a join
  // takes counts at the end of the block that it comes from. LIN_NONE stands for places that the
  // graph doesn't have. Sets `*count`; lives in the arena.
  const lin_block *(*uses)(void *context, lin_arena *arena, lin_block block, uint32_t *count);

  // How many instructions it takes to ask whether all threads of a warp that come to `block`
  // together are sent the same way by its branch, `known` if it is known who these are. UINT32_MAX
  // if that can't be asked. NULL: it never can.
  uint32_t (*cost_of_vote)(void *context, lin_block block, bool known);

  // ---- for arms that take turns (choose/stages.h)

  // The pieces of an arm, and where they can be cut. NULL: arms can't be.
  lin_pieces (*pieces)(void *context, const lin_arm *arm);

  // How many registers are needed behind `block`.
  uint32_t (*live_behind)(void *context, lin_block block);

  // How many warps of the function a multiprocessor has at most; and how many registers a thread
  // may have where it has so many.
  uint32_t (*most_warps)(void *context);
  uint32_t (*registers)(void *context, uint32_t warps);
} lin_front;

#endif
