// Comparisons that a NaN is for or against, but not both.
//
// Under -ffast-math LLVM may take it that nothing is a NaN. Then `not (a == b)` is `a != b` to llc,
// which PTX has as a comparison that is false for a NaN, like `a == b` itself. Which of the two a
// use asks depends on where blocks stand:
//
//     %c = fcmp fast oeq float %a, %b         setp.eq.f32  %p1, %a, %b;
//     %axis = select i1 %c, i32 0, i32 1      setp.ne.f32  %p2, %a, %b;
//     br i1 %c, label %step, label %else      selp.b32     %axis, 1, 0, %p2;   the axis is 0
//                                             @%p1 bra     $step;              no step along it
//
// Programs that meet a NaN nevertheless, such as 0 times the infinite reciprocal of a direction,
// often get along with either answer. With both they may never end: a photon of mcx stays where it
// is. In code after linearize conditions are asked in more places, and blocks stand elsewhere; so
// there comparisons are for NaNs, too. In PTX that costs nothing: setp.neu stands for setp.ne.
#ifndef LIN_LLVM_FINISH_NANS_H
#define LIN_LLVM_FINISH_NANS_H

#include "graph/arena.h"

#include <llvm-c/Core.h>

// Takes `nnan` off the function's comparisons, and off the function itself. A comparison with one
// use, as what a select of values asks, keeps it: nobody else asks, and llc makes minima and maxima
// of such. Other instructions stand in the place of comparisons then: in the place of one that is
// among the `num_held` that somebody points to, too; what `held` has may be NULL. O(instructions).
void lin_ir_compare_nans(lin_arena *arena, LLVMValueRef function, LLVMValueRef *const *held,
                         size_t num_held);

#endif
