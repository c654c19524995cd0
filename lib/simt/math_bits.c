#include "math_bits.h"

#include "floats.h"

#include <assert.h>
#include <fenv.h>
#include <math.h>

uint64_t simt_to_integer(double whole, unsigned bits, bool is_signed, bool nan_is_top) {
  uint64_t top = (uint64_t)1 << (bits - 1);
  if (isnan(whole))
    return nan_is_top ? top : 0;
  double limit = ldexp(1.0, (int)bits - is_signed);
  if (whole >= limit)
    return is_signed ? top - 1 : simt_low(UINT64_MAX, bits);
  if (is_signed)
    return simt_low(whole <= -limit ? top : (uint64_t)(int64_t)whole, bits);
  return whole > 0 ? (uint64_t)whole : 0;
}

uint64_t simt_quotient(uint64_t a, uint64_t b, unsigned bits) {
  int64_t by = simt_signed(b, bits);
  return simt_low(by == 0    ? UINT64_MAX
                  : by == -1 ? 0 - a
                             : (uint64_t)(simt_signed(a, bits) / by),
                  bits);
}

uint64_t simt_rest(uint64_t a, uint64_t b, unsigned bits) {
  int64_t by = simt_signed(b, bits);
  return simt_low(by == 0    ? UINT64_MAX
                  : by == -1 ? 0
                             : (uint64_t)(simt_signed(a, bits) % by),
                  bits);
}

int32_t simt_clamped(int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value;
}

uint64_t simt_reverse(uint64_t value, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; i++)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

uint64_t simt_leading_zeros(uint64_t value, unsigned bits) {
  return value == 0 ? bits : (uint64_t)__builtin_clzll(value) - (64 - bits);
}

uint64_t simt_find_leading(uint64_t value, unsigned bits, bool is_signed) {
  if (is_signed && simt_signed(value, bits) < 0)
    value = simt_low(~value, bits);
  return value == 0 ? UINT32_MAX : bits - 1 - simt_leading_zeros(value, bits);
}

uint64_t simt_found(uint64_t found, unsigned bits, bool as_shift) {
  return found == UINT32_MAX || !as_shift ? found : bits - 1 - found;
}

uint64_t simt_high_product(uint64_t a, uint64_t b, bool is_signed) {
  uint64_t al = a & UINT32_MAX, ah = a >> 32, bl = b & UINT32_MAX, bh = b >> 32;
  uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (middle & UINT32_MAX);
  uint64_t high = ah * bh + (middle >> 32) + (other >> 32);
  if (is_signed)
    high -= ((int64_t)a < 0 ? b : 0) + ((int64_t)b < 0 ? a : 0);
  return high;
}

uint64_t simt_high(uint64_t a, uint64_t b, unsigned bits) {
  return bits == 64 ? simt_high_product(a, b, false) : a * b >> bits;
}

