// A decoded program: what a kernel and the functions that it reaches do, without LLVM.
//
// Every operand is a register of the function's frame, and a register is 32 words of 64 bits, one a
// lane: integers zero-extended, floats as their bits, pointers as addresses. Vectors, structures
// and arrays are lists of registers, so taking them apart is renaming and costs nothing. Constants
// are registers that are filled when a frame is made. A phi is a copy on each edge into its block.
//
// Blocks are numbered in loop-contiguous reverse post-order (lib/graph/order.h). The code of block
// b is code[first_code[b]] .. code[first_code[b + 1] - 1]; the last one ends the block.
#ifndef LIN_SIMT_PROGRAM_H
#define LIN_SIMT_PROGRAM_H

#include "reconverge.h"

#include "gpu/target.h"

enum { SIMT_LANES = LIN_WARP };
#define SIMT_ALL_LANES UINT32_MAX

typedef uint64_t simt_lanes[SIMT_LANES]; // what a register holds, integers zero-extended

// Of masks of lanes.
static inline unsigned simt_first_lane(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask); // mask != 0
}

static inline unsigned simt_count_lanes(uint32_t mask) {
  return (unsigned)__builtin_popcount(mask);
}

typedef uint32_t simt_register;

// Where the memory spaces lie in the generic address space. An address of shared or local memory
// (addrspace 3, 5) is an offset into its window; all others are generic addresses already.
#define SIMT_SHARED_WINDOW ((uint64_t)1 << 56)
#define SIMT_LOCAL_WINDOW ((uint64_t)2 << 56)
#define SIMT_WINDOW_MASK ((uint64_t)0xff << 56)
// Where in its window shared memory of a size chosen at launch begins.
#define SIMT_DYNAMIC_SHARED ((uint64_t)1 << 20)

typedef enum simt_space { SIMT_GENERIC, SIMT_SHARED, SIMT_LOCAL } simt_space;

typedef enum simt_opcode {
  // Arithmetic: dst = a op b op c, lane by lane. `width` is the number of bits of the result, and
  // of the operands unless `from` is set.
  SIMT_ADD,
  SIMT_SUB,
  SIMT_MUL,
  SIMT_MAD, // a * b + c
  SIMT_UDIV,
  SIMT_SDIV,
  SIMT_UREM,
  SIMT_SREM,
  SIMT_SHL, // a shift by the width or more gives 0, or the sign, as in PTX
  SIMT_LSHR,
  SIMT_ASHR,
  SIMT_AND,
  SIMT_OR,
  SIMT_XOR,
  SIMT_UMIN,
  SIMT_UMAX,
  SIMT_SMIN,
  SIMT_SMAX,
  SIMT_ABS,
  SIMT_POPC,
  SIMT_CLZ,
  SIMT_CTZ,
  SIMT_BREV,
  SIMT_BSWAP,
  SIMT_FSHL,
  SIMT_FSHR,
  SIMT_UADD_OVERFLOWS, // the overflow bits of the *.with.overflow intrinsics
  SIMT_SADD_OVERFLOWS,
  SIMT_USUB_OVERFLOWS,
  SIMT_SSUB_OVERFLOWS,
  SIMT_UMUL_OVERFLOWS,
  SIMT_SMUL_OVERFLOWS,
  SIMT_UADD_SAT,
  SIMT_USUB_SAT,
  SIMT_SEXT, // from `from` bits
  SIMT_TRUNC,
  SIMT_SELECT, // a ? b : c
  // Comparisons give 0 or 1; `width` is the operands'.
  SIMT_EQ,
  SIMT_NE,
  SIMT_UGT,
  SIMT_UGE,
  SIMT_ULT,
  SIMT_ULE,
  SIMT_SGT,
  SIMT_SGE,
  SIMT_SLT,
  SIMT_SLE,
  // Floating point, of 32 or 64 bits.
  SIMT_FADD,
  SIMT_FSUB,
  SIMT_FMUL,
  SIMT_FDIV,
  SIMT_FREM,
  SIMT_FNEG,
  SIMT_FMA,
  SIMT_FMIN, // the number, if one operand is NaN; -0 is less than +0
  SIMT_FMAX,
  SIMT_FMINIMUM, // NaN, if one operand is
  SIMT_FMAXIMUM,
  SIMT_FABS,
  SIMT_COPYSIGN,
  SIMT_SQRT,
  SIMT_FLOOR,
  SIMT_CEIL,
  SIMT_FTRUNC,
  SIMT_RINT,
  SIMT_ROUND,    // half away from zero
  SIMT_IS_CLASS, // b holds the mask of llvm.is.fpclass
  SIMT_FCMP,     // extra: 1 equal, 2 greater, 4 less, 8 unordered, as LLVM's predicates
  // Conversions from `from` bits to `width`. To integers: towards zero, saturating, NaN to 0.
  SIMT_FTOU,
  SIMT_FTOS,
  SIMT_UTOF,
  SIMT_STOF,
  SIMT_FTOF,
  SIMT_HTOF, // half and bfloat have no arithmetic of their own: it is done in float and rounded
  SIMT_FTOH,
  SIMT_BTOF,
  SIMT_FTOB,
  SIMT_MATH, // extra: which function and how (math_functions.h); a, b, c, offset; dst, dst + 1
  SIMT_LAST_ARITHMETIC = SIMT_MATH,
  // Memory. a: address; `width` is an element's, whole bytes; `from` a simt_space; `offset` is
  // added to the address; `align` in bytes; `count` elements lie behind each other.
  SIMT_LOAD,    // dst, dst + 1, ...
  SIMT_STORE,   // b: index into operand[] of `count` registers
  SIMT_ATOMIC,  // dst = old; b: operand; extra: a simt_atomic
  SIMT_CMPXCHG, // dst = old, dst + 1 = success; b: expected; c: new
  SIMT_MEMCPY,  // a: destination, b: source, c: length; offset: the source's space. memmove, too
  SIMT_MEMSET,  // a: destination, b: byte, c: length
  SIMT_ALLOCA,  // dst = address of the frame's local memory at `offset`
  SIMT_FIRST_MEMORY = SIMT_LOAD,
  SIMT_LAST_MEMORY = SIMT_ALLOCA,
  // What depends on the other lanes of the warp, or on where the thread stands in the grid.
  SIMT_SPECIAL,    // dst = special register `extra`
  SIMT_ACTIVEMASK, // dst = lanes that run together
  SIMT_COLLECTIVE, // extra: a simt_collective; a: member mask; b, c: values
  SIMT_BARRIER,    // of the block; a: its number; b: threads, if `count`; extra: a simt_barrier
  // The program's course.
  SIMT_CALL,    // extra: index into call[]
  SIMT_PRINTF,  // dst = characters; a: format; b: arguments
  SIMT_ASSERT,  // a: message, b: file, c: line
  SIMT_TRAP,    // a trap, or `unreachable`
  SIMT_UNKNOWN, // what can't be run; extra: index into unknown[]
  SIMT_EXIT,    // the thread ends
  SIMT_GOTO,    // edge 0
  SIMT_BRANCH,  // a ? edge 0 : edge 1
  SIMT_SWITCH,  // a: value; b: index into case_value[] for edges 1 ..; edge 0 otherwise
  SIMT_RETURN,  // b: index into operand[] of `extra` registers
  SIMT_NUM_OPCODES,
} simt_opcode;

