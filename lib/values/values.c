#include "values.h"

static const lin_known unknown = {0, false};

static lin_known sum_of(const lin_values *values, const lin_value *v, const lin_known *at) {
  uint64_t sum = v->number;
  for (uint32_t i = v->first; i < v->first + v->count; i++) {
    uint32_t operand = values->operand[i];
    unsigned width = values->value[operand].width;
    if (!at[operand].known || width == 0)
      return unknown;
    sum += (uint64_t)lin_as_signed(at[operand].number, width) * values->scale[i];
  }
  return lin_know(sum, v->width);
}

lin_known lin_value_of(const lin_values *values, uint32_t value, const lin_known *at) {
  const lin_value *v = &values->value[value];
  if (v->width == 0)
    return unknown;
  if (v->op == LIN_OP_CONSTANT)
    return lin_know(v->number, v->width);
  if (v->op == LIN_OP_SUM)
    return sum_of(values, v, at);
  if (v->op < LIN_OP_ADD)
    return unknown;
  lin_known operand[3] = {unknown, unknown, unknown};
  for (uint32_t i = 0; i < v->count && i < 3; i++)
    operand[i] = at[values->operand[v->first + i]];
  unsigned from = values->value[values->operand[v->first]].width;
  if (from == 0)
    return unknown;
  return lin_op_apply((lin_op)v->op, v->width, from, operand[0], operand[1], operand[2]);
}

// Whether two values make the same of operands that are the same. Of FUNCTION nobody knows which;
// calls may promise more of one than of the other.
static bool are_made_alike(const lin_values *values, uint32_t a, uint32_t b) {
  const lin_value *x = &values->value[a], *y = &values->value[b];
  bool is_call = x->op >= LIN_OP_UMIN && x->op <= LIN_OP_SMAX;
  if (x->op != y->op || x->width != y->width || x->number != y->number || x->count != y->count ||
      x->op <= LIN_OP_FUNCTION || is_call || !lin_is_computed(values, a) ||
      !lin_is_computed(values, b))
    return false;
  for (uint32_t i = 0; i < x->count; i++)
    if (values->scale[x->first + i] != values->scale[y->first + i])
      return false;
  return true;
}

bool lin_are_alike(const lin_values *values, uint32_t a, uint32_t b) {
  enum { MOST_PAIRS = 16 };
  uint32_t pair[MOST_PAIRS][2] = {{a, b}};
  uint32_t count = 1;
  for (uint32_t i = 0; i < count; i++) {
    a = pair[i][0];
    b = pair[i][1];
    if (a == b)
      continue;
    uint32_t operands = values->value[a].count;
    if (!are_made_alike(values, a, b) || count + operands > MOST_PAIRS)
      return false;
    for (uint32_t k = 0; k < operands; k++, count++) {
      pair[count][0] = lin_operand(values, a, k);
      pair[count][1] = lin_operand(values, b, k);
    }
  }
  return true;
}

// ---- memory

static bool is_shared(lin_touched memory) {
  return memory == LIN_MEMORY_SHARED || memory == LIN_MEMORY_ANY_SHARED;
}

static bool is_global(lin_touched memory) {
  return memory >= LIN_MEMORY_PARAMETER && memory <= LIN_MEMORY_ANY_GLOBAL;
}

static bool may_meet_in_shared(const lin_touch *a, const lin_touch *b) {
  return a->memory != b->memory || a->memory == LIN_MEMORY_ANY_SHARED || a->id == b->id;
}

// What a restricted parameter points to is reached by it alone, but by pointers made of it, too, of
// which nobody knows any more what they were made of.
static bool may_meet_in_global(const lin_touch *a, const lin_touch *b) {
  bool known = a->memory != LIN_MEMORY_ANY_GLOBAL && b->memory != LIN_MEMORY_ANY_GLOBAL;
  bool restricted = a->memory == LIN_MEMORY_RESTRICTED || b->memory == LIN_MEMORY_RESTRICTED;
  bool variables = a->memory == LIN_MEMORY_GLOBAL && b->memory == LIN_MEMORY_GLOBAL;
  if (known && (restricted || variables))
    return a->memory == b->memory && a->id == b->id;
  return true;
}

bool lin_may_meet(const lin_touch *a, const lin_touch *b) {
  if (a->memory == LIN_MEMORY_CONSTANT || b->memory == LIN_MEMORY_CONSTANT)
    return false;
  if (a->memory == LIN_MEMORY_ANY || b->memory == LIN_MEMORY_ANY)
    return true;
  if (is_shared(a->memory) && is_shared(b->memory))
    return may_meet_in_shared(a, b);
  if (is_global(a->memory) && is_global(b->memory))
    return may_meet_in_global(a, b);
  return a->memory == b->memory;
}
