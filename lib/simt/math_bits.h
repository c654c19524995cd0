// Bits of integers, and bytes and halves of words: for math_functions.def.
//
// Operands and results are zero-extended.
#ifndef LIN_SIMT_MATH_BITS_H
#define LIN_SIMT_MATH_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline int64_t simt_signed(uint64_t value, unsigned bits) {
  return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline uint64_t simt_low(uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

static inline void simt_unused(uint64_t operand) { (void)operand; }

// A whole number as an integer; what is too large for it, the next that is not; NaN by PTX's table:
// 0 from a float to 32 bits or less, else, if `nan_is_top`, the highest bit alone.
uint64_t simt_to_integer(double whole, unsigned bits, bool is_signed, bool nan_is_top);

// Of signed integers: the least number by -1 is itself, and all bits are set by zero.
uint64_t simt_quotient(uint64_t a, uint64_t b, unsigned bits);
uint64_t simt_rest(uint64_t a, uint64_t b, unsigned bits);
int32_t simt_clamped(int64_t value); // to 32 bits

uint64_t simt_reverse(uint64_t value, unsigned bits);
uint64_t simt_leading_zeros(uint64_t value, unsigned bits);
// The number of the highest bit that is set, or that is not the sign; -1 as 32 bits if there is
// none.
uint64_t simt_find_leading(uint64_t value, unsigned bits, bool is_signed);
// That, or if `as_shift` by how much the bit is to be shifted to the top.
uint64_t simt_found(uint64_t found, unsigned bits, bool as_shift);
// The upper 64 of 128 bits.
uint64_t simt_high_product(uint64_t a, uint64_t b, bool is_signed);
uint64_t simt_high(uint64_t a, uint64_t b, unsigned bits); // the upper half of a product
// Bytes 0 to 3 are those of a, 4 to 7 those of b; bit 3 of a selector takes the sign instead.
uint64_t simt_permute(uint64_t a, uint64_t b, uint64_t selectors);
// The selectors of prmt's modes ecl and ecr.
uint64_t simt_edge(unsigned from, bool left);
// high:low shifted by 0 to 32 bits: its upper, its lower word.
uint64_t simt_funnel_left(uint64_t low, uint64_t high, unsigned by);
uint64_t simt_funnel_right(uint64_t low, uint64_t high, unsigned by);
// The field of `count` bits from `first` on; `field` there in `to`.
uint64_t simt_field(uint64_t value, unsigned first, unsigned count, unsigned bits, bool is_signed);
uint64_t simt_insert(uint64_t field, uint64_t to, unsigned first, unsigned count, unsigned bits);
uint64_t simt_mask(unsigned first, unsigned count);
uint64_t simt_extend(uint64_t value, unsigned bits, bool is_signed);
// The number of the bit of `mask` that is the offset-th that is set from bit `base` on, or back.
uint64_t simt_find_set(uint32_t mask, uint32_t base, int32_t offset);
// Bit i of `table` is what the bits i of three words become, 1 from c, 2 from b, 4 from a.
uint64_t simt_logic(uint32_t a, uint32_t b, uint32_t c, uint32_t table);
uint64_t simt_upper_half(uint64_t bits);

typedef enum simt_format { SIMT_HALF, SIMT_BFLOAT, SIMT_TF32 } simt_format;

// A float that rounds to fewer digits as `value` does: its last bit says that there were more.
float simt_odd(long double value);
// `value` as a number of the format, by a rounding to whole numbers.
float simt_cut_digits(float value, simt_format format, double (*rounded)(double));

// Sums of products of bytes; and of a's halves with b's lower bytes.
uint64_t simt_dot(uint64_t a, uint64_t b, uint32_t sum, unsigned bits, bool a_signed,
                  bool b_signed);
uint64_t simt_dot_halves(uint64_t a, uint64_t b, uint32_t sum, bool a_signed, bool b_signed);

// a + b + carry and a - b - borrow; result[1] is what is carried on.
uint64_t simt_sum(uint64_t a, uint64_t b, uint64_t carry, unsigned bits, uint64_t *result);
uint64_t simt_difference(uint64_t a, uint64_t b, uint64_t borrow, unsigned bits, uint64_t *result);

// ---- parts of words ----------------------------------------------------------------------------

typedef enum simt_sign { SIMT_UNSIGNED, SIMT_SIGNED } simt_sign;

typedef enum simt_fit {
  SIMT_WRAP,
  SIMT_CLAMP,
  SIMT_FILL, // all bits, where the result is not 0
} simt_fit;

typedef int32_t simt_part_function(int32_t a, int32_t b);

simt_part_function simt_absolute, simt_negate; // of a alone
simt_part_function simt_plus, simt_minus, simt_distance, simt_larger, simt_smaller;
simt_part_function simt_average; // rounded, a half away from zero
simt_part_function simt_middle;  // rounded down
simt_part_function simt_is_equal, simt_is_unequal, simt_is_less, simt_is_at_most, simt_is_more,
    simt_is_at_least;

// Each part of `bits` of the words a and b by itself; or the sum over them.
uint64_t simt_video(uint64_t a, uint64_t b, unsigned bits, simt_sign sign,
                    simt_part_function *function, simt_fit fit);
uint64_t simt_video_sum(uint64_t a, uint64_t b, unsigned bits, simt_sign sign,
                        simt_part_function *function);

#endif