uint64_t simt_permute(uint64_t a, uint64_t b, uint64_t selectors) {
  uint64_t bytes = (b & UINT32_MAX) << 32 | (a & UINT32_MAX), result = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t selector = selectors >> 4 * i & 15, byte = bytes >> 8 * (selector & 7) & 0xff;
    if (selector & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

uint64_t simt_edge(unsigned from, bool left) {
  uint64_t selectors = 0;
  for (unsigned i = 0; i < 4; i++)
    selectors |= (uint64_t)((left ? i > from : i < from) ? i : from) << 4 * i;
  return selectors;
}

uint64_t simt_funnel_left(uint64_t low, uint64_t high, unsigned by) {
  return by == 32 ? low : ((high << 32 | low) << by) >> 32;
}

uint64_t simt_funnel_right(uint64_t low, uint64_t high, unsigned by) {
  return (high << 32 | low) >> by & UINT32_MAX;
}

// As in PTX: the bits above the word are its sign, and so is a field that begins there.
uint64_t simt_field(uint64_t value, unsigned first, unsigned count, unsigned bits, bool is_signed) {
  assert(bits <= 64);
  first &= 0xff;
  count &= 0xff;
  unsigned last = first + count - 1 < bits - 1 ? first + count - 1 : bits - 1;
  uint64_t sign = is_signed && count > 0 ? value >> last & 1 : 0, result = 0;
  for (unsigned i = 0; i < bits; i++)
    result |= (i < count && first + i < bits ? value >> (first + i) & 1 : sign) << i;
  return result;
}

uint64_t simt_insert(uint64_t field, uint64_t to, unsigned first, unsigned count, unsigned bits) {
  first &= 0xff;
  count &= 0xff;
  for (unsigned i = 0; i < count && first + i < bits; i++) {
    uint64_t bit = (uint64_t)1 << (first + i);
    to = (to & ~bit) | (field >> i & 1) << (first + i);
  }
  return to;
}

uint64_t simt_mask(unsigned first, unsigned count) {
  return ((((uint64_t)1 << count) - 1) << first) & UINT32_MAX;
}

uint64_t simt_extend(uint64_t value, unsigned bits, bool is_signed) {
  if (bits == 0)
    return 0;
  return is_signed ? (uint32_t)simt_signed(value, bits) : simt_low(value, bits);
}

uint64_t simt_find_set(uint32_t mask, uint32_t base, int32_t offset) {
  if (base > 31)
    return UINT32_MAX;
  if (offset == 0)
    return mask >> base & 1 ? base : UINT32_MAX;
  int32_t step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
  for (int32_t i = (int32_t)base; i >= 0 && i < 32; i += step)
    if ((mask >> i & 1) != 0 && --left == 0)
      return (uint64_t)i;
  return UINT32_MAX;
}

uint64_t simt_logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < 8; i++)
    if (table >> i & 1)
      result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

float simt_odd(long double value) {
  int before = fegetround();
  fesetround(FE_TOWARDZERO);
  float cut = (float)value;
  fesetround(before);
  return (long double)cut == value || isnan(value) || isinf(value)
             ? cut
             : simt_float(simt_float_bits(cut) | 1);
}

float simt_cut_digits(float value, simt_format format, double (*rounded)(double)) {
  static const struct {
    int digits, least; // behind the first one; the exponent of the smallest normal number
    float most;
  } formats[] = {{10, -14, 65504.0f}, {7, -126, 0x1.fep127f}, {10, -126, 0x1.ffcp127f}};
  if (!isfinite(value) || value == 0)
    return value;
  int exponent = ilogbf(value), least = formats[format].least;
  int last = (exponent > least ? exponent : least) - formats[format].digits;
  float result = (float)ldexp(rounded(ldexp((double)value, -last)), last);
  if (fabsf(result) <= formats[format].most)
    return result;
  bool to_zero = fegetround() == FE_TOWARDZERO;
  return copysignf(to_zero ? formats[format].most : INFINITY, value);
}

uint64_t simt_upper_half(uint64_t bits) { return bits & ~(uint64_t)UINT32_MAX; }

static int64_t part(uint64_t word, unsigned number, unsigned bits, bool is_signed) {
  assert(number * bits < 32);
  uint64_t value = simt_low(word >> number * bits, bits);
  return is_signed ? simt_signed(value, bits) : (int64_t)value;
}

uint64_t simt_dot(uint64_t a, uint64_t b, uint32_t sum, unsigned bits, bool a_signed,
                  bool b_signed) {
  for (unsigned i = 0; i < 32 / bits; i++)
    sum += (uint32_t)(part(a, i, bits, a_signed) * part(b, i, bits, b_signed));
  return sum;
}

uint64_t simt_dot_halves(uint64_t a, uint64_t b, uint32_t sum, bool a_signed, bool b_signed) {
  for (unsigned i = 0; i < 2; i++)
    sum += (uint32_t)(part(a, i, 16, a_signed) * part(b, i, 8, b_signed));
  return sum;
}

uint64_t simt_sum(uint64_t a, uint64_t b, uint64_t carry, unsigned bits, uint64_t *result) {
  uint64_t first = simt_low(a + b, bits), all = simt_low(first + carry, bits);
  result[1] = first < a || all < first;
  return all;
}

uint64_t simt_difference(uint64_t a, uint64_t b, uint64_t borrow, unsigned bits, uint64_t *result) {
  result[1] = a < b || (a == b && borrow != 0);
  return simt_low(a - b - borrow, bits);
}

// ---- parts of words ----------------------------------------------------------------------------

int32_t simt_absolute(int32_t a, int32_t b) {
  (void)b;
  return a < 0 ? -a : a;
}

int32_t simt_negate(int32_t a, int32_t b) {
  (void)b;
  return -a;
}

int32_t simt_plus(int32_t a, int32_t b) { return a + b; }
int32_t simt_minus(int32_t a, int32_t b) { return a - b; }
int32_t simt_distance(int32_t a, int32_t b) { return a < b ? b - a : a - b; }
int32_t simt_larger(int32_t a, int32_t b) { return a > b ? a : b; }
int32_t simt_smaller(int32_t a, int32_t b) { return a < b ? a : b; }
int32_t simt_average(int32_t a, int32_t b) { return (a + b + (a + b >= 0)) >> 1; }
int32_t simt_middle(int32_t a, int32_t b) { return (a + b) >> 1; }
int32_t simt_is_equal(int32_t a, int32_t b) { return a == b; }
int32_t simt_is_unequal(int32_t a, int32_t b) { return a != b; }
int32_t simt_is_less(int32_t a, int32_t b) { return a < b; }
int32_t simt_is_at_most(int32_t a, int32_t b) { return a <= b; }
int32_t simt_is_more(int32_t a, int32_t b) { return a > b; }
int32_t simt_is_at_least(int32_t a, int32_t b) { return a >= b; }

static int32_t fitted(int32_t value, unsigned bits, simt_sign sign, simt_fit fit) {
  if (fit == SIMT_FILL)
    return value == 0 ? 0 : -1;
  if (fit == SIMT_WRAP)
    return value;
  assert(bits <= 16);
  int32_t range = 1 << bits, most = sign == SIMT_SIGNED ? range / 2 - 1 : range - 1;
  int32_t least = sign == SIMT_SIGNED ? -range / 2 : 0;
  return value > most ? most : value < least ? least : value;
}

uint64_t simt_video(uint64_t a, uint64_t b, unsigned bits, simt_sign sign,
                    simt_part_function *function, simt_fit fit) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 32 / bits; i++) {
    int32_t value = function((int32_t)part(a, i, bits, sign == SIMT_SIGNED),
                             (int32_t)part(b, i, bits, sign == SIMT_SIGNED));
    result |= simt_low((uint64_t)fitted(value, bits, sign, fit), bits) << i * bits;
  }
  return result;
}

uint64_t simt_video_sum(uint64_t a, uint64_t b, unsigned bits, simt_sign sign,
                        simt_part_function *function) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < 32 / bits; i++)
    sum += (uint32_t)function((int32_t)part(a, i, bits, sign == SIMT_SIGNED),
                              (int32_t)part(b, i, bits, sign == SIMT_SIGNED));
  return sum;
}
