// Every value has no number at first; what leads to it adds some, round after round, until none
// does.
#include "ranges.h"

#include "conjuncts.h"

// Rounds before what still grows is taken for anything. Powers of two up to the largest index grow
// for ten.
enum { MOST_GROWING = 16, MOST_ROUNDS = 3 * MOST_GROWING };

typedef struct finder {
  const lin_values *values;
  lin_range *range;
} finder;

static const lin_range none = {1, 0};

static bool is_none(lin_range r) { return r.least > r.most; }

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t most_of(unsigned width) { return width == 0 ? UINT64_MAX : lin_mask_of(width); }

static lin_range any(unsigned width) { return (lin_range){0, most_of(width)}; }

static lin_range meet(lin_range a, lin_range b) {
  return (lin_range){larger(a.least, b.least), smaller(a.most, b.most)};
}

static lin_range join(lin_range a, lin_range b) {
  if (is_none(a) || is_none(b))
    return is_none(a) ? b : a;
  return (lin_range){smaller(a.least, b.least), larger(a.most, b.most)};
}

// ---- operations

static lin_range add(lin_range a, lin_range b, unsigned width) {
  uint64_t most = most_of(width);
  if (b.most <= most - a.most)
    return (lin_range){a.least + b.least, a.most + b.most};
  bool always = b.least > most - a.least; // it wraps around
  return always ? (lin_range){(a.least + b.least) & most, (a.most + b.most) & most} : any(width);
}

static lin_range multiply(lin_range a, lin_range b, unsigned width) {
  bool fits = a.most == 0 || b.most <= most_of(width) / a.most;
  return fits ? (lin_range){a.least * b.least, a.most * b.most} : any(width);
}

static lin_range shift_left(lin_range a, lin_range by, unsigned width) {
  if (by.most >= width)
    return any(width);
  lin_range powers = {UINT64_C(1) << by.least, UINT64_C(1) << by.most};
  return multiply(a, powers, width);
}

static lin_range shift_right(lin_range a, lin_range by, unsigned width) {
  if (by.most >= width)
    return (lin_range){0, a.most};
  return (lin_range){a.least >> by.most, a.most >> by.least};
}

// 2^k - 1, not less than a number.
static uint64_t ones_over(uint64_t number) {
  for (unsigned by = 1; by < 64; by *= 2)
    number |= number >> by;
  return number;
}

static lin_range apply_binary(lin_op op, unsigned width, lin_range a, lin_range b) {
  switch (op) {
  case LIN_OP_ADD:
    return add(a, b, width);
  case LIN_OP_SUB:
    return a.least >= b.most ? (lin_range){a.least - b.most, a.most - b.least} : any(width);
  case LIN_OP_MUL:
    return multiply(a, b, width);
  case LIN_OP_UDIV:
    return (lin_range){b.most == 0 ? 0 : a.least / b.most, a.most / larger(b.least, 1)};
  case LIN_OP_UREM:
    return (lin_range){0, smaller(a.most, b.most == 0 ? 0 : b.most - 1)};
  case LIN_OP_SHL:
    return shift_left(a, b, width);
  case LIN_OP_LSHR:
    return shift_right(a, b, width);
  case LIN_OP_AND:
    return (lin_range){0, smaller(a.most, b.most)};
  case LIN_OP_OR:
    return (lin_range){larger(a.least, b.least), ones_over(a.most | b.most)};
  case LIN_OP_XOR:
    return (lin_range){0, ones_over(a.most | b.most)};
  case LIN_OP_UMIN:
    return (lin_range){smaller(a.least, b.least), smaller(a.most, b.most)};
  case LIN_OP_UMAX:
    return (lin_range){larger(a.least, b.least), larger(a.most, b.most)};
  default:
    return any(width);
  }
}

// What a value is, if its first operand is in `first`.
static lin_range apply(const finder *f, uint32_t value, lin_range first) {
  const lin_value *v = &f->values->value[value];
  const uint32_t *operand = &f->values->operand[v->first];
  lin_op op = (lin_op)v->op;
  if (is_none(first))
    return none;
  if (op == LIN_OP_ZEXT)
    return first.most <= most_of(v->width) ? first : any(v->width);
  if (op == LIN_OP_SEXT)
    return first.most <= most_of(f->values->value[operand[0]].width) / 2 ? first : any(v->width);
  if (op == LIN_OP_SELECT)
    return join(f->range[operand[1]], f->range[operand[2]]);
  if (op < LIN_OP_ADD || op > LIN_OP_SLE)
    return any(v->width);
  lin_range second = f->range[operand[1]];
  return is_none(second) ? none : apply_binary(op, v->width, first, second);
}

// ---- what was asked on the way

