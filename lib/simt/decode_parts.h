// What the parts of the decoder share.
//
//   decode.c              functions, blocks, edges and what ends a block
//   decode_parts.c        errors, code and lists of registers
//   decode_value.c        types, constants, global variables, the registers of values
//   decode_arithmetic.c   one operation on registers
//   decode_instruction.c  arithmetic, conversions, vectors and aggregates
//   decode_memory.c       addresses, local variables, loads, stores, atomic operations
//   decode_call.c         calls, intrinsics
//   decode_intrinsic.c    the table of intrinsics
//   decode_math.c         math functions
//   decode_asm.c          inline assembly (decode_asm.h)
//
// The first thing that is unknown is kept as the error; decoding then goes on to the end of the
// function without harm, so that no helper has to pass a failure on.
#ifndef LIN_SIMT_DECODE_PARTS_H
#define LIN_SIMT_DECODE_PARTS_H

#include "math_functions.h"
#include "program.h"
#include "llvm/ask/numbers.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

// A scalar of a type: where it lies and how many bits it has.
typedef struct simt_leaf {
  uint64_t offset; // bytes from the start of the type
  LLVMTypeRef type;
  uint8_t bits;
  uint8_t lanes; // at the first scalar of a vector: its length; 0 at the others; else 1
} simt_leaf;

typedef struct simt_leaves {
  simt_leaf *leaf;
  uint32_t count;
} simt_leaves;

enum { SIMT_ADDRESS_BITS = 64 };

typedef struct simt_value {
  simt_register *reg;
  uint32_t count;
} simt_value;

typedef struct simt_decoder {
  lin_arena *arena;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  simt_program *program;
  bool split;          // loops with two entries
  unsigned guard_kind; // of metadata
  lin_numbers inputs;  // loads of the kernel (llvm/ask/inputs.h)
  const char *error;

  LLVMValueRef *function; // [num_functions] found so far, decoded in turn
  uint32_t num_functions, capacity_functions;
  lin_numbers functions;
  LLVMValueRef *global; // found so far, of any space
  uint64_t *address;    // generic for global and constant memory, else an offset
  uint32_t num_global, capacity_global, capacity_address;
  lin_numbers globals;

  // The function at hand.
  simt_function *f;
  LLVMValueRef at; // the instruction at hand, for errors
  lin_numbers values;
  simt_value *value;
  uint32_t num_values, capacity_values;
  uint32_t capacity_code, capacity_operand, capacity_case, capacity_call, capacity_constant;
  uint32_t num_operands, num_cases, num_calls;
  uint32_t num_unknown, capacity_unknown;
  uint32_t capacity_local;
  LLVMBasicBlockRef *block; // by number of the function's graph, and so are:
  uint32_t *peeled;         // see reshape.h
  bool *is_rest;
  lin_block *twin; // the block before it that does the same, or LIN_NONE
} simt_decoder;

// Keeps the first error: why the instruction at hand can't be run.
void simt_decode_fail(simt_decoder *d, const char *reason);

// ---- types and values --------------------------------------------------------------------------

// The scalars of `type`, in order. Types that have no registers are errors.
simt_leaves simt_decode_leaves(simt_decoder *d, LLVMTypeRef type);
// Bits of a scalar type; an error for others.
uint8_t simt_decode_bits(simt_decoder *d, LLVMTypeRef type);
LLVMTypeRef simt_decode_scalar(LLVMTypeRef type); // a vector's element type, or the type itself
bool simt_decode_is_float(LLVMTypeRef type);      // of scalars

// The registers of an operand: a constant's, a parameter's or those of an instruction before it.
simt_value simt_decode_operand(simt_decoder *d, LLVMValueRef value);
simt_value simt_decode_operand_at(simt_decoder *d, LLVMValueRef instruction, unsigned index);
simt_register simt_decode_constant(simt_decoder *d, uint64_t value);
// Makes `registers` those of `value`; or as many fresh ones, behind each other, as its type needs.
void simt_decode_bind(simt_decoder *d, LLVMValueRef value, simt_value registers);
simt_value simt_decode_define(simt_decoder *d, LLVMValueRef value);
simt_register simt_decode_fresh(simt_decoder *d, uint32_t count); // the first of so many
simt_value simt_decode_list(simt_decoder *d, uint32_t count);     // room for so many, unset

void simt_decode_lay_out_globals(simt_decoder *d);

// ---- intrinsics ---------------------------------------------------------------------------------

