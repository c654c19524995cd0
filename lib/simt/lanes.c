// Registers hold integers zero-extended: results are cut to the width, signed operands extended.
#include "lanes.h"

#include "math_bits.h"
#include "math_functions.h"

#include <math.h>

static uint64_t sign_extend(uint64_t value, unsigned width) {
  return (uint64_t)((int64_t)(value << (64 - width)) >> (64 - width));
}

static uint64_t reverse_bytes(uint64_t value, unsigned width) {
  return __builtin_bswap64(value) >> (64 - width);
}

// The high bits of a * b : c shifted left by c; fshr shifts right and takes the low ones.
static uint64_t funnel(uint64_t high, uint64_t low, uint64_t by, unsigned width, bool left) {
  by %= width;
  if (by == 0)
    return left ? high : low;
  return left ? high << by | low >> (width - by) : high << (width - by) | low >> by;
}

static bool signed_overflows(simt_opcode opcode, int64_t a, int64_t b, unsigned width) {
  int64_t result;
  bool overflows = opcode == SIMT_SADD_OVERFLOWS   ? __builtin_add_overflow(a, b, &result)
                   : opcode == SIMT_SSUB_OVERFLOWS ? __builtin_sub_overflow(a, b, &result)
                                                   : __builtin_mul_overflow(a, b, &result);
  return overflows || (int64_t)sign_extend((uint64_t)result, width) != result;
}

// ---- floating point ----------------------------------------------------------------------------

static uint64_t bfloat_from_float(uint64_t bits) {
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fff;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16 & 0xffff;
}

static uint64_t to_unsigned(double value, unsigned width) {
  double limit = ldexp(1.0, (int)width);
  if (!(value > -1.0))
    return 0;
  if (value >= limit)
    return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  return (uint64_t)value;
}

static uint64_t to_signed(double value, unsigned width) {
  double limit = ldexp(1.0, (int)width - 1);
  if (isnan(value))
    return 0;
  if (value >= limit)
    return ((uint64_t)1 << (width - 1)) - 1;
  if (value <= -limit)
    return (uint64_t)1 << (width - 1);
  return (uint64_t)(int64_t)value;
}

// Bits of llvm.is.fpclass, from signalling NaN to positive infinity.
static unsigned class_of(uint64_t bits, unsigned width) {
  unsigned digits = width == 32 ? 23 : 52;
  uint64_t fraction = bits & (((uint64_t)1 << digits) - 1);
  uint64_t all = width == 32 ? 0xff : 0x7ff, exponent = bits >> digits & all;
  bool negative = bits >> (width - 1) & 1;
  if (exponent == all && fraction != 0)
    return fraction >> (digits - 1) & 1 ? 2 : 1;
  if (exponent == all)
    return negative ? 4 : 512;
  if (exponent != 0)
    return negative ? 8 : 256;
  if (fraction != 0)
    return negative ? 16 : 128;
  return negative ? 32 : 64;
}

