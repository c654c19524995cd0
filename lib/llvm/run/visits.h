// How often the blocks of a function were come to, for those who weigh what warps run.
#ifndef LIN_LLVM_RUN_VISITS_H
#define LIN_LLVM_RUN_VISITS_H

#include "threads/counts_file.h"
#include "llvm/read/read.h"

// Fills in f->graph->visits, in the arena, if the counts know the function, as it is, and say how
// often warps enter blocks. Complexity of lin_flow_count.
void lin_ir_read_visits(lin_arena *arena, lin_ir_function *f, const lin_counts *counts);

#endif
