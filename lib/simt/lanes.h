// Arithmetic of a warp: one instruction for the lanes of a mask.
#ifndef LIN_SIMT_LANES_H
#define LIN_SIMT_LANES_H

#include "program.h"

typedef uint64_t simt_lanes[SIMT_LANES];

// Executes `instruction`, at most SIMT_LAST_ARITHMETIC, on `registers` for the lanes of `mask`;
// what other lanes hold stays. Returns NULL, or what was undefined: a division by zero; `*lane` is
// then the first lane it happened to. O(lanes).
const char *simt_lanes_execute(const simt_instruction *instruction, simt_lanes *registers,
                               uint32_t mask, unsigned *lane);

// Half and bfloat, to the nearest and ties to even.
uint16_t simt_half_from_float(float value);
float simt_half_to_float(uint16_t half);

// As PTX: -0 is less than +0, and a number is what is left of it and NaN.
double simt_least(double a, double b);
double simt_greatest(double a, double b);

static inline unsigned simt_first_lane(uint32_t mask) {
  return (unsigned)__builtin_ctz(mask); // mask != 0
}

static inline unsigned simt_count_lanes(uint32_t mask) {
  return (unsigned)__builtin_popcount(mask);
}

static inline float simt_float(uint64_t bits) {
  union {
    uint32_t bits;
    float value;
  } u = {.bits = (uint32_t)bits};
  return u.value;
}

static inline uint64_t simt_float_bits(float value) {
  union {
    float value;
    uint32_t bits;
  } u = {.value = value};
  return u.bits;
}

static inline double simt_double(uint64_t bits) {
  union {
    uint64_t bits;
    double value;
  } u = {.bits = bits};
  return u.value;
}

static inline uint64_t simt_double_bits(double value) {
  union {
    double value;
    uint64_t bits;
  } u = {.value = value};
  return u.bits;
}

#endif
