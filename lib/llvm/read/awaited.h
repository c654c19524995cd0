// Which loops wait for what other threads write. A loop that reads volatile or atomically polls if
// one of its exits, or of a loop around it, may depend on what it has read: by values, by memory
// that holds them, by branches. An atomic operation whose old value only says where to store
// something waits for nobody.
#ifndef LIN_LLVM_READ_AWAITED_H
#define LIN_LLVM_READ_AWAITED_H

#include "function.h"
#include "llvm/ask/summaries.h"

// Blocks of `f` that poll become ones that only observe (LIN_OBSERVES) where that is certain. Calls
// and assembly are taken to be waited for. Memory is told apart by the variables, and parameters of
// kernels, that addresses are made of. O(instructions that what is read reaches, for each that
// reads), and those that go on after so many in all stay as they are.
void lin_ir_read_awaited(lin_ir_function *f, lin_ir_summaries *summaries);

#endif