typedef enum simt_intrinsic_kind {
  SIMT_INTRINSIC_NONE,       // unknown here
  SIMT_INTRINSIC_NOTHING,    // no effect that matters here
  SIMT_INTRINSIC_ARITHMETIC, // of integers, element by element
  SIMT_INTRINSIC_FLOAT,      // of floats, element by element
  SIMT_INTRINSIC_OVERFLOW,   // opcode, and opcode `extra` for the second result
  SIMT_INTRINSIC_CONVERT,    // to an integer
  SIMT_INTRINSIC_COPY_BITS,
  SIMT_INTRINSIC_SPECIAL,
  SIMT_INTRINSIC_ACTIVEMASK,
  SIMT_INTRINSIC_COLLECTIVE, // with a member mask first
  SIMT_INTRINSIC_HERE,       // a collective of who is there
  SIMT_INTRINSIC_REDUCE,     // a collective with the member mask last
  SIMT_INTRINSIC_BARRIER,
  SIMT_INTRINSIC_MEMCPY,
  SIMT_INTRINSIC_MEMSET,
  SIMT_INTRINSIC_ATOMIC,
  SIMT_INTRINSIC_TRAP,
  SIMT_INTRINSIC_EXIT,
  SIMT_INTRINSIC_EXPECT, // the value of its first operand
  SIMT_INTRINSIC_IS_SPACE,
  SIMT_INTRINSIC_REFLECT, // what libdevice asks the compiler
  SIMT_INTRINSIC_PRINTF,
  SIMT_INTRINSIC_ASSERT,
} simt_intrinsic_kind;

typedef struct simt_intrinsic {
  const char *name;
  uint32_t kind;   // simt_intrinsic_kind
  uint32_t opcode; // or what else the kind says
  uint32_t extra;
} simt_intrinsic;

// What the function `name` is, or NULL if it is no intrinsic that is known. O(log intrinsics).
const simt_intrinsic *simt_find_intrinsic(const char *name);
// What an opcode of PTX is, or with the sigil % a register, with @ a function; the sigil is no part
// of the name. NULL if that isn't known. `*rest` is what the name has behind that of the row.
// O(length log intrinsics).
const simt_intrinsic *simt_find_ptx(char sigil, const char *name, const char **rest);

// ---- code --------------------------------------------------------------------------------------

// Appends `instruction`, with the line of the one at hand.
void simt_decode_emit(simt_decoder *d, simt_instruction instruction);
// dst = a op b op c of `width` bits; returns dst, which is fresh.
simt_register simt_decode_arithmetic(simt_decoder *d, simt_opcode opcode, uint8_t width,
                                     simt_register a, simt_register b, simt_register c);
// Keeps a list of registers for SIMT_STORE or SIMT_RETURN; returns its index.
uint32_t simt_decode_operands(simt_decoder *d, const simt_register *reg, uint32_t count);
// The number of `function`, which will be decoded.
uint32_t simt_decode_function(simt_decoder *d, LLVMValueRef function);

// The same for floats of `type`. Half and bfloat are computed in float and rounded.
simt_register simt_decode_float(simt_decoder *d, simt_opcode opcode, LLVMTypeRef type,
                                const simt_register *operand, uint32_t count, uint32_t extra);
bool simt_decode_is_narrow(LLVMTypeRef type); // half or bfloat
// `value` of `type` as a float, and back.
simt_register simt_decode_widen(simt_decoder *d, LLVMTypeRef type, simt_register value);
simt_register simt_decode_narrow(simt_decoder *d, LLVMTypeRef type, simt_register value);

void simt_decode_instruction(simt_decoder *d, LLVMValueRef instruction);
void simt_decode_memory(simt_decoder *d, LLVMValueRef instruction);
// The simt_space of pointers in an address space of LLVM's.
unsigned simt_decode_space(unsigned address_space);
void simt_decode_call(simt_decoder *d, LLVMValueRef call);

// A call of the inline assembly `text`.
void simt_decode_assembly(simt_decoder *d, LLVMValueRef call, LLVMValueRef text);

// Whether a generic address is one of a simt_space: 1 bit.
simt_register simt_decode_is_space(simt_decoder *d, simt_register address, unsigned space);

// Decodes `call` if the function `name` is one of math_functions.h; an error if CUDA's has other
// types. False if it is none.
bool simt_decode_math(simt_decoder *d, LLVMValueRef call, const char *name);
// Has a function computed; returns the first of its results, which are behind each other.
simt_register simt_decode_compute(simt_decoder *d, simt_math math, const simt_register *operand);

static inline uint64_t simt_low_bits(uint8_t bits) {
  return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

#endif
