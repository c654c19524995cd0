// Reading: the graph of an LLVM function, with what each block means to threads that wait for each
// other and to the instructions that may not stand behind a guard.
#ifndef LIN_LLVM_READ_READ_H
#define LIN_LLVM_READ_READ_H

#include "function.h"
#include "llvm/ask/summaries.h"
#include "llvm/ask/versions.h"

typedef struct lin_ir_read_options {
  bool force; // optnone functions too
} lin_ir_read_options;

// Reads a definition, but for what its instructions do to other threads; changes nothing.
// O(instructions).
lin_ir_function *lin_ir_read(lin_arena *arena, LLVMValueRef function,
                             const lin_ir_read_options *options);

// Flags the blocks of `f` with what their instructions, and what these call, do to other threads.
// O(instructions), and the size of what they reach that isn't in `summaries` yet.
void lin_ir_read_effects(lin_ir_function *f, lin_ir_summaries *summaries);

// Asks about every branch and switch of `f`, and flags the blocks of uniform ones. O(blocks).
void lin_ir_read_uniform(lin_ir_function *f,
                         bool (*is_uniform)(LLVMValueRef terminator, void *context), void *context);

// Asks about every block of `f`, as the header of a loop. O(blocks).
void lin_ir_read_trips(lin_ir_function *f,
                       unsigned (*most_trips)(LLVMBasicBlockRef header, bool *counted,
                                              void *context),
                       void *context);

// What marks terminators of blocks whose threads have voted to go together (LIN_AGREED): metadata
// without operands. O(1).
unsigned lin_ir_agreed_kind(LLVMContextRef context);
bool lin_ir_is_agreed(LLVMValueRef terminator);

#endif
