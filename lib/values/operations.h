// Operations on numbers of 1 to 64 bits, and what they make of numbers that are known.
//
//     and  known 0, unknown      known 0       one operand decides
//     udiv known 7, known 0      unknown       no result
//
// LLVM's instructions become operations, and operations instructions, in llvm/ask/operations.h.
#ifndef LIN_VALUES_OPERATIONS_H
#define LIN_VALUES_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum lin_op {
  LIN_OP_CONSTANT,  // `number`
  LIN_OP_INDEX,     // the thread's index in its block, of the axis `number` (0: x, 1: y, 2: z)
  LIN_OP_SIZE,      // of the block, in threads, of the axis `number`
  LIN_OP_SAME,      // the same for all threads of the block, and known before it starts
  LIN_OP_DIFFERENT, // may differ from thread to thread, and from time to time
  LIN_OP_PHI,       // scale[] of an operand is the block that it comes from
  LIN_OP_LOAD,      // touches memory; operand 0 is the address
  LIN_OP_EFFECT,    // computes nothing: a store, a barrier, a branch
  LIN_OP_FUNCTION,  // some function of its operands, that has no effect and can't trap
  LIN_OP_SUM,       // of the operands, as signed numbers, times scale[], and `number`: an address
  LIN_OP_ADD,       // from here on, what the numbers can be computed of
  LIN_OP_SUB,
  LIN_OP_MUL,
  LIN_OP_UDIV,
  LIN_OP_SDIV,
  LIN_OP_UREM,
  LIN_OP_SREM,
  LIN_OP_SHL,
  LIN_OP_LSHR,
  LIN_OP_ASHR,
  LIN_OP_AND,
  LIN_OP_OR,
  LIN_OP_XOR,
  LIN_OP_UMIN,
  LIN_OP_UMAX,
  LIN_OP_SMIN,
  LIN_OP_SMAX,
  LIN_OP_EQ, // these compare numbers of the operands' width
  LIN_OP_NE,
  LIN_OP_ULT,
  LIN_OP_ULE,
  LIN_OP_SLT,
  LIN_OP_SLE,
  LIN_OP_SELECT, // operand 0 ? operand 1 : operand 2
  LIN_OP_ZEXT,   // truncation, too, and copies
  LIN_OP_SEXT,
} lin_op;

// A number, if it is known.
typedef struct lin_known {
  uint64_t number; // below 2^width
  bool known;
} lin_known;

static inline uint64_t lin_mask_of(unsigned width) { return UINT64_MAX >> (64 - width); }

// A number of `width` bits as a signed one.
static inline int64_t lin_as_signed(uint64_t number, unsigned width) {
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((number ^ sign) - sign);
}

// `number` cut to `width` bits.
static inline lin_known lin_know(uint64_t number, unsigned width) {
  return (lin_known){number & lin_mask_of(width), true};
}

// What `op` makes of numbers of `width` bits (of `from` bits for ZEXT, SEXT and comparisons):
// unknown if an operand is, unless the others decide, and where a division by zero or a shift by
// too much has no result. O(1).
lin_known lin_op_apply(lin_op op, unsigned width, unsigned from, lin_known a, lin_known b,
                       lin_known c);

#endif
