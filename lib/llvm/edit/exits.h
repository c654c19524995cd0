// Ways out of a loop that go through a flag. What a thread does next, after it has found that it
// leaves, often stands in a flag that the loop's blocks join and test: front ends write it so where
// a scope ends (clang does for each `return`, `goto` or `break` out of a block with variables in
// it), and LLVM takes it back for CPUs only. Here such ways become edges out of the loop again; it
// is jump threading (Bodík, Gupta and Soffa, "Interprocedural Conditional Branch Elimination",
// 1997), for exits alone:
//
//     ┌─▶ h ──┐                           ┌─▶ h ───┐
//     │   │   │ stay = false              │   │    │
//     │   ▼   │                           │   ▼    ▼
//     │   b   │ stay = true      ==>      │   b    m'
//     │   │   │                           │   │    │
//     │   ▼   │                           │   ▼    │
//     └── m ◀─┘  stay ? h : x             └── m    │
//         └──▶ x                               x ◀─┘
//
// Who leaves waits for the others behind the loop, as before; the flag, its test, and the wait for
// each other at m, with every turn, go. So all threads have to come to x, and those that stay must
// be together without m.
#ifndef LIN_LLVM_EDIT_EXITS_H
#define LIN_LLVM_EDIT_EXITS_H

#include "driver/pipeline.h"
#include "llvm/read/read.h"

// Edges to `block` of which is known that they leave the loop there, to `to`.
typedef struct lin_ir_exit {
  lin_block block, to; // of f
  uint32_t edges;
} lin_ir_exit;

typedef struct lin_ir_exits {
  lin_ir_exit *exit; // [count] by block
  uint32_t count;
  struct lin_ir_exit_finder *finder;
} lin_ir_exits;

// Finds such edges, one destination for each block that tests a flag. `result` is of `f`. Blocks
// that the pass has made to join threads are no such blocks. Changes nothing. O(edges, and the
// instructions of blocks that test flags with their uses).
lin_ir_exits *lin_ir_find_exits(lin_arena *arena, const lin_ir_function *f,
                                const lin_result *result, const lin_policy *policy);

// Has them leave by themselves. The function is valid afterwards, and no longer what it was read
// as. O(instructions of the blocks, and their uses).
void lin_ir_free_exits(const lin_ir_exits *exits);

#endif
