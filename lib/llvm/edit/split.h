// Loops with several entries of which all but one lead straight to another: these blocks get a copy
// in front of the loop, which then has one entry and needs no guards.
//
//      D                     D
//     ╱ ╲                   ╱ ╲
//    ▼   ▼                 A'  │         A, without A' and its edges, is in the loop as before;
//    A ⇄ B      ==>         ╲  ▼         who came to A from outside runs A' instead, once
//                            ▶ B ⇄ A
//
// A warp's threads come together at B, as with a guard in front of A: A' is what they run before.
// ("Controlled node splitting", Janssen and Corporaal, 1996, where it costs one small block each.)
#ifndef LIN_LLVM_EDIT_SPLIT_H
#define LIN_LLVM_EDIT_SPLIT_H

#include "driver/pipeline.h"
#include "llvm/read/read.h"

// An entry of a loop that is to be copied.
typedef struct lin_ir_entry {
  lin_block block;       // of f
  uint32_t instructions; // that stand twice
  uint32_t loop;         // of the analysis
} lin_ir_entry;

typedef struct lin_ir_entries {
  lin_ir_entry *entry; // [count] those of one loop stand together
  uint32_t count;
  struct lin_ir_splitter *splitter;
} lin_ir_entries;

// Finds such entries of the irreducible loops that `result` linearizes, if all but one can be
// copied and few instructions stand twice then. Changes nothing. O(instructions of the loops *
// their entries^2).
lin_ir_entries *lin_ir_find_entries(lin_arena *arena, const lin_ir_function *f,
                                    const lin_result *result);

// Copies them. The function is valid afterwards, and no longer what it was read as.
// O(instructions of the entries).
void lin_ir_split_entries(const lin_ir_entries *entries);

#endif
