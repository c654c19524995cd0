// What warps executed, counted.
//
// A warp instruction is one instruction that some lanes of a warp execute together; it counts as
// one thread instruction for each of them. Instructions are those of the decoded program that a
// machine has, too: constants, casts that move nothing, phis, negated conditions and branches to
// the block that follows are none. Under the model volta, short arms are predicated (predicate.h):
// all lanes of the branch execute them, and there is no branch; and a flag that is true or false on
// a way into its phi takes an instruction, as machines have no registers for predicates that are
// so.
#ifndef LIN_SIMT_METRICS_H
#define LIN_SIMT_METRICS_H

#include "program.h"

// Executed loads or stores of one space; an atomic operation is both.
typedef struct simt_traffic {
  uint64_t instructions; // warp instructions
  uint64_t sectors;      // of 32 bytes, that one warp instruction touches
} simt_traffic;

// Of a block, or of all blocks of a function, or of all functions. A warp that ends inside a block,
// by an exit there, counts as if it had executed all of it.
typedef struct simt_counts {
  uint64_t warp_instructions, thread_instructions;
  uint64_t guard_instructions;    // warp instructions that linearize has added
  uint64_t entries;               // of blocks, by warps
  uint64_t reentries;             // of these, in a pass that the warp had been there in (passes.h)
  uint64_t threads;               // entries by threads
  uint64_t branches;              // executed by a warp with a choice
  uint64_t divergent;             // those that sent lanes different ways
  simt_traffic load[3], store[3]; // by simt_space
  uint64_t deepest;               // entries on the reconvergence stack, or groups of a warp
  uint64_t nested; // branches that have parted a warp and have not reconverged; model ipdom
} simt_counts;

typedef struct simt_metrics {
  simt_counts **block;           // [num_functions][num_blocks], and so are:
  uint32_t **size, **guard_size; // instructions of the block that count, and those of guards
  lin_block **predicated_by;     // LIN_NONE for all but short arms that are predicated
} simt_metrics;

// Metrics of `program`, all zero. `predicates`: short arms are predicated. O(instructions).
simt_metrics *simt_metrics_new(lin_arena *arena, const simt_program *program, bool predicates);

// A warp enters `block` of function `number` with the lanes of `mask`. O(1).
void simt_metrics_enter(simt_metrics *metrics, uint32_t number, lin_block block, uint32_t mask);

// Adds `more` to `counts`. O(1).
void simt_counts_add(simt_counts *counts, const simt_counts *more);

// Adds what `more` counted in other blocks of the grid; both are of `program`. O(blocks).
void simt_metrics_add(simt_metrics *metrics, const simt_metrics *more, const simt_program *program);

// Sums over one function; over all, if `function` is LIN_NONE. O(blocks).
simt_counts simt_metrics_sum(const simt_metrics *metrics, const simt_program *program,
                             uint32_t function);

// The counts of each block that function `number` has in the module: with those of the blocks that
// were made of it, 0 for these. Entries are the module's, so that they are a profile of it. In
// `counts`, [num_blocks]. O(blocks).
void simt_metrics_of_module(const simt_metrics *metrics, const simt_program *program,
                            uint32_t number, simt_counts *counts);

// Sectors that `size` bytes at each lane's address of `mask` touch. O(lanes * lanes).
uint32_t simt_count_sectors(const uint64_t *address, uint32_t mask, uint32_t size);

#endif