static bool compare(double a, double b, uint32_t predicate) {
  unsigned relation = isunordered(a, b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return (predicate & relation) != 0;
}

static double round_to_even(double value) {
  double whole = floor(value), rest = value - whole;
  if (rest > 0.5 || (rest == 0.5 && fmod(whole, 2.0) != 0.0))
    whole += 1.0;
  return copysign(whole, value);
}

// ---- one instruction ---------------------------------------------------------------------------

// Each lane computes `expression` of the operands of lane `i`. With all lanes active the loop has
// no conditions, so that the compiler can use vector instructions.
#define LANES(expression)                                                                          \
  do {                                                                                             \
    if (mask == SIMT_ALL_LANES) {                                                                  \
      for (unsigned i = 0; i < SIMT_LANES; i++)                                                    \
        d[i] = (expression);                                                                       \
    } else {                                                                                       \
      for (uint32_t left = mask; left != 0; left &= left - 1) {                                    \
        unsigned i = simt_first_lane(left);                                                        \
        d[i] = (expression);                                                                       \
      }                                                                                            \
    }                                                                                              \
  } while (0)

#define SIGNED(x) ((int64_t)sign_extend((x), width))
#define F32(x) simt_float(x)
#define F64(x) simt_double(x)
#define B32(x) simt_float_bits(x)
#define B64(x) simt_double_bits(x)

// `narrow` of floats, `wide` of doubles.
#define FLOATS(narrow, wide)                                                                       \
  do {                                                                                             \
    if (width == 32)                                                                               \
      LANES(B32(narrow));                                                                          \
    else                                                                                           \
      LANES(B64(wide));                                                                            \
  } while (0)
#define FLOATS_1(narrow, wide) FLOATS(narrow(F32(a[i])), wide(F64(a[i])))
#define FLOATS_2(narrow, wide) FLOATS(narrow(F32(a[i]), F32(b[i])), wide(F64(a[i]), F64(b[i])))
#define FLOAT_OPERATOR(op) FLOATS(F32(a[i]) op F32(b[i]), F64(a[i]) op F64(b[i]))

typedef struct operands {
  uint64_t *d;
  const uint64_t *a, *b, *c;
} operands;

static void execute_integer(const simt_instruction *in, operands o, uint32_t mask) {
  uint64_t *d = o.d;
  const uint64_t *a = o.a, *b = o.b, *c = o.c;
  const unsigned width = in->width;
  const uint64_t low = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  switch ((simt_opcode)in->opcode) {
  case SIMT_ADD:
    LANES((a[i] + b[i]) & low);
    break;
  case SIMT_SUB:
    LANES((a[i] - b[i]) & low);
    break;
  case SIMT_MUL:
    LANES((a[i] * b[i]) & low);
    break;
  case SIMT_MAD:
    LANES((a[i] * b[i] + c[i]) & low);
    break;
  case SIMT_UDIV:
    LANES(a[i] / b[i]);
    break;
  case SIMT_UREM:
    LANES(a[i] % b[i]);
    break;
  case SIMT_SDIV: // by -1: the least number has no positive
    LANES((SIGNED(b[i]) == -1 ? 0 - a[i] : (uint64_t)(SIGNED(a[i]) / SIGNED(b[i]))) & low);
    break;
  case SIMT_SREM:
    LANES((SIGNED(b[i]) == -1 ? 0 : (uint64_t)(SIGNED(a[i]) % SIGNED(b[i]))) & low);
    break;
  case SIMT_SHL:
    LANES(b[i] < width ? a[i] << b[i] & low : 0);
    break;
  case SIMT_LSHR:
    LANES(b[i] < width ? a[i] >> b[i] : 0);
    break;
  case SIMT_ASHR:
    LANES((uint64_t)(SIGNED(a[i]) >> (b[i] < width ? b[i] : width - 1)) & low);
    break;
  case SIMT_AND:
    LANES(a[i] & b[i]);
    break;
  case SIMT_OR:
    LANES(a[i] | b[i]);
    break;
  case SIMT_XOR:
    LANES(a[i] ^ b[i]);
    break;
  case SIMT_UMIN:
    LANES(a[i] < b[i] ? a[i] : b[i]);
    break;
  case SIMT_UMAX:
    LANES(a[i] > b[i] ? a[i] : b[i]);
    break;
  case SIMT_SMIN:
    LANES(SIGNED(a[i]) < SIGNED(b[i]) ? a[i] : b[i]);
    break;
  case SIMT_SMAX:
    LANES(SIGNED(a[i]) > SIGNED(b[i]) ? a[i] : b[i]);
    break;
  case SIMT_ABS:
    LANES(SIGNED(a[i]) < 0 ? (0 - a[i]) & low : a[i]);
    break;
  case SIMT_SEXT:
    LANES(sign_extend(a[i], in->from) & low);
    break;
  case SIMT_TRUNC:
    LANES(a[i] & low);
    break;
  case SIMT_SELECT:
    LANES(a[i] & 1 ? b[i] : c[i]);
    break;
  case SIMT_EQ:
    LANES(a[i] == b[i]);
    break;
  case SIMT_NE:
    LANES(a[i] != b[i]);
    break;
  case SIMT_UGT:
    LANES(a[i] > b[i]);
    break;
  case SIMT_UGE:
    LANES(a[i] >= b[i]);
    break;
  case SIMT_ULT:
    LANES(a[i] < b[i]);
    break;
  case SIMT_ULE:
    LANES(a[i] <= b[i]);
    break;
  case SIMT_SGT:
    LANES(SIGNED(a[i]) > SIGNED(b[i]));
    break;
  case SIMT_SGE:
    LANES(SIGNED(a[i]) >= SIGNED(b[i]));
    break;
  case SIMT_SLT:
    LANES(SIGNED(a[i]) < SIGNED(b[i]));
    break;
  case SIMT_SLE:
    LANES(SIGNED(a[i]) <= SIGNED(b[i]));
    break;
  default:
    LANES(a[i]);
  }
}

static void execute_bits(const simt_instruction *in, operands o, uint32_t mask) {
  uint64_t *d = o.d;
  const uint64_t *a = o.a, *b = o.b, *c = o.c;
  const unsigned width = in->width;
  const uint64_t low = width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
  simt_opcode opcode = (simt_opcode)in->opcode;
  switch (opcode) {
  case SIMT_POPC:
    LANES((uint64_t)__builtin_popcountll(a[i]));
    break;
  case SIMT_CLZ:
    LANES(a[i] == 0 ? width : (uint64_t)__builtin_clzll(a[i]) - (64 - width));
    break;
  case SIMT_CTZ:
    LANES(a[i] == 0 ? width : (uint64_t)__builtin_ctzll(a[i]));
    break;
  case SIMT_BREV:
    LANES(simt_reverse(a[i], width));
    break;
  case SIMT_BSWAP:
    LANES(reverse_bytes(a[i], width));
    break;
  case SIMT_FSHL:
  case SIMT_FSHR:
    LANES(funnel(a[i], b[i], c[i], width, opcode == SIMT_FSHL) & low);
    break;
  case SIMT_UADD_OVERFLOWS:
    LANES(((a[i] + b[i]) & low) < a[i]);
    break;
  case SIMT_USUB_OVERFLOWS:
    LANES(a[i] < b[i]);
    break;
  case SIMT_UMUL_OVERFLOWS:
    LANES(a[i] != 0 && b[i] > low / a[i]);
    break;
  case SIMT_SADD_OVERFLOWS:
  case SIMT_SSUB_OVERFLOWS:
  case SIMT_SMUL_OVERFLOWS:
    LANES(signed_overflows(opcode, SIGNED(a[i]), SIGNED(b[i]), width));
    break;
  case SIMT_UADD_SAT:
    LANES(low - a[i] < b[i] ? low : a[i] + b[i]);
    break;
  default: // SIMT_USUB_SAT
    LANES(a[i] < b[i] ? 0 : a[i] - b[i]);
  }
}

static void execute_float(const simt_instruction *in, operands o, uint32_t mask) {
  uint64_t *d = o.d;
  const uint64_t *a = o.a, *b = o.b, *c = o.c;
  const unsigned width = in->width;
  const uint64_t sign = (uint64_t)1 << (width - 1);
  switch ((simt_opcode)in->opcode) {
  case SIMT_FADD:
    FLOAT_OPERATOR(+);
    break;
  case SIMT_FSUB:
    FLOAT_OPERATOR(-);
    break;
  case SIMT_FMUL:
    FLOAT_OPERATOR(*);
    break;
  case SIMT_FDIV:
    FLOAT_OPERATOR(/);
    break;
  case SIMT_FREM:
    FLOATS_2(fmodf, fmod);
    break;
  case SIMT_FNEG:
    LANES(a[i] ^ sign);
    break;
  case SIMT_FMA:
    FLOATS(fmaf(F32(a[i]), F32(b[i]), F32(c[i])), fma(F64(a[i]), F64(b[i]), F64(c[i])));
    break;
  case SIMT_FMIN:
    FLOATS_2((float)simt_least, simt_least);
    break;
  case SIMT_FMAX:
    FLOATS_2((float)simt_greatest, simt_greatest);
    break;
  case SIMT_FMINIMUM:
    FLOATS_2((float)simt_minimum, simt_minimum);
    break;
  case SIMT_FMAXIMUM:
    FLOATS_2((float)simt_maximum, simt_maximum);
    break;
  case SIMT_FABS:
    LANES(a[i] & ~sign);
    break;
  case SIMT_COPYSIGN:
    LANES((a[i] & ~sign) | (b[i] & sign));
    break;
  case SIMT_SQRT:
    FLOATS_1(sqrtf, sqrt);
    break;
  case SIMT_FLOOR:
    FLOATS_1(floorf, floor);
    break;
  case SIMT_CEIL:
    FLOATS_1(ceilf, ceil);
    break;
  case SIMT_FTRUNC:
    FLOATS_1(truncf, trunc);
    break;
  case SIMT_RINT:
    FLOATS_1((float)round_to_even, round_to_even);
    break;
  case SIMT_ROUND:
    FLOATS_1(roundf, round);
    break;
  case SIMT_IS_CLASS:
    LANES((class_of(a[i], width) & b[i]) != 0);
    break;
  default: // SIMT_FCMP
    if (width == 32)
      LANES(compare((double)F32(a[i]), (double)F32(b[i]), in->extra));
    else
      LANES(compare(F64(a[i]), F64(b[i]), in->extra));
  }
}

static void execute_conversion(const simt_instruction *in, operands o, uint32_t mask) {
  uint64_t *d = o.d;
  const uint64_t *a = o.a;
  const unsigned width = in->from; // of the operand, for SIGNED
  const uint64_t low = in->width >= 64 ? UINT64_MAX : ((uint64_t)1 << in->width) - 1;
  switch ((simt_opcode)in->opcode) {
  case SIMT_FTOU:
    LANES(to_unsigned(width == 32 ? (double)F32(a[i]) : F64(a[i]), in->width));
    break;
  case SIMT_FTOS:
    LANES(to_signed(width == 32 ? (double)F32(a[i]) : F64(a[i]), in->width) & low);
    break;
  case SIMT_UTOF:
    if (in->width == 32)
      LANES(B32((float)a[i]));
    else
      LANES(B64((double)a[i]));
    break;
  case SIMT_STOF:
    if (in->width == 32)
      LANES(B32((float)SIGNED(a[i])));
    else
      LANES(B64((double)SIGNED(a[i])));
    break;
  case SIMT_FTOF:
    if (in->width == 32)
      LANES(B32((float)F64(a[i])));
    else
      LANES(B64((double)F32(a[i])));
    break;
  case SIMT_HTOF:
    LANES(B32(simt_half_to_float((uint16_t)a[i])));
    break;
  case SIMT_FTOH:
    LANES(simt_half_from_float(F32(a[i])));
    break;
  case SIMT_BTOF:
    LANES(a[i] << 16);
    break;
  default:
    LANES(bfloat_from_float(a[i]));
  }
}

static bool divides_by_zero(const uint64_t *b, uint32_t mask, unsigned *lane) {
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    *lane = simt_first_lane(left);
    if (b[*lane] == 0)
      return true;
  }
  return false;
}

const char *simt_lanes_execute(const simt_instruction *in, simt_lanes *registers, uint32_t mask,
                               unsigned *lane) {
  operands o = {registers[in->dst], registers[in->a], registers[in->b], registers[in->c]};
  if (in->opcode >= SIMT_UDIV && in->opcode <= SIMT_SREM && divides_by_zero(o.b, mask, lane))
    return "division by zero";
  if (in->opcode == SIMT_MATH)
    simt_math_execute(in, registers, mask);
  else if (in->opcode >= SIMT_FTOU)
    execute_conversion(in, o, mask);
  else if (in->opcode >= SIMT_FADD)
    execute_float(in, o, mask);
  else if (in->opcode >= SIMT_POPC && in->opcode <= SIMT_USUB_SAT)
    execute_bits(in, o, mask);
  else
    execute_integer(in, o, mask);
  return NULL;
}
