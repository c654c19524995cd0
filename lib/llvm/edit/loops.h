// The edits that change a loop as a whole: fold.c, strip.c.
#ifndef LIN_LLVM_EDIT_LOOPS_H
#define LIN_LLVM_EDIT_LOOPS_H

#include "front/edit.h"
#include "llvm/read/read.h"

// Makes one test of those of a loop. `block`: LLVM's blocks by their numbers; those of later tests
// become the ones in which who leaves tests again. Returns that block of the first test.
// O(instructions of the loop, and phis behind it).
LLVMBasicBlockRef lin_ir_fold_tests(lin_arena *arena, const lin_ir_function *f,
                                    const lin_edit *edit, LLVMBasicBlockRef *block);

// Has a loop go around a limited number of times in one around it. `made`: M and X of edit.h.
// O(phis, and edges into the loop).
void lin_ir_strip(lin_arena *arena, const lin_ir_function *f, const lin_edit *edit,
                  LLVMBasicBlockRef made[2]);

#endif