// `left` compared with `value`, or the other way around: what the value can be where that holds.
static lin_range compared(const finder *f, lin_op op, bool holds, bool is_left, uint32_t value,
                          uint32_t other) {
  unsigned width = f->values->value[value].width;
  lin_range o = f->range[other], all = any(width);
  uint64_t half = most_of(width) / 2;
  if (is_none(o))
    return none;
  if ((op == LIN_OP_NE) == holds && (op == LIN_OP_NE || op == LIN_OP_EQ))
    return o.least == 0 && o.most == 0 ? (lin_range){1, all.most} : all;
  if (op == LIN_OP_EQ || op == LIN_OP_NE)
    return o;
  bool is_strict = op == LIN_OP_ULT || op == LIN_OP_SLT;
  if (!holds) { // a < b is not b <= a
    is_left = !is_left;
    is_strict = !is_strict;
  }
  if (op == LIN_OP_SLT || op == LIN_OP_SLE) {
    if (is_left || o.most > half)
      return all; // it may be below 0
    all.most = half;
  }
  if (is_left)
    all.most = is_strict ? (o.most == 0 ? 0 : o.most - 1) : o.most;
  else
    all.least = is_strict ? (o.least == UINT64_MAX ? o.least : o.least + 1) : o.least;
  return all;
}

static lin_range asked(const finder *f, const lin_conjuncts *all, uint32_t value) {
  const lin_values *v = f->values;
  lin_range range = f->range[value];
  for (uint32_t i = 0; i < all->count; i++) {
    lin_op op = (lin_op)v->value[all->value[i]].op;
    if (op < LIN_OP_EQ || op > LIN_OP_SLE)
      continue;
    uint32_t left = lin_operand(v, all->value[i], 0), right = lin_operand(v, all->value[i], 1);
    if (left == value)
      range = meet(range, compared(f, op, all->holds[i], true, value, right));
    else if (right == value)
      range = meet(range, compared(f, op, all->holds[i], false, value, left));
  }
  return range;
}

// An operand of a phi, as it comes from `from`. What was asked may be of what it was computed of.
static lin_range incoming(const finder *f, uint32_t operand, lin_block from, lin_block to) {
  const lin_values *v = f->values;
  const lin_graph *graph = v->analysis->graph;
  uint32_t condition = v->condition[from];
  lin_edge only = LIN_NONE;
  for (LIN_OUT_EDGES(graph, from, edge))
    if (graph->destination[edge] == to)
      only = only == LIN_NONE ? edge : UINT32_MAX - 1;
  bool is_flag = condition != LIN_NONE && v->value[condition].width == 1;
  if (!is_flag || only >= graph->num_edges || v->taken_otherwise[only])
    return f->range[operand];
  lin_conjuncts all = lin_conjuncts_of(v, condition, v->taken_for[only] != 0);
  lin_range range = asked(f, &all, operand);
  const lin_value *o = &v->value[operand];
  if (o->op < LIN_OP_ADD || o->op == LIN_OP_SELECT || o->count == 0)
    return range;
  return meet(range, apply(f, operand, asked(f, &all, lin_operand(v, operand, 0))));
}

static lin_range range_of(const finder *f, uint32_t value) {
  const lin_value *v = &f->values->value[value];
  lin_range range = none;
  switch (v->op) {
  case LIN_OP_CONSTANT:
    return v->width == 0 ? any(0) : (lin_range){v->number, v->number};
  case LIN_OP_INDEX:
    return (lin_range){0, LIN_INDEX_MASK};
  case LIN_OP_SIZE:
    return (lin_range){1, LIN_INDEX_MASK + 1};
  case LIN_OP_PHI:
    for (uint32_t i = v->first; i < v->first + v->count; i++)
      range =
          join(range, incoming(f, f->values->operand[i], (lin_block)f->values->scale[i], v->block));
    return range;
  default:
    if (v->width == 0 || v->op < LIN_OP_ADD)
      return any(v->width);
    return apply(f, value, f->range[f->values->operand[v->first]]);
  }
}

lin_range *lin_ranges_find(lin_arena *arena, const lin_values *values) {
  finder f = {values, LIN_ARRAY(arena, lin_range, values->count)};
  for (uint32_t value = 0; value < values->count; value++)
    f.range[value] = none;
  bool changed = true;
  for (uint32_t round = 0; changed && round < MOST_ROUNDS; round++) {
    changed = false;
    for (uint32_t value = 0; value < values->count; value++) {
      lin_range before = f.range[value], now = join(before, range_of(&f, value));
      if (now.least == before.least && now.most == before.most)
        continue;
      f.range[value] = round < MOST_GROWING ? now : any(values->value[value].width);
      changed = true;
    }
  }
  for (uint32_t value = 0; changed && value < values->count; value++)
    f.range[value] = any(values->value[value].width);
  return f.range;
}
