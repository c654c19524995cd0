// The simulated machine: a launch of a kernel, its memory, and workers, each with the warps of the
// block that it is running.
//
// Thread blocks are independent of each other: a worker runs one behind the other, and several
// workers run several at once. A warp is a set of groups: lanes that run together, at one place of
// one frame. What a group does next when its lanes part, and when groups become one
// again, is the reconvergence model's business (model.h); everything else knows only the current
// group.
//
//     grid.c ─▶ jobs.c ─▶ worker.c ─▶ warp.c ─┬▶ lanes.c       arithmetic
//                                             ├▶ access.c      memory
//                                             ├▶ collective.c  votes, shuffles, barriers
//                                             ├▶ frame.c       calls
//                                             └▶ model.c       branches, returns, who is next
#ifndef LIN_SIMT_MACHINE_H
#define LIN_SIMT_MACHINE_H

#include "inputs.h"
#include "lanes.h"
#include "memory.h"
#include "metrics.h"
#include "order.h"
#include "passes.h"
#include "vectors.h"

#include <stdio.h>

// How the lanes of a warp come together again.
typedef enum simt_model {
  SIMT_IPDOM,    // a stack: at the immediate post-dominator of the branch, as on Fermi
  SIMT_FRONTIER, // the lowest block in reverse post-order first; who meets in a block goes on
                 // together
  SIMT_NONE,     // never
  SIMT_VOLTA,    // at the immediate post-dominator, but never a wait for ever
} simt_model;

typedef struct simt_launch {
  const char *kernel;
  uint32_t grid[3], block[3];
  uint64_t shared_bytes; // of a size chosen at launch
  simt_model model;
  uint64_t limit;       // instructions of a warp, after which it is taken to make no progress
  uint32_t jobs;        // workers that run blocks at once, if it makes no difference (jobs.h)
  bool races;           // are looked for (races.h), by one worker
  bool allow_unwritten; // reads of memory that nobody wrote are no faults, and give 0
  FILE *output;         // of printf
  // Called for each thread block that ended, in their order, with the basic-block vectors of its
  // threads (vectors.h), of which the first is the launch's `first_thread`; or NULL.
  void (*counted)(void *context, const simt_vectors *vectors, uint64_t first_thread);
  void *counted_context;
  FILE *warps;  // where basic-block vectors of warps go, or NULL
  FILE *inputs; // where inputs go (inputs.h), or NULL
  // Where a line `lanes,function,block` goes for each block that warp `lanes_of` of the grid
  // enters, in the order in which it does so; lanes are a mask of eight hexadecimal digits. Or
  // NULL.
  FILE *lanes;
  uint64_t lanes_of;
  // Called now and then while the launch runs, on the caller's thread; or NULL.
  void (*progress)(void *context, uint64_t blocks_begun, uint64_t blocks);
  void *progress_context;
} simt_launch;

// A function's activation. Lanes of one frame were called together; they may return one by one.
typedef struct simt_frame {
  const simt_function *function;
  uint32_t number;           // of the function
  struct simt_frame *parent; // the caller's; of a free frame, the next free one
  const simt_call *call;     // where the caller wants the results
  simt_lanes *registers;
  simt_pass *passes;   // [num_loops]
  uint32_t live;       // lanes that have not returned
  uint32_t depth;      // callers above it
  uint32_t local_base; // of its local memory, in each thread's
} simt_frame;

typedef enum simt_state {
  SIMT_READY,
  SIMT_AT_BARRIER, // of the block
  SIMT_AT_SYNC,    // a collective operation, for lanes that it names
  SIMT_AT_JOIN,    // a reconvergence point, for lanes that parted from it
} simt_state;

typedef struct simt_group {
  uint32_t mask;
  simt_state state;
  simt_frame *frame;
  uint32_t pc; // into frame->function->code
  lin_block
      reconverge;   // model ipdom: where its lanes wait, in the group below; LIN_NONE: at the end
  uint32_t barrier; // the one it waits at
  uint64_t since;   // at a join: how many have come to one before
} simt_group;

// Model volta: lanes that may part, and where they wait for each other.
typedef struct simt_join {
  simt_frame *frame;
  simt_meeting meeting;
  uint32_t lanes;
} simt_join;

// What a lane brings to a collective operation.
typedef struct simt_offer {
  uint64_t members; // lanes that it names
  uint64_t value;
  uint32_t kind; // simt_collective
} simt_offer;

typedef struct simt_machine simt_machine;
typedef struct simt_worker simt_worker;
typedef struct simt_races simt_races;

typedef struct simt_warp {
  const simt_machine *machine; // the worker's
  simt_worker *worker;
  uint32_t number; // in the block
  uint32_t live;   // lanes that have not ended
  uint64_t instructions;
  simt_counts *counts; // of the block at hand
  simt_seen seen;
  uint64_t thread_id[3][SIMT_LANES];

  simt_group *group; // model ipdom: the stack, the last one on top
  uint32_t num_groups, capacity_groups;
  uint32_t current;
  uint32_t slice; // blocks that the current group may still run before it is another one's turn
  uint32_t polls; // reads in this slice of what others may change
  simt_join *join;
  uint32_t num_joins, capacity_joins;
  uint64_t waits; // arrivals at joins

  simt_offer offer[SIMT_LANES];
  simt_frame **free_frame; // [num_functions]
  uint8_t *local[SIMT_LANES], *local_written[SIMT_LANES];
  uint32_t local_capacity;
  uint64_t *copies; // [max_copies * 32] for the copies of an edge
} simt_warp;

