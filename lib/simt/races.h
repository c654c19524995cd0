// Races: two threads access one byte, one of them to write it, and nothing orders the two.
//
// Threads of a block are ordered by its barriers, and lanes of a warp by the *_sync operations that
// they take part in (order.h); atomic operations order nothing. Two atomic accesses don't race, nor
// do lanes that write one value in one instruction.
//
// Of a byte's accesses only some are remembered: a plain write, for what raced with accesses before
// would race with it, too; and two others since, of different threads. Where only barriers for the
// whole block order threads, a race is always found; where lanes of a warp meet, too, one may be
// overlooked. What is found is a race in any case.
#ifndef LIN_SIMT_RACES_H
#define LIN_SIMT_RACES_H

#include "machine.h"
#include "order.h"

typedef struct simt_trail simt_trail;

struct simt_races {
  lin_arena *arena;
  simt_order order;
  simt_trail **global, **shared; // [objects][bytes] NULL for constant ones
  uint64_t *began;               // [num_blocks] when blocks began, the one at work last
  uint32_t num_blocks, capacity_blocks;
};

// For `worker`, which is going to run all blocks of the grid in their order, and has shared memory.
// What it holds is in the worker's arena. O(threads of a block ^ 2 + bytes of memory).
simt_races *simt_races_new(simt_worker *worker);

// The next block begins, with shared memory of its own. O(threads + bytes of shared memory).
void simt_races_begin_block(simt_worker *worker);

// The current group is going to access memory: `address` has the address of each lane, which need
// not be inside an object. False after a fault: a lane races with another thread. O(bytes).
bool simt_races_check(simt_warp *warp, const simt_instruction *instruction,
                      const uint64_t *address);

// The same for one lane that reads, within an instruction that is no access. O(size).
bool simt_races_check_read(simt_warp *warp, unsigned lane, uint64_t address, uint64_t size);

#endif
