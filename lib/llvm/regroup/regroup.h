// Regrouping: at the points of a module's kernels (points.h) the threads of a block change places,
// so that those with equal keys stand side by side.
//
//     cuts       where threads come to stations, and go on        cuts.h, regroup/stations.h
//     state      what moves there, what is computed again       state.h, regroup/moved.h, layout.h
//     rounds     by which algorithm, how many words at a time     regroup/rounds.h
//     carry      values that live across cuts, as slots           carry.h
//     station    the code                                         station.h, votes.c, ...
//
// A kernel whose points are refused stays as it was, but that its marks are gone.
#ifndef LIN_LLVM_REGROUP_REGROUP_H
#define LIN_LLVM_REGROUP_REGROUP_H

#include "linearize/linearize.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

// Does so in all kernels of a module; marks elsewhere are removed with a remark. What is carried is
// in stack slots afterwards: LLVM's mem2reg is the caller's to run. Remarks are added to `report`;
// of `options` what is told before what they point to goes (`changing`), and `profile`: a kernel
// that doesn't say how large its thread blocks are is made for those that it was counted with, and
// others take its plain form (beside.h). Returns whether anything was changed. Near-linear, but for
// what state.h says.
bool lin_ir_regroup(LLVMModuleRef module, const linearize_options *options,
                    linearize_report *report);

#endif
