#include "crossing.h"

#include "memory.h"

typedef struct check {
  const lin_values *values;
  const bool *same;
  const lin_section *section;
  const lin_conjuncts *asked;
  lin_crossing *crossing;
  lin_obstacle found;
  uint32_t *pending;
} check;

static bool is_inside(const check *c, uint32_t value) {
  return lin_section_contains(c->values, c->section, value);
}

static bool is_index(const check *c, uint32_t value) {
  return c->values->value[value].op == LIN_OP_INDEX;
}

// Computes `value`, which is needed on the other side of the section's border, there too, with all
// that it is made of. `set`: what is known to be.
static void compute_there(check *c, bool *set, uint32_t value, uint32_t user, bool inwards) {
  static const char *const into =
      "is needed inside of the branch, and belongs to the thread that computed it: compute it "
      "inside, or leave it in shared memory, with __syncthreads() before the branch";
  static const char *const out_of =
      "is needed behind the branch, by the thread whose index it was computed for: leave it in "
      "shared memory, with __syncthreads() behind the branch";
  uint32_t count = 0;
  if (set[value] || c->same[value])
    return;
  set[value] = true;
  c->pending[count++] = value;
  while (count > 0) {
    uint32_t at = c->pending[--count];
    if (is_index(c, at) || (!inwards && !is_inside(c, at)))
      continue;
    if (!lin_is_computed(c->values, at)) {
      lin_obstacle_add(&c->found, inwards ? into : out_of, at, user);
      continue;
    }
    for (uint32_t i = 0; i < c->values->value[at].count; i++) {
      uint32_t operand = lin_operand(c->values, at, i);
      if (c->same[operand]) {
        if (!inwards && is_inside(c, operand))
          lin_obstacle_add(&c->found, out_of, at, user);
      } else if (!set[operand]) {
        set[operand] = true;
        c->pending[count++] = operand;
      }
    }
  }
}

static void check_inside(check *c, uint32_t value) {
  const lin_values *v = c->values;
  bool is_replaced = c->asked != NULL && value == c->section->first;
  uint32_t count = is_replaced ? c->asked->count : v->value[value].count;
  if (v->reason[value] != NULL)
    lin_obstacle_add(&c->found, v->reason[value], value, LIN_NONE);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t operand = is_replaced ? c->asked->value[i] : lin_operand(v, value, i);
    if (!is_inside(c, operand) || is_index(c, operand))
      compute_there(c, c->crossing->anew, operand, value, true);
  }
}

// Where threads meet that come out of a section by several ways, a phi would tell them apart by the
// way of another thread, unless it is the same on all ways.
static void check_phi_behind(check *c, uint32_t phi) {
  const lin_values *v = c->values;
  uint32_t one = LIN_NONE;
  for (uint32_t i = 0; i < v->value[phi].count; i++) {
    uint32_t operand = lin_operand(v, phi, i);
    lin_block from = (lin_block)v->scale[v->value[phi].first + i];
    if (!c->section->has[from] || from == c->section->end)
      continue;
    if (one != LIN_NONE && !lin_are_alike(v, one, operand))
      lin_obstacle_add(
          &c->found,
          "depends on which way the thread took, and is needed behind the branch: leave it in "
          "shared memory inside of the branch, with __syncthreads() behind it",
          phi, LIN_NONE);
    one = operand;
  }
}

static void check_outside(check *c, uint32_t value) {
  const lin_values *v = c->values;
  if (v->value[value].op == LIN_OP_PHI && v->value[value].block == c->section->end)
    check_phi_behind(c, value);
  for (uint32_t i = 0; i < v->value[value].count; i++) {
    uint32_t operand = lin_operand(v, value, i);
    if (is_inside(c, operand) && !is_index(c, operand))
      compute_there(c, c->crossing->kept, operand, value, false);
  }
}

lin_obstacle lin_section_check(lin_arena *arena, const lin_values *values,
                               const lin_together *together, const lin_section *section,
                               lin_asking asking, lin_crossing *crossing) {
  *crossing =
      (lin_crossing){LIN_ARRAY(arena, bool, values->count), LIN_ARRAY(arena, bool, values->count)};
  check c = {.values = values,
             .same = together->same,
             .section = section,
             .asked = asking.asked,
             .crossing = crossing,
             .found = {.value = LIN_NONE, .other = LIN_NONE},
             .pending = LIN_ARRAY(arena, uint32_t, values->count)};
  for (uint32_t value = 0; value < values->count; value++) {
    if (is_inside(&c, value))
      check_inside(&c, value);
    else
      check_outside(&c, value);
  }
  lin_memory_check(arena, values, section, asking.force, &c.found);
  return c.found;
}
