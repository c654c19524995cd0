#include "powers.h"

enum { MOST_PASSES = 16 };

static bool is_power(uint64_t number) { return (number & (number - 1)) == 0; }

static bool is_ones(const lin_values *v, uint32_t value) {
  const lin_value *c = &v->value[value];
  return c->op == LIN_OP_CONSTANT && c->number == lin_mask_of(c->width);
}

// What can be said of a value by what has been said of its operands.
static bool may_be_power(const lin_values *v, const lin_powers *p, uint32_t value) {
  const lin_value *at = &v->value[value];
  const uint32_t *operand = &v->operand[at->first];
  bool all = true;
  switch (at->op) {
  case LIN_OP_CONSTANT:
    return at->width > 0 && is_power(at->number);
  case LIN_OP_PHI:
    for (uint32_t i = 0; i < at->count; i++)
      all &= p->is_power[operand[i]];
    return all;
  case LIN_OP_SHL:
  case LIN_OP_LSHR:
  case LIN_OP_ZEXT:
    return p->is_power[operand[0]];
  case LIN_OP_ADD:
    return operand[0] == operand[1] && p->is_power[operand[0]];
  case LIN_OP_MUL:
  case LIN_OP_UMIN:
  case LIN_OP_UMAX:
  case LIN_OP_UDIV:
    return p->is_power[operand[0]] && p->is_power[operand[1]];
  case LIN_OP_SELECT:
    return p->is_power[operand[1]] && p->is_power[operand[2]];
  default:
    return false;
  }
}

static unsigned trailing_ones(uint64_t number) {
  unsigned count = 0;
  for (; (number & 1) != 0; number >>= 1)
    count++;
  return count;
}

// Of 0...0100111 the lowest five.
static unsigned mask_bits_of(uint64_t number, unsigned width) {
  unsigned ones = trailing_ones(number);
  return ones == 64 || number >> ones == 0 ? width : ones + trailing_ones(~(number >> ones));
}

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

// 2^k + 1023 is 2^k - 1 in ten bits.
static unsigned bits_of_sum(const lin_values *v, const lin_powers *p, const lin_value *at) {
  const uint32_t *operand = &v->operand[at->first];
  const lin_value *by = &v->value[operand[1]];
  if (by->op != LIN_OP_CONSTANT || !p->is_power[operand[0]])
    return 0;
  uint64_t added = at->op == LIN_OP_ADD ? by->number : 0 - by->number;
  return smaller(trailing_ones(added), at->width);
}

static unsigned may_be_mask(const lin_values *v, const lin_powers *p, uint32_t value) {
  const lin_value *at = &v->value[value];
  const uint32_t *operand = &v->operand[at->first];
  unsigned bits = at->width;
  switch (at->op) {
  case LIN_OP_CONSTANT:
    return at->width == 0 ? 0 : mask_bits_of(at->number, at->width);
  case LIN_OP_PHI:
    for (uint32_t i = 0; i < at->count; i++)
      bits = smaller(bits, p->mask_bits[operand[i]]);
    return bits;
  case LIN_OP_ADD:
  case LIN_OP_SUB:
    return bits_of_sum(v, p, at);
  case LIN_OP_XOR: // ~(-1 << k)
    return is_ones(v, operand[1]) && v->value[operand[0]].op == LIN_OP_SHL &&
                   is_ones(v, lin_operand(v, operand[0], 0))
               ? at->width
               : 0;
  case LIN_OP_ZEXT: // a mask of all bits stays one
  case LIN_OP_SEXT:
    return smaller(p->mask_bits[operand[0]], at->width);
  default:
    return 0;
  }
}

lin_powers *lin_powers_find(lin_arena *arena, const lin_values *v) {
  lin_powers *p = LIN_NEW(arena, lin_powers);
  p->is_power = LIN_ARRAY(arena, bool, v->count);
  p->mask_bits = LIN_ARRAY(arena, uint8_t, v->count);
  for (uint32_t value = 0; value < v->count; value++) {
    p->is_power[value] = true;
    p->mask_bits[value] = 64;
  }
  bool changed = true;
  for (uint32_t pass = 0; changed && pass < MOST_PASSES; pass++) {
    changed = false;
    for (uint32_t value = 0; value < v->count; value++) {
      bool power = p->is_power[value] && may_be_power(v, p, value);
      unsigned bits = smaller(p->mask_bits[value], may_be_mask(v, p, value));
      changed |= power != p->is_power[value] || bits != p->mask_bits[value];
      p->is_power[value] = power;
      p->mask_bits[value] = (uint8_t)bits;
    }
  }
  for (uint32_t value = 0; changed && value < v->count; value++) {
    p->is_power[value] = false;
    p->mask_bits[value] = 0;
  }
  return p;
}
