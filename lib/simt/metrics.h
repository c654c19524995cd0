// What warps executed, counted.
//
// A warp instruction is one instruction that some lanes of a warp execute together; it counts as
// one thread instruction for each of them. Instructions are those of the decoded program that a
// machine has, too: constants, casts that move nothing, phis, negated conditions and branches to
// the block that follows are none. Under the model volta, short arms are predicated (predicate.h):
// all lanes of the branch execute them, and there is no branch.
#ifndef LIN_SIMT_METRICS_H
#define LIN_SIMT_METRICS_H

#include "program.h"

typedef struct simt_block_metrics {
  uint64_t entries;   // by warps
  uint64_t threads;   // by threads
  uint64_t branches;  // its terminator, executed by a warp with a choice
  uint64_t divergent; // those that sent lanes different ways
} simt_block_metrics;

// Executed loads or stores of one space; an atomic operation is both.
typedef struct simt_traffic {
  uint64_t instructions; // warp instructions
  uint64_t sectors;      // of 32 bytes, that one warp instruction touches
} simt_traffic;

typedef struct simt_metrics {
  simt_block_metrics **block;     // [num_functions][num_blocks], and so are:
  uint32_t **size;                // instructions of the block that count
  lin_block **predicated_by;      // LIN_NONE for all but short arms that are predicated
  simt_traffic load[3], store[3]; // by simt_space
  uint32_t deepest;               // entries on the reconvergence stack, or groups of a warp
} simt_metrics;

typedef struct simt_totals {
  uint64_t warp_instructions, thread_instructions;
  uint64_t entries; // of blocks by warps
  uint64_t branches, divergent;
} simt_totals;

// Metrics of `program`, all zero. `predicates`: short arms are predicated. O(instructions).
simt_metrics *simt_metrics_new(lin_arena *arena, const simt_program *program, bool predicates);

// Sums over one function; over all, if `function` is LIN_NONE. A warp that ended inside a block, by
// an exit there, counts as if it had executed all of it. O(blocks).
simt_totals simt_metrics_sum(const simt_metrics *metrics, const simt_program *program,
                             uint32_t function);

// Sectors that `size` bytes at each lane's address of `mask` touch. O(lanes * lanes).
uint32_t simt_count_sectors(const uint64_t *address, uint32_t mask, uint32_t size);

#endif
