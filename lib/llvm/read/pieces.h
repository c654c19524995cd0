// The pieces of an arm of a branch: what lies between the places at which something has to wait for
// a load or a special function (choose/schedule.h).
//
//     arm: %p = ...          arm: %p = ...         What the loads of a block need, and the loads,
//          %a = load %p           %q = ...         come first; then begins a piece, with the first
//          %b = add %a, 1         %a = load %p     instruction that has to wait for one.
//          %q = ...        ==>    %c = load %q
//          %c = load %q      -------------------
//          ...                    %b = add %a, 1
//                                 ...
#ifndef LIN_LLVM_READ_PIECES_H
#define LIN_LLVM_READ_PIECES_H

#include "choose/interleave.h"
#include "graph/order.h"
#include "timing.h"

// A place where an arm can be cut: in a block, or before it.
typedef struct lin_ir_cut {
  lin_block block;     // of the function's graph
  LLVMValueRef *first; // [num_first] what comes before the cut, but what comes before earlier cuts
  uint32_t num_first;  // 0: the cut is before the block
} lin_ir_cut;

typedef struct lin_ir_pieces {
  lin_ir_cut cut[LIN_MOST_PIECES - 1]; // [num_cuts] behind each piece but the last
  uint32_t num_cuts;
  lin_ir_arm arm;
} lin_ir_pieces;

typedef struct lin_ir_cutter lin_ir_cutter;

// Looks at the arms of branches of `f`; `order` and `analysis` are of its graph, `preorder` is that
// of the dominators. O(instructions).
lin_ir_cutter *lin_ir_cutter_new(lin_arena *arena, const lin_ir_function *f, const lin_order *order,
                                 const lin_analysis *analysis, const lin_block *preorder);

// The pieces of an arm that begins with the block `first`, of the ordered graph, and whose threads
// meet at `meeting`. Changes nothing; each arm is asked for once. O(instructions of the arm).
lin_ir_pieces lin_ir_find_pieces(lin_ir_cutter *cutter, lin_block first, lin_block meeting);

#endif
