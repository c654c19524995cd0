// Floats as the bits that a register holds.
#ifndef LIN_SIMT_FLOATS_H
#define LIN_SIMT_FLOATS_H

#include <stdint.h>

// Halves, to the nearest and ties to even.
uint16_t simt_half_from_float(float value);
float simt_half_to_float(uint16_t half);

// NaN if one of them is; -0 is less than +0.
double simt_minimum(double a, double b);
double simt_maximum(double a, double b);

// The same, but that a number is what is left of it and NaN, as in PTX.
double simt_least(double a, double b);
double simt_greatest(double a, double b);

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
