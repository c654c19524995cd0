#include "classes.h"

// Numbers beyond this are left alone, so that nothing that is computed of them overflows.
enum { MASK_BITS = 20, MOST_NUMBER = 1 << (MASK_BITS - 1) };

static const lin_value *value_at(const lin_facts *m, uint32_t value) {
  return &m->values->value[value];
}

static uint32_t operand_of(const lin_facts *m, uint32_t value, uint32_t i) {
  return lin_operand(m->values, value, i);
}

// ---- an index plus a constant

// The first operand of an addition and the index may be extended or cut, to more bits than it has.
typedef struct shifted {
  unsigned axis;
  uint64_t shift; // as a signed number
  bool wraps;     // the sum may be below 0, or of more bits than it has room for
} shifted;

static bool is_constant(const lin_facts *m, uint32_t value, uint64_t *number) {
  *number = value_at(m, value)->number;
  return value_at(m, value)->op == LIN_OP_CONSTANT && value_at(m, value)->width > 0;
}

static int64_t signed_number(const lin_value *constant) {
  uint64_t sign = UINT64_C(1) << (constant->width - 1);
  return (int64_t)((constant->number ^ sign) - sign);
}

static bool is_small(int64_t number) { return number > -MOST_NUMBER && number < MOST_NUMBER; }

static bool find_shifted(const lin_facts *m, uint32_t value, shifted *s) {
  int64_t shift = 0;
  const lin_value *v = value_at(m, value);
  unsigned width = v->width;
  if (v->op == LIN_OP_ADD && value_at(m, operand_of(m, value, 1))->op == LIN_OP_CONSTANT) {
    shift = signed_number(value_at(m, operand_of(m, value, 1)));
    value = operand_of(m, value, 0);
    v = value_at(m, value);
  }
  if (v->op == LIN_OP_ZEXT || v->op == LIN_OP_SEXT)
    v = value_at(m, operand_of(m, value, 0));
  *s = (shifted){(unsigned)v->number, (uint64_t)shift,
                 shift < 0 || (shift > 0 && width <= MASK_BITS)};
  return v->op == LIN_OP_INDEX && width > LIN_INDEX_BITS && is_small(shift);
}

// Operand 0 of `value` is an index, and operand 1 the same for all threads; or the other way
// around.
static bool find_operands(const lin_facts *m, uint32_t value, shifted *s, uint32_t *other) {
  for (uint32_t i = 0; i < 2; i++) {
    *other = operand_of(m, value, 1 - i);
    if (m->same[*other] && find_shifted(m, operand_of(m, value, i), s))
      return true;
  }
  return false;
}

// ---- runs: what is known when compiling

static bool set_runs(lin_class *c, const shifted *s, uint64_t period, uint64_t run,
                     uint64_t offset) {
  bool power = (period & (period - 1)) == 0;
  if (period < 2 || period > MOST_NUMBER || run == 0 || run >= period || (s->wraps && !power))
    return false;
  uint64_t first = (offset + period - s->shift % period) % period;
  if ((int64_t)s->shift < 0)
    first = (offset + (0 - s->shift) % period) % period;
  *c = (lin_class){.axis = s->axis,
                   .form = LIN_CLASS_RUNS,
                   .period = (uint32_t)period,
                   .run = (uint32_t)run,
                   .offset = (uint32_t)first};
  return offset < period && first + run <= period;
}

// (t & mask) == wanted, the mask of one row of bits.
static bool set_field(lin_class *c, const shifted *s, uint64_t mask, uint64_t wanted) {
  uint64_t run = mask & (0 - mask), period = mask + run;
  if (mask == 0 || (period & (period - 1)) != 0 || (wanted & ~mask) != 0)
    return false;
  return set_runs(c, s, period, run, wanted);
}

// The rest of t by a constant, as a remainder or by a mask of the lowest bits.
static bool find_rest(const lin_facts *m, uint32_t value, shifted *s, uint64_t *period) {
  const lin_value *v = value_at(m, value);
  uint32_t other;
  if ((v->op != LIN_OP_AND && v->op != LIN_OP_UREM) || !find_operands(m, value, s, &other) ||
      !is_constant(m, other, period) || (v->op == LIN_OP_UREM && other != operand_of(m, value, 1)))
    return false;
  if (v->op == LIN_OP_AND)
    ++*period;
  return v->op == LIN_OP_UREM || (*period & (*period - 1)) == 0;
}

static bool find_runs(const lin_facts *m, uint32_t value, bool holds, lin_class *c) {
  const lin_value *v = value_at(m, value);
  uint32_t left = operand_of(m, value, 0), right = operand_of(m, value, 1), other;
  uint64_t number, period, mask;
  shifted s;
  if (v->op == LIN_OP_ULT && holds) {
    if (find_rest(m, left, &s, &period) && is_constant(m, right, &number))
      return s.shift == 0 && set_runs(c, &s, period, number, 0);
    if (find_rest(m, right, &s, &period) && is_constant(m, left, &number))
      return s.shift == 0 && number < period &&
             set_runs(c, &s, period, period - number - 1, number + 1);
    return false;
  }
  if ((v->op != LIN_OP_EQ && v->op != LIN_OP_NE) || !is_constant(m, right, &number))
    return false;
  if ((v->op == LIN_OP_EQ) == holds) {
    if (value_at(m, left)->op == LIN_OP_AND && find_operands(m, left, &s, &other) &&
        is_constant(m, other, &mask))
      return set_field(c, &s, mask, number);
    return find_rest(m, left, &s, &period) && set_runs(c, &s, period, 1, number);
  }
  if (value_at(m, left)->op == LIN_OP_AND && number == 0 && find_operands(m, left, &s, &other) &&
      is_constant(m, other, &mask) && (mask & (mask - 1)) == 0)
    return set_field(c, &s, mask, mask);
  return find_rest(m, left, &s, &period) && s.shift == 0 &&
         (number == 0 ? set_runs(c, &s, period, period - 1, 1)
                      : number == period - 1 && set_runs(c, &s, period, period - 1, 0));
}

