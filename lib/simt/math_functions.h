// Math and bit functions of CUDA, by name.
//
// clang leaves of them, by how it is called, a function of libdevice (__nv_sinf), one of the C
// library (sinf), CUDA's own name (__fadd_rz), an intrinsic of LLVM (llvm.sin.f32) or of NVPTX
// (llvm.nvvm.add.rz.ftz.f), or an instruction of PTX in inline assembly (add.rz.ftz.f32). A name is
// taken apart into what is computed, which math_functions.def lists once, and how:
//
//     __nv_fadd_rz             fadd        round to zero
//     llvm.nvvm.add.rz.ftz.f   fadd        round to zero, flush subnormal numbers
//     __nv_fast_sinf, sinf     sinf
//     llvm.sin.f32             sin, then sinf for a float
//
// Functions that the GPU approximates are computed in a wider type and rounded, so that they are
// within the errors of CUDA's documentation; what it documents as exact is.
#ifndef LIN_SIMT_MATH_FUNCTIONS_H
#define LIN_SIMT_MATH_FUNCTIONS_H

#include "program.h"

enum { SIMT_MATH_OPERANDS = 4, SIMT_MATH_RESULTS = 2 };

// How a function is computed: bits.
enum {
  SIMT_MATH_ROUNDING = 3,       // a simt_rounding
  SIMT_MATH_FLUSH = 1 << 2,     // subnormal floats are zero, as operands and as results
  SIMT_MATH_SATURATE = 1 << 3,  // results are from 0 to 1, NaN is 0
  SIMT_MATH_RELU = 1 << 4,      // negative results and NaN are 0
  SIMT_MATH_NAN = 1 << 5,       // NaN if an operand is
  SIMT_MATH_WHOLE = 1 << 7,     // of numbers that are made whole first, by the rounding
  SIMT_MATH_XOR_SIGNS = 1 << 6, // of absolute values; the result's sign is the xor of theirs
};

typedef enum simt_rounding {
  SIMT_TO_NEAREST,
  SIMT_TO_ZERO,
  SIMT_DOWN,
  SIMT_UP,
} simt_rounding;

typedef struct simt_math_function {
  const char *name;
  // Of its results, a colon, of its operands: f and d are floats of 32 and 64 bits; h, i and l
  // integers of 16, 32 and 64; p is 1 bit.
  const char *types;
  void (*compute)(const uint64_t *operand, uint64_t *result); // bits, integers zero-extended
} simt_math_function;

extern const simt_math_function simt_math_functions[];

typedef struct simt_math {
  uint32_t function; // into simt_math_functions[]
  uint32_t how;
} simt_math;

// Finds what `name` computes; of functions that CUDA has for floats and doubles under one name that
// of floats, if `of_floats`. False if it is none. O(functions).
bool simt_math_find(const char *name, bool of_floats, simt_math *found);

// The same for an instruction of PTX, as "add.rz.ftz.f32".
bool simt_math_find_ptx(const char *name, simt_math *found);

// The `extra` of a SIMT_MATH.
static inline uint32_t simt_math_extra(simt_math math) { return math.function << 8 | math.how; }

// Executes a SIMT_MATH on `registers` for the lanes of `mask`. O(lanes).
void simt_math_execute(const simt_instruction *instruction, simt_lanes *registers, uint32_t mask);

#endif
