// Decoding: from LLVM IR to a program that the simulator runs.
#ifndef LIN_SIMT_DECODE_H
#define LIN_SIMT_DECODE_H

#include "program.h"

#include <llvm-c/Core.h>

// Decodes the function `kernel` of `module` and all that it reaches. The module is not changed and
// not needed afterwards. Returns NULL if something there is unknown to the simulator; `*error` then
// names function and instruction in one line, and lives in the arena like the program. `split`: as
// ptxas splits loops with two entries (reshape.h), for the model volta. O(instructions log blocks).
simt_program *simt_decode(lin_arena *arena, LLVMModuleRef module, const char *kernel, bool split,
                          const char **error);

#endif