typedef enum simt_atomic {
  SIMT_ATOMIC_EXCHANGE,
  SIMT_ATOMIC_ADD,
  SIMT_ATOMIC_SUB,
  SIMT_ATOMIC_AND,
  SIMT_ATOMIC_NAND,
  SIMT_ATOMIC_OR,
  SIMT_ATOMIC_XOR,
  SIMT_ATOMIC_SMAX,
  SIMT_ATOMIC_SMIN,
  SIMT_ATOMIC_UMAX,
  SIMT_ATOMIC_UMIN,
  SIMT_ATOMIC_FADD,
  SIMT_ATOMIC_FSUB,
  SIMT_ATOMIC_FMAX,
  SIMT_ATOMIC_FMIN,
  SIMT_ATOMIC_INC, // wraps to 0 above the operand
  SIMT_ATOMIC_DEC, // wraps to the operand below 0 or above it
} simt_atomic;

typedef enum simt_collective {
  SIMT_WARP_SYNC,
  SIMT_VOTE_ANY,
  SIMT_VOTE_ALL,
  SIMT_VOTE_UNI,
  SIMT_VOTE_BALLOT,
  SIMT_SHUFFLE_IDX, // b: value; c: lane; offset: the register of clamp and segment mask
  SIMT_SHUFFLE_UP,
  SIMT_SHUFFLE_DOWN,
  SIMT_SHUFFLE_BFLY,
  SIMT_ELECT, // dst = the lowest lane, dst + 1 = the thread is it
  SIMT_MATCH_ANY,
  SIMT_MATCH_ALL, // dst = lanes, dst + 1 = all match
  SIMT_REDUCE_ADD,
  SIMT_REDUCE_UMIN,
  SIMT_REDUCE_UMAX,
  SIMT_REDUCE_SMIN,
  SIMT_REDUCE_SMAX,
  SIMT_REDUCE_AND,
  SIMT_REDUCE_OR,
  SIMT_REDUCE_XOR,
} simt_collective;

typedef enum simt_barrier {
  SIMT_BARRIER_SYNC,
  SIMT_BARRIER_ARRIVE,
  SIMT_BARRIER_POPC, // dst = over all threads that come, of predicate c
  SIMT_BARRIER_AND,
  SIMT_BARRIER_OR,
} simt_barrier;

typedef enum simt_special {
  SIMT_TID_X, // x, y, z behind each other, here and below
  SIMT_TID_Y,
  SIMT_TID_Z,
  SIMT_NTID_X,
  SIMT_NTID_Y,
  SIMT_NTID_Z,
  SIMT_CTAID_X,
  SIMT_CTAID_Y,
  SIMT_CTAID_Z,
  SIMT_NCTAID_X,
  SIMT_NCTAID_Y,
  SIMT_NCTAID_Z,
  SIMT_LANE_ID,
  SIMT_WARP_ID,
  SIMT_NUM_WARPS,
  SIMT_WARP_SIZE,
  SIMT_LANEMASK_EQ,
  SIMT_LANEMASK_LE,
  SIMT_LANEMASK_LT,
  SIMT_LANEMASK_GE,
  SIMT_LANEMASK_GT,
  SIMT_CLOCK, // warp instructions so far
  SIMT_ZERO,  // registers that have one value here, as smid
} simt_special;

