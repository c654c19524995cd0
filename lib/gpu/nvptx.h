// What is known of NVPTX by its name, by one table (nvptx.def): special registers, opcodes of PTX,
// intrinsics of LLVM, functions that no module has. Nothing else under lib/ names these.
#ifndef LIN_GPU_NVPTX_H
#define LIN_GPU_NVPTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the names of intrinsics begin with, and of those that read registers.
#define LIN_NVVM "llvm.nvvm."
#define LIN_NVVM_REGISTER LIN_NVVM "read.ptx.sreg."

// Those that are written, not only read.
#define LIN_NVVM_BALLOT LIN_NVVM "vote.ballot.sync"
#define LIN_NVVM_SHUFFLE LIN_NVVM "shfl.sync.idx.i32"
#define LIN_NVVM_SHUFFLE_UP LIN_NVVM "shfl.sync.up.i32"
#define LIN_NVVM_SHUFFLE_BUTTERFLY LIN_NVVM "shfl.sync.bfly.i32"
#define LIN_NVVM_REDUCE_OR LIN_NVVM "redux.sync.or"
#define LIN_NVVM_SYNC_WARP LIN_NVVM "bar.warp.sync"
#define LIN_NVVM_BARRIER LIN_NVVM "barrier.cta.sync.aligned.all"
#define LIN_NVVM_OLD_BARRIER LIN_NVVM "barrier0"
#define LIN_NVVM_BARRIER_COUNT LIN_NVVM "barrier.cta.red.popc.aligned.all"
#define LIN_NVVM_OLD_BARRIER_COUNT LIN_NVVM "barrier0.popc"
#define LIN_NVVM_AGREE LIN_NVVM "vote.uni.sync"
#define LIN_NVVM_MATCH_ALL LIN_NVVM "match.all.sync.i32p"
#define LIN_NVVM_ACTIVEMASK LIN_NVVM "activemask"
#define LIN_NVVM_LANES_BELOW LIN_NVVM_REGISTER "lanemask.lt"

typedef enum lin_nvptx_family {
  LIN_NVPTX_OTHER,
  LIN_NVPTX_TID,       // registers with an axis: the thread's index in its block,
  LIN_NVPTX_NTID,      // threads of a block,
  LIN_NVPTX_CTAID,     // the block's index,
  LIN_NVPTX_NCTAID,    // blocks of the launch
  LIN_NVPTX_LANEID,    // a register: the lane,
  LIN_NVPTX_LANE,      // masks by the lane, and the warp
  LIN_NVPTX_CLOCK,     // a register that says what time it is
  LIN_NVPTX_REGISTER,  // any other
  LIN_NVPTX_BARRIER,   // waits for all threads of the block, if its number is theirs
  LIN_NVPTX_TOLD,      // the same, and tells them all what they have said
  LIN_NVPTX_PART,      // a barrier for some threads of the block, or for several blocks
  LIN_NVPTX_WARP,      // waits for the threads of the warp that a mask names
  LIN_NVPTX_HERE,      // is of the threads that happen to run together
  LIN_NVPTX_MATRIX,    // is of all lanes of a warp
  LIN_NVPTX_EXIT,      // ends the thread
  LIN_NVPTX_BRANCH,    // goes to a label
  LIN_NVPTX_CALL,      // of a function
  LIN_NVPTX_RUNTIME,   // a function of CUDA's runtime that any thread may call from anywhere
  LIN_NVPTX_LIBDEVICE, // libdevice's mathematics
  LIN_NVPTX_OPTIX,     // OptiX's: no ray waits for another one
} lin_nvptx_family;

// For which threads the value is the same, from all to none.
typedef enum lin_nvptx_gives {
  LIN_GIVES_LAUNCH,
  LIN_GIVES_BLOCK,
  LIN_GIVES_WARP,
  LIN_GIVES_OPERANDS, // for which the operands are the same
  LIN_GIVES_THREAD,
  LIN_GIVES_KEEPS, // none: it depends on what was there, and may be set in part
  LIN_GIVES_NONE,  // no value
  LIN_GIVES_ANY,   // nobody knows which operands are set
} lin_nvptx_gives;

typedef struct lin_nvptx {
  const char *name; // with % a register's, with @ a function's
  lin_nvptx_family family;
  lin_nvptx_gives gives;
  uint32_t effects; // LIN_WAITS and so on (graph/graph.h)
  uint32_t cost;    // of an instruction, in simple ones (gpu/costs.h)
} lin_nvptx;

// How many rows there are, and each of them.
uint32_t lin_nvptx_count(void);
const lin_nvptx *lin_nvptx_row(uint32_t number);

// The number of the row for a name of `length` characters: the one that has its longest beginning,
// up to a dot or _; LIN_NONE if none has. `sigil` is %, @, or 0 for opcodes and intrinsics, and no
// part of the name. If `rest` isn't NULL, it gets the number of characters behind that beginning.
// O(length log rows).
uint32_t lin_nvptx_find(char sigil, const char *name, size_t length, size_t *rest);

// Whether one of the parts of an opcode behind its first is this one: `.volatile` of
// ld.volatile.u32. O(length).
bool lin_nvptx_has_part(const char *opcode, size_t length, const char *part);

// Whether an instruction that only reads memory, and has this row, may see what another thread
// writes meanwhile. Strong loads do, those that pass the cache of one multiprocessor (.cg, .cv),
// and surfaces. Weak loads don't (PTX ISA, "Memory Consistency Model": a race of a weak operation
// has no defined result), nor do textures. O(length).
bool lin_nvptx_polls(const lin_nvptx *row, const char *opcode, size_t length);

// What an intrinsic is, by the whole of its name; a register if it reads one. NULL if it isn't
// NVPTX's or has no row. O(length log rows).
const lin_nvptx *lin_nvptx_intrinsic(const char *name);

// The register that an intrinsic reads, or NULL. One that has no row is LIN_NVPTX_REGISTER, and
// differs from thread to thread. O(length log rows).
const lin_nvptx *lin_nvptx_register_read(const char *intrinsic);

// A function that no module has, by its name of `length` characters, or NULL. O(length log rows).
const lin_nvptx *lin_nvptx_callee(const char *name, size_t length);

// Whether a register, by its name without %, always holds the same value for a thread: no clock, no
// counter, not where the thread runs at the moment. O(length log rows).
bool lin_nvptx_stays(const char *name, size_t length);

// What stands behind the prefix in the name of one of NVPTX's intrinsics, or NULL. O(1).
const char *lin_nvptx_behind(const char *intrinsic);

// The same of those that read a register: its name in LLVM, lanemask.lt. O(1).
const char *lin_nvptx_behind_register(const char *intrinsic);

// What stands behind the prefix in the name of one of libdevice's functions, or NULL. O(1).
const char *lin_nvptx_behind_libdevice(const char *function);

// The name of the intrinsic that reads x, y or z (0, 1 or 2) of a register with an axis. It is
// written into `text`, and returned. O(rows).
enum { LIN_NVPTX_NAME = 64 };
const char *lin_nvptx_reads(lin_nvptx_family family, int axis, char text[LIN_NVPTX_NAME]);

// 0, 1 or 2 for a register's x, y and z; -1 for others, and for NULL. O(1).
int lin_nvptx_axis(const lin_nvptx *row);

// Whether the row is there and of that family. O(1).
static inline bool lin_nvptx_is(const lin_nvptx *row, lin_nvptx_family family) {
  return row != NULL && row->family == family;
}

#ifdef __cplusplus
}
#endif
#endif