// t as a flag: its lowest bit.
static bool find_lowest_bit(const lin_facts *m, uint32_t value, bool holds, lin_class *c) {
  shifted s;
  const lin_value *v = value_at(m, value);
  return v->op == LIN_OP_ZEXT && v->width == 1 && find_shifted(m, operand_of(m, value, 0), &s) &&
         set_runs(c, &s, 2, 1, holds);
}

// ---- what is known when the kernel runs

static lin_class by_value(const lin_facts *m, const shifted *s, lin_class_form form,
                          uint32_t value) {
  return (lin_class){.axis = s->axis, .form = form, .value = value, .range = m->ranges[value]};
}

// t & (p - 1) is t % p, if p is a power of two and not 0. Multiplying by p is easier than by a mask
// and one.
static bool find_period(const lin_facts *m, const shifted *s, uint32_t mask, lin_class *c) {
  const lin_value *v = value_at(m, mask);
  if ((v->op != LIN_OP_ADD && v->op != LIN_OP_SUB) || s->shift != 0)
    return false;
  uint32_t power = operand_of(m, mask, 0);
  *c = by_value(m, s, LIN_CLASS_REST, power);
  return m->powers->is_power[power] && c->range.least > 0;
}

static bool find_mask(const lin_facts *m, const shifted *s, uint32_t mask, uint64_t wanted,
                      lin_class *c) {
  unsigned bits = m->powers->mask_bits[mask];
  unsigned needed = s->shift == 0 ? LIN_INDEX_BITS : value_at(m, mask)->width;
  if (bits < needed || needed < LIN_INDEX_BITS || wanted >= MOST_NUMBER)
    return false;
  if (!find_period(m, s, mask, c))
    *c = by_value(m, s, LIN_CLASS_MASK, mask);
  c->offset = (uint32_t)wanted;
  c->shift = s->shift;
  c->bits = s->shift == 0 ? LIN_INDEX_BITS : MASK_BITS;
  return needed >= c->bits;
}

static bool set_bit(const lin_facts *m, lin_class *c, const shifted *s, uint32_t bit, bool is_set,
                    lin_bit_sign sign) {
  *c = by_value(m, s, LIN_CLASS_BIT, bit);
  c->offset = is_set;
  c->sign = sign;
  return s->shift == 0;
}

static bool find_masked(const lin_facts *m, uint32_t value, bool holds, lin_class *c) {
  const lin_value *v = value_at(m, value);
  uint32_t left = operand_of(m, value, 0), other;
  const lin_value *masked = value_at(m, left);
  uint64_t wanted;
  shifted s;
  if ((v->op != LIN_OP_EQ && v->op != LIN_OP_NE) ||
      !is_constant(m, operand_of(m, value, 1), &wanted) ||
      (masked->op != LIN_OP_AND && masked->op != LIN_OP_UREM && masked->op != LIN_OP_SREM) ||
      !find_operands(m, left, &s, &other))
    return false;
  bool equal = (v->op == LIN_OP_EQ) == holds;
  if (masked->op == LIN_OP_AND) {
    if (wanted == 0 && m->powers->is_power[other])
      return set_bit(m, c, &s, other, !equal, LIN_BIT_ANY);
    return equal && find_mask(m, &s, other, wanted, c);
  }
  *c = by_value(m, &s, masked->op == LIN_OP_UREM ? LIN_CLASS_REST : LIN_CLASS_SIGNED_REST, other);
  c->offset = (uint32_t)wanted;
  return equal && s.shift == 0 && wanted < MOST_NUMBER && other == operand_of(m, left, 1);
}

// t and t ^ bit, in one order or the other.
static bool find_exchange(const lin_facts *m, uint32_t value, lin_class *c) {
  const lin_value *v = value_at(m, value);
  if (v->op != LIN_OP_ULT && v->op != LIN_OP_SLT)
    return false;
  for (uint32_t i = 0; i < 2; i++) {
    uint32_t exchanged = operand_of(m, value, 1 - i), bit;
    shifted s, plain;
    if (value_at(m, exchanged)->op != LIN_OP_XOR || !find_operands(m, exchanged, &s, &bit) ||
        !find_shifted(m, operand_of(m, value, i), &plain) || plain.axis != s.axis ||
        plain.shift != 0 || !m->powers->is_power[bit])
      continue;
    if (i == 0)
      return set_bit(m, c, &s, bit, false, v->op == LIN_OP_ULT ? LIN_BIT_UNSIGNED : LIN_BIT_SIGNED);
    return v->op == LIN_OP_ULT && set_bit(m, c, &s, bit, true, LIN_BIT_ANY);
  }
  return false;
}

bool lin_class_of(const lin_facts *facts, uint32_t value, bool holds, lin_class *class) {
  lin_op op = (lin_op)facts->values->value[value].op;
  if (find_lowest_bit(facts, value, holds, class))
    return true;
  if (op < LIN_OP_EQ || op > LIN_OP_SLE)
    return false;
  return find_runs(facts, value, holds, class) || find_masked(facts, value, holds, class) ||
         (holds && find_exchange(facts, value, class));
}
