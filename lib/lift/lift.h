// PTX becomes LLVM IR, so that one implementation of every transformation serves all compilers.
//
//     @%p1 bra $L;              br i1 %p1, label %"$L", label %3
//     add.s32 %r3, %r1, %r2;    %r3 = add i32 %r1, %r2
//     add.f32 %f3, %f1, %f2;    %f3 = call float asm "add.f32 $0, $1, $2;", "=f,f,f"(...)
//
// A register becomes a stack slot, which LLVM's `sroa` makes a value. Control flow, integers,
// comparisons, loads and stores become IR, for that is what the transformations look into. All
// else stays the text that it is, as inline assembly: what ptxas may do with it, it still may, and
// opcodes that LLVM doesn't know are none.
//
// An instruction's debug location has its line in the PTX. splice.h makes .loc of it again.
#ifndef LIN_LIFT_LIFT_H
#define LIN_LIFT_LIFT_H

#include "ptx/module.h"

#include "graph/arena.h"

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>

typedef struct lin_lift lin_lift;

// Prepares to lift functions of `ptx`, which stays the caller's, like the context. Debug locations
// name the file `name`. Lives in the arena, but for the LLVM module, which is the caller's
// (lin_lift_module). O(length).
lin_lift *lin_lift_new(lin_arena *arena, const lin_ptx_module *ptx, const char *name,
                       LLVMContextRef context);

// The module that takes what is lifted.
LLVMModuleRef lin_lift_module(const lin_lift *lift);

// Lifts function `number` of the module. Returns NULL, or one clause that says why it can't be,
// with the line of the PTX in `*line`: then the LLVM module is as before. O(its length).
const char *lin_lift_function(lin_lift *lift, uint32_t number, uint32_t *line);

// LLVM's code generator for the module's .version and .target, or NULL and one clause in
// `*reason`, if it has none: to be disposed of by the caller. LLVM's NVPTX target has to be
// initialized.
LLVMTargetMachineRef lin_lift_machine(const lin_lift *lift, const char **reason);

#endif
