#include "floats.h"

#include <math.h>

float simt_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
           digits = half & 0x3ff;
  if (exponent == 31)
    return simt_float(sign | 0x7f800000 | digits << 13);
  if (exponent == 0) {
    float value = (float)digits * 0x1p-24f;
    return sign ? -value : value;
  }
  return simt_float(sign | (exponent + 112) << 23 | digits << 13);
}

uint16_t simt_half_from_float(float value) {
  uint32_t bits = (uint32_t)simt_float_bits(value), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (bits > 0x7f800000)
    return (uint16_t)(sign | 0x7e00);
  if (bits >= 0x477ff000) // rounds to 65536 or more
    return (uint16_t)(sign | 0x7c00);
  if (bits < 0x38800000) { // subnormal: adding a half makes the hardware round
    float shifted = simt_float(bits) + 0.5f;
    return (uint16_t)(sign | (simt_float_bits(shifted) - 0x3f000000));
  }
  uint32_t odd = bits >> 13 & 1;
  return (uint16_t)(sign | (bits - 0x38000000 + 0xfff + odd) >> 13);
}

double simt_minimum(double a, double b) {
  if (isunordered(a, b))
    return NAN;
  return a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}

double simt_maximum(double a, double b) {
  if (isunordered(a, b))
    return NAN;
  return a == b ? (signbit(a) ? b : a) : a > b ? a : b;
}

double simt_least(double a, double b) { return isnan(a) ? b : isnan(b) ? a : simt_minimum(a, b); }
double simt_greatest(double a, double b) {
  return isnan(a) ? b : isnan(b) ? a : simt_maximum(a, b);
}