typedef struct simt_barrier_state {
  uint32_t arrived;  // threads
  uint32_t expected; // threads; 0: all of the block
  uint32_t count;    // threads that came with a true predicate
  simt_barrier kind;
} simt_barrier_state;

// What all blocks of a launch share. While they run, nothing of it changes but the bytes of global
// memory that their threads write.
struct simt_machine {
  lin_arena *arena;
  const simt_program *program;
  simt_launch launch;
  simt_memory global;
  simt_variable *shared; // by address: what each block has a copy of
  uint32_t num_shared, capacity_shared;
  const uint64_t *argument; // registers of the kernel's parameters
  simt_variable *by_value;  // copies of byval parameters, in each thread's local memory
  const uint8_t **by_value_bytes;
  uint32_t num_by_value, by_value_end;
  uint32_t num_threads, num_warps; // of a block

  // Afterwards:
  simt_metrics *metrics;
  const char *fault; // that of the first block with one, in one line; NULL if all is well
};

// What runs blocks, and what the block at work has for itself.
struct simt_worker {
  const simt_machine *machine;
  lin_arena arena;
  simt_metrics *metrics; // of all blocks that it has run
  simt_memory shared;
  simt_warp *warp; // [num_warps]
  uint64_t block;
  uint32_t block_id[3];
  uint32_t ended; // threads of the block
  simt_barrier_state barrier[SIMT_NUM_BARRIERS];
  simt_vectors *vectors; // of the threads of the block at work, or NULL
  simt_vectors *warps;   // of its warps, or NULL
  uint64_t first_warp;   // of the block at work, of the grid's
  simt_inputs *inputs;   // of its threads, or NULL
  simt_races *races;     // NULL unless races are looked for
  bool reports;          // progress
  const char *fault;     // the first one, in the arena; NULL if all is well
};

// ---- blocks (worker.c) -------------------------------------------------------------------------

// A worker for the blocks of `machine`; simt_worker_release frees all that it holds.
void simt_worker_begin(simt_worker *worker, const simt_machine *machine);
// Runs one block: until all of its threads have ended, or a fault occurs.
void simt_worker_run(simt_worker *worker, uint64_t block);
void simt_worker_release(simt_worker *worker);

// ---- faults (fault.c) --------------------------------------------------------------------------

// Stops the worker: names kernel, block, thread (that of `lane`), function and source line of the
// current group, and why. Only the first fault is kept.
__attribute__((format(printf, 3, 4))) void simt_fail(simt_warp *warp, unsigned lane,
                                                     const char *format, ...);
// The same for a block whose warps all wait.
void simt_fail_deadlock(simt_worker *worker);

// ---- frames (frame.c) --------------------------------------------------------------------------

// A frame of function `number` for the lanes of `mask`, called from `parent` (or NULL). Its
// constants are set. O(1) if one is free.
simt_frame *simt_frame_new(simt_warp *warp, uint32_t number, simt_frame *parent, uint32_t mask);
// The lanes of `mask` are not in `frame` any more; if they were the last, the frame is free.
void simt_frame_leave(simt_warp *warp, simt_frame *frame, uint32_t mask);
// The current group enters the function that it calls.
void simt_frame_call(simt_warp *warp, const simt_call *call);
// The current group's results go to the caller. Returns the caller's frame, NULL at the bottom.
simt_frame *simt_frame_return(simt_warp *warp, const simt_instruction *instruction);

// ---- memory (access.c) -------------------------------------------------------------------------

// Executes a memory instruction for the current group.
void simt_access(simt_warp *warp, const simt_instruction *instruction);
// Copies the text at a generic address, at most `size` - 1 bytes, ended by a NUL. False after a
// fault.
bool simt_access_text(simt_warp *warp, unsigned lane, uint64_t address, char *text, size_t size);
bool simt_access_read(simt_warp *warp, unsigned lane, uint64_t address, uint32_t size,
                      uint64_t *value);

// printf.c: prints lane by lane.
void simt_print(simt_warp *warp, const simt_instruction *instruction);

// ---- other threads (collective.c) --------------------------------------------------------------

// Both execute an instruction for the current group, whose pc is behind it already. The group may
// have to wait afterwards.
void simt_collective_execute(simt_warp *warp, const simt_instruction *instruction);
void simt_barrier_execute(simt_warp *warp, const simt_instruction *instruction);
// Lets go who waits for threads that have come, or have ended.
void simt_collective_release(simt_warp *warp);
void simt_barrier_release(simt_worker *worker);

// ---- reconvergence (model.c) -------------------------------------------------------------------

typedef struct simt_target {
  lin_block block;
  uint32_t mask;
} simt_target;

void simt_model_begin(simt_warp *warp, simt_frame *frame, uint32_t mask);
// The current group has ended `from` and goes on in one or more blocks, in the order of successors.
void simt_model_branch(simt_warp *warp, lin_block from, const simt_target *target, unsigned count);
// The current group begins `frame`, called with the lanes that it has.
void simt_model_call(simt_warp *warp, simt_frame *frame);
// The current group has returned to `parent`, NULL if from the kernel.
void simt_model_return(simt_warp *warp, simt_frame *parent);
// Lanes have ended and are in no group any more.
void simt_model_end(simt_warp *warp, uint32_t mask);
// Chooses the current group. False if none is ready.
bool simt_model_next(simt_warp *warp);

static inline simt_group *simt_current(simt_warp *warp) { return &warp->group[warp->current]; }

// ---- warps (warp.c) ----------------------------------------------------------------------------

// Runs `warp` until it has ended or waits, a fault occurs, or about `budget` instructions are done.
// Returns whether it did anything.
bool simt_warp_run(simt_warp *warp, uint64_t budget);

#endif
