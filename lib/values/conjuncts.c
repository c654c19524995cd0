#include "conjuncts.h"

static bool is_flag_constant(const lin_values *values, uint32_t value, uint64_t number) {
  const lin_value *v = &values->value[value];
  return v->op == LIN_OP_CONSTANT && v->width == 1 && v->number == number;
}

// Whether `value` is a conjunction of two flags (a disjunction, if it must not hold), and of which.
static bool is_both(const lin_values *values, uint32_t value, bool holds, uint32_t of[2]) {
  const lin_value *v = &values->value[value];
  if (v->width != 1)
    return false;
  if (v->op == (holds ? LIN_OP_AND : LIN_OP_OR)) {
    of[0] = lin_operand(values, value, 0);
    of[1] = lin_operand(values, value, 1);
    return true;
  }
  if (v->op != LIN_OP_SELECT ||
      !is_flag_constant(values, lin_operand(values, value, holds ? 2 : 1), !holds))
    return false;
  of[0] = lin_operand(values, value, 0);
  of[1] = lin_operand(values, value, holds ? 1 : 2);
  return true;
}

lin_conjuncts lin_conjuncts_of(const lin_values *values, uint32_t value, bool holds) {
  lin_conjuncts all = {.value = {value}, .holds = {holds}, .count = 1};
  for (uint32_t i = 0; i < all.count;) {
    uint32_t at = all.value[i], of[2];
    const lin_value *v = &values->value[at];
    if (v->op == LIN_OP_XOR && v->width == 1 &&
        is_flag_constant(values, lin_operand(values, at, 1), 1)) {
      all.value[i] = lin_operand(values, at, 0);
      all.holds[i] = !all.holds[i];
    } else if (all.count < LIN_MOST_CONJUNCTS && is_both(values, at, all.holds[i], of)) {
      all.value[i] = of[0];
      all.value[all.count] = of[1];
      all.holds[all.count++] = all.holds[i];
    } else {
      i++;
    }
  }
  return all;
}
