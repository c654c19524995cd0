// A kernel that tells ahead what the threads of another one will do: an inspector.
//
//     walk(in, out)                             walk__linearize_inspect(in, out, keys)
//       for (i = 0; i < in[t]; i++)               for (i = 0; i < in[t]; i++)
//         sum += f(i)                               key += c        c of each block: its
//       out[t] = sum                              keys[t] = key     cycles, and its number
//
// Threads of equal keys, but for chance, enter the same blocks equally often; threads of near ones
// take about as long. So the order in which keys rise puts threads together that run alike. Keys
// are of the thread's place in the launch, 32 bits each, and may go around.
#ifndef LIN_LLVM_VERSIONS_INSPECT_H
#define LIN_LLVM_VERSIONS_INSPECT_H

#include "slice.h"

// A copy of a kernel, which has to be as llvm/ask/alone.h wants it, without what its ways don't
// depend on (slice.h), with one more parameter, the last one: a pointer to global memory. NULL,
// with *why in the arena and *line of the source or 0, where there is none. O(instructions and
// their uses + annotations of the module).
LLVMValueRef lin_ir_inspect(lin_arena *arena, LLVMValueRef kernel, const char *name, bool is_line,
                            unsigned most_percent, const char **why, unsigned *line);

#endif