enum {
  SIMT_WITH_PREDICATE = 1u << 0, // a shuffle that also tells whether its source was in range
  SIMT_IS_SYNC = 1u << 1,        // takes part in a rendezvous of the lanes in a; else who is there
  SIMT_POLLS = 1u << 2,          // volatile or atomic: others may change what it reads
  SIMT_IS_FREE = 1u << 3,        // no instruction of the machine: not counted
  SIMT_IS_GUARD = 1u << 4,       // linearize has added it
  SIMT_IS_INPUT = 1u << 5,       // a load that decides how often threads enter blocks (inputs.h);
                                 // c: of floats
  SIMT_IS_COPY = 1u << 6, // a load of what need never have been written, which is only copied
                          // (!nosanitize in LLVM's IR)
};

typedef struct simt_instruction {
  uint16_t opcode; // simt_opcode
  uint8_t width;
  uint8_t from;
  uint8_t flags;
  uint8_t count;
  uint16_t align;
  simt_register dst, a, b, c;
  uint32_t extra;
  uint32_t offset;
  uint32_t line; // of the source, 0 if not known
} simt_instruction;

typedef struct simt_copy {
  simt_register to, from;
} simt_copy;

typedef struct simt_constant {
  simt_register to;
  uint64_t value;
} simt_constant;

typedef struct simt_call {
  uint32_t callee;
  uint32_t num_arguments, num_results;
  simt_register *argument; // [num_arguments] of the caller
  simt_register result;    // the first of num_results, of the caller
  uint32_t next_pc;        // of the caller, behind the call
} simt_call;

typedef struct simt_variable {
  const char *name;
  uint64_t address; // in its window
  uint64_t size;
} simt_variable;

typedef struct simt_function {
  const char *name;
  const char *title;      // for people
  const lin_graph *graph; // its blocks, in loop-contiguous reverse post-order
  lin_block *original;    // [num_blocks] the module's block that it was made of (reshape.h)
  bool *is_rest;          // [num_blocks] of a switch, whose block was entered before
  uint32_t *first_code;   // [num_blocks + 1]
  simt_instruction *code;
  uint32_t num_code;
  const lin_loops *loops;
  const simt_reconvergence *reconvergence;
  uint32_t *first_copy;  // [num_edges + 1] into copy[]
  simt_copy *copy;       // those of one edge happen at once
  bool *copies_overlap;  // [num_edges] a copy reads what another one writes
  uint32_t max_copies;   // of one edge
  uint32_t *known_flags; // [num_blocks] flags of which a way out of the block says what they are
  simt_register *operand;
  uint64_t *case_value;
  simt_call *call;
  const char **unknown; // why an instruction can't be run, and the instruction
  simt_constant *constant;
  uint32_t num_constants;
  uint32_t num_registers;
  simt_register first_parameter; // parameters are behind each other
  uint32_t num_parameters;       // registers
  simt_variable *local;          // by address
  uint32_t num_locals;
  uint32_t local_size; // bytes, a multiple of 16
} simt_function;

// A parameter of the kernel: one or more registers, or memory that each thread has a copy of.
typedef struct simt_parameter {
  uint64_t by_value_size; // bytes behind the pointer, 0 if it is no byval parameter
  uint32_t num_registers;
  uint8_t width; // bits, of a scalar
  bool is_pointer, is_float;
  bool is_shared; // a pointer to shared memory
} simt_parameter;

typedef struct simt_global {
  simt_variable variable;
  uint8_t *bytes;   // [size] the initial value; NULL for shared memory, which has none
  uint8_t *written; // [size] 0 where the initial value is undefined
  bool is_constant;
  uint8_t bits; // of its first scalar
  bool is_float;
} simt_global;

typedef struct simt_program {
  simt_function *function; // [num_functions] the kernel is 0
  uint32_t num_functions;
  simt_parameter *parameter; // [num_parameters] the kernel's
  uint32_t num_parameters;
  simt_global *global; // [num_globals] by address; those in global and constant memory
  uint32_t num_globals;
  simt_variable *shared; // [num_shared] by address
  uint32_t num_shared;
  uint64_t shared_end;     // the first offset behind shared[], 0 if there is none
  bool has_dynamic_shared; // shared memory of a size chosen at launch is used
  uint64_t global_end;     // an address behind global[], 0 if there is none
} simt_program;

// The block that holds code[pc]. O(log blocks).
static inline lin_block simt_block_of(const simt_function *function, uint32_t pc) {
  lin_block low = 0, high = function->graph->num_blocks;
  while (high - low > 1) {
    lin_block middle = low + (high - low) / 2;
    if (function->first_code[middle] <= pc)
      low = middle;
    else
      high = middle;
  }
  return low;
}

#endif
