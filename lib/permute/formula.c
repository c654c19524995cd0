#include "formula.h"

#include <assert.h>

enum { INDEX_WIDTH = 32, X = 0, Y = 1 };

// ---- building: what is constant is computed at once

static uint8_t add_step(lin_formula *f, lin_step step) {
  assert(f->count < LIN_MOST_STEPS);
  f->step[f->count] = step;
  return (uint8_t)f->count++;
}

static uint8_t constant_of(lin_formula *f, uint64_t number, unsigned width) {
  for (unsigned i = 0; i < f->count; i++)
    if (f->step[i].op == LIN_OP_CONSTANT && f->step[i].number == number &&
        f->step[i].width == width)
      return (uint8_t)i;
  return add_step(f, (lin_step){.op = LIN_OP_CONSTANT, .width = (uint8_t)width, .number = number});
}

static uint8_t constant(lin_formula *f, uint64_t number) {
  return constant_of(f, number, INDEX_WIDTH);
}

static uint8_t leaf(lin_formula *f, lin_op op, uint64_t number, unsigned width) {
  return add_step(f, (lin_step){.op = (uint8_t)op, .width = (uint8_t)width, .number = number});
}

static lin_known known_of(const lin_step *step) {
  return (lin_known){step->number, step->op == LIN_OP_CONSTANT};
}

static bool is_number(const lin_formula *f, uint8_t step, uint64_t number) {
  return f->step[step].op == LIN_OP_CONSTANT && f->step[step].number == number;
}

// The step that an operation is the same as, or LIN_NO_STEP.
static uint8_t simpler(const lin_formula *f, lin_op op, uint8_t a, uint8_t b, uint8_t c) {
  bool by_zero = is_number(f, b, 0), by_one = is_number(f, b, 1);
  switch (op) {
  case LIN_OP_ADD:
    return by_zero ? a : is_number(f, a, 0) ? b : LIN_NO_STEP;
  case LIN_OP_SUB:
    return by_zero ? a : LIN_NO_STEP;
  case LIN_OP_MUL:
  case LIN_OP_UDIV:
    return by_one || (op == LIN_OP_MUL && is_number(f, a, 0)) ? a : LIN_NO_STEP;
  case LIN_OP_SELECT:
    return is_number(f, a, 1) ? b : is_number(f, a, 0) || b == c ? c : LIN_NO_STEP;
  default:
    return LIN_NO_STEP;
  }
}

static unsigned width_of(const lin_formula *f, lin_op op, uint8_t a, uint8_t b) {
  if (op >= LIN_OP_EQ && op <= LIN_OP_SLE)
    return 1;
  return f->step[op == LIN_OP_SELECT ? b : a].width;
}

static uint8_t apply(lin_formula *f, lin_op op, uint8_t a, uint8_t b, uint8_t c) {
  uint8_t same = simpler(f, op, a, b, c);
  if (same != LIN_NO_STEP)
    return same;
  unsigned width = width_of(f, op, a, b);
  if (op == LIN_OP_SUB && a == b)
    return constant_of(f, 0, width);
  lin_known third = op == LIN_OP_SELECT ? known_of(&f->step[c]) : (lin_known){0, false};
  lin_known result = lin_op_apply(op, width, f->step[a].width, known_of(&f->step[a]),
                                  known_of(&f->step[b]), third);
  if (result.known)
    return constant_of(f, result.number, width);
  return add_step(f, (lin_step){.op = (uint8_t)op, .width = (uint8_t)width, .of = {a, b, c}});
}

static uint8_t binary(lin_formula *f, lin_op op, uint8_t a, uint8_t b) {
  return apply(f, op, a, b, 0);
}

static uint8_t with(lin_formula *f, lin_op op, uint8_t a, uint64_t number) {
  return binary(f, op, a, constant_of(f, number, f->step[a].width));
}

static uint8_t select_step(lin_formula *f, uint8_t which, uint8_t yes, uint8_t no) {
  return apply(f, LIN_OP_SELECT, which, yes, no);
}

// A flag as a number.
static uint8_t number_of(lin_formula *f, uint8_t flag) {
  return select_step(f, flag, constant(f, 1), constant(f, 0));
}

static uint8_t to_index(lin_formula *f, uint8_t a) {
  if (f->step[a].width == INDEX_WIDTH)
    return a;
  if (f->step[a].op == LIN_OP_CONSTANT)
    return constant(f, (uint32_t)f->step[a].number);
  return add_step(f, (lin_step){.op = LIN_OP_ZEXT, .width = INDEX_WIDTH, .of = {a}});
}

static uint8_t both(lin_formula *f, uint8_t a, uint8_t b) {
  return is_number(f, b, 1) ? a : is_number(f, a, 1) ? b : binary(f, LIN_OP_AND, a, b);
}

static lin_formula begin(const char *name) {
  return (lin_formula){
      .name = name, .index = {LIN_NO_STEP, LIN_NO_STEP, LIN_NO_STEP}, .works = LIN_NO_STEP};
}

static uint8_t position(lin_formula *f, unsigned axis) {
  return leaf(f, LIN_OP_INDEX, axis, INDEX_WIDTH);
}

static uint8_t size_of(lin_formula *f, unsigned axis, const uint32_t *size) {
  return size[axis] != 0 ? constant(f, size[axis]) : leaf(f, LIN_OP_SIZE, axis, INDEX_WIDTH);
}

// ---- the permutations

// In which part a position is, of parts of one size: by comparisons where they are few, since a
// division by what isn't known when compiling takes longer.
static uint8_t part_of(lin_formula *f, uint8_t at, uint8_t size, uint32_t parts) {
  enum { MOST_COMPARED = 8 };
  if (f->step[size].op == LIN_OP_CONSTANT || parts > MOST_COMPARED)
    return binary(f, LIN_OP_UDIV, at, with(f, LIN_OP_UMAX, size, 1));
  uint8_t part = constant(f, 0);
  for (uint32_t i = 1; i < parts; i++) {
    uint8_t begin = with(f, LIN_OP_MUL, size, i);
    part = binary(f, LIN_OP_ADD, part, number_of(f, binary(f, LIN_OP_ULE, begin, at)));
  }
  return part;
}

lin_formula lin_formula_split(unsigned axis, uint32_t period, uint32_t run,
                              const uint32_t size[3]) {
  lin_formula f = begin("split");
  uint8_t at = position(&f, axis), n = size_of(&f, axis, size);
  uint8_t periods = with(&f, LIN_OP_UDIV, n, period);
  uint8_t whole = with(&f, LIN_OP_MUL, periods, period);
  uint8_t part = with(&f, LIN_OP_MUL, periods, run); // how many indices each kind of run has
  uint8_t kind = part_of(&f, at, part, period / run);
  uint8_t in_part = binary(&f, LIN_OP_SUB, at, binary(&f, LIN_OP_MUL, kind, part));
  uint8_t runs = with(&f, LIN_OP_UDIV, in_part, run);
  uint8_t in_run = binary(&f, LIN_OP_SUB, in_part, with(&f, LIN_OP_MUL, runs, run));
  uint8_t index = binary(&f, LIN_OP_ADD, with(&f, LIN_OP_MUL, runs, period),
                         binary(&f, LIN_OP_ADD, with(&f, LIN_OP_MUL, kind, run), in_run));
  uint8_t is_whole = size[axis] % period == 0 && size[axis] != 0
                         ? constant_of(&f, 1, 1)
                         : binary(&f, LIN_OP_ULT, at, whole);
  f.index[axis] = select_step(&f, is_whole, index, at);
  f.keeps_first = axis == X;
  return f;
}

// Which half of the block a thread is in says the colour; which half of the row, together with its
// row in the half, which row it works in.
lin_formula lin_formula_board(uint32_t tilt, const uint32_t size[3]) {
  lin_formula f = begin("board");
  uint8_t x = position(&f, X), y = position(&f, Y);
  uint8_t width = size_of(&f, X, size), height = size_of(&f, Y, size);
  uint8_t half = with(&f, LIN_OP_UDIV, width, 2), half_rows = with(&f, LIN_OP_UDIV, height, 2);
  uint8_t lower = binary(&f, LIN_OP_ULE, half_rows, y), right = binary(&f, LIN_OP_ULE, half, x);
  uint8_t colour = number_of(&f, lower);
  uint8_t zero = constant(&f, 0);
  uint8_t in_half = binary(&f, LIN_OP_SUB, y, select_step(&f, lower, half_rows, zero));
  uint8_t row = binary(&f, LIN_OP_ADD, with(&f, LIN_OP_MUL, in_half, 2), number_of(&f, right));
  uint8_t pair = binary(&f, LIN_OP_SUB, x, select_step(&f, right, half, zero));
  uint8_t odd = tilt == 0 ? colour : with(&f, LIN_OP_AND, binary(&f, LIN_OP_ADD, colour, row), 1);
  uint8_t column = binary(&f, LIN_OP_ADD, with(&f, LIN_OP_MUL, pair, 2), odd);
  uint8_t odd_size = with(&f, LIN_OP_AND, binary(&f, LIN_OP_OR, width, height), 1);
  uint8_t even = with(&f, LIN_OP_EQ, odd_size, 0);
  f.index[X] = select_step(&f, even, column, x);
  f.index[Y] = select_step(&f, even, row, y);
  return f;
}

// ---- classes

static uint8_t value_step(lin_formula *f, const lin_values *values, uint32_t value) {
  const lin_value *v = &values->value[value];
  if (v->op == LIN_OP_CONSTANT)
    return constant_of(f, v->number, v->width);
  return leaf(f, LIN_OP_SAME, value, v->width);
}

// Runs of indices, from the `offset`-th of each period on.
static uint8_t pack_runs(lin_formula *f, const lin_class *class, uint8_t at) {
  uint8_t runs = with(f, LIN_OP_UDIV, at, class->run);
  uint8_t in_run = binary(f, LIN_OP_SUB, at, with(f, LIN_OP_MUL, runs, class->run));
  uint8_t begin = with(f, LIN_OP_MUL, runs, class->period);
  return with(f, LIN_OP_ADD, binary(f, LIN_OP_ADD, begin, in_run), class->offset);
}

// t + shift has `offset` in the bits of a mask: t = position * (mask + 1) + what of offset - shift
// is in the mask. None has, if offset itself isn't in the mask.
static uint8_t pack_masked(lin_formula *f, const lin_class *class, uint8_t at, uint8_t value) {
  uint64_t bits = (UINT64_C(1) << class->bits) - 1;
  uint8_t mask = with(f, LIN_OP_AND, to_index(f, value), bits);
  uint8_t first = with(f, LIN_OP_AND, mask, (class->offset - class->shift) & bits);
  uint8_t offset = with(f, LIN_OP_AND, mask, class->offset);
  f->works = with(f, LIN_OP_EQ, offset, class->offset);
  return binary(f, LIN_OP_ADD, binary(f, LIN_OP_MUL, at, with(f, LIN_OP_ADD, mask, 1)), first);
}

// t % k is `offset`. Where k is more than any index, it is of no matter by how much.
static uint8_t pack_rest(lin_formula *f, const lin_class *class, uint8_t at, uint8_t value) {
  enum { MOST_PERIOD = 1 << 20 };
  unsigned width = f->step[value].width;
  bool is_small = class->range.most <= MOST_PERIOD;
  if (class->form == LIN_CLASS_SIGNED_REST && class->range.most > lin_mask_of(width) >> 1) {
    uint8_t zero = constant_of(f, 0, width);
    value = select_step(f, binary(f, LIN_OP_SLT, value, zero), binary(f, LIN_OP_SUB, zero, value),
                        value);
    is_small = false;
  }
  uint8_t period = to_index(f, is_small ? value : with(f, LIN_OP_UMIN, value, LIN_INDEX_MASK + 1));
  if (!is_small || class->offset >= class->range.least)
    f->works = binary(f, LIN_OP_ULT, constant(f, class->offset), period);
  return with(f, LIN_OP_ADD, binary(f, LIN_OP_MUL, at, period), class->offset);
}

// t has a bit, or hasn't got it: what of the position is above the bit moves up by one.
static uint8_t pack_bit(lin_formula *f, const lin_class *class, uint8_t at, uint8_t value) {
  uint8_t bit = to_index(f, value), zero = constant_of(f, 0, f->step[value].width);
  if (class->range.most > LIN_INDEX_MASK)
    bit = with(f, LIN_OP_AND, bit, LIN_INDEX_MASK);
  uint8_t above = binary(f, LIN_OP_SUB, constant(f, 0), bit);
  uint8_t index = binary(f, LIN_OP_ADD, at, binary(f, LIN_OP_AND, at, above));
  bool is_bit = class->range.least > 0 && class->range.most <= LIN_INDEX_MASK;
  if (is_bit)
    ; // there is no other case
  else if (class->offset != 0)
    f->works = with(f, LIN_OP_NE, bit, 0);
  else if (class->sign == LIN_BIT_UNSIGNED)
    f->works = binary(f, LIN_OP_NE, value, zero);
  else if (class->sign == LIN_BIT_SIGNED)
    f->works = binary(f, LIN_OP_SLT, zero, value);
  return class->offset == 0 ? index : binary(f, LIN_OP_ADD, index, bit);
}

lin_formula lin_formula_pack(const lin_values *values, const lin_class *class) {
  lin_formula f = begin("pack");
  uint8_t at = position(&f, class->axis), index;
  f.works = constant_of(&f, 1, 1);
  if (class->form == LIN_CLASS_RUNS) {
    index = pack_runs(&f, class, at);
  } else {
    uint8_t value = value_step(&f, values, class->value);
    index = class->form == LIN_CLASS_MASK  ? pack_masked(&f, class, at, value)
            : class->form == LIN_CLASS_BIT ? pack_bit(&f, class, at, value)
                                           : pack_rest(&f, class, at, value);
  }
  uint8_t is_there = binary(&f, LIN_OP_ULT, index, size_of(&f, class->axis, values->size));
  f.works = both(&f, is_there, f.works);
  f.index[class->axis] = index;
  f.keeps_first = class->axis == X; // indices rise with positions
  return f;
}

// ---- evaluating

bool lin_formula_apply(const lin_formula *f, const uint32_t position_of[3], const uint32_t size[3],
                       const lin_known *same, uint32_t index[3]) {
  lin_known at[LIN_MOST_STEPS];
  for (unsigned i = 0; i < f->count; i++) {
    const lin_step *s = &f->step[i];
    switch (s->op) {
    case LIN_OP_CONSTANT:
      at[i] = (lin_known){s->number, true};
      break;
    case LIN_OP_INDEX:
      at[i] = (lin_known){position_of[s->number], true};
      break;
    case LIN_OP_SIZE:
      at[i] = (lin_known){size[s->number], true};
      break;
    case LIN_OP_SAME:
      at[i] = same[s->number];
      break;
    default:
      at[i] = lin_op_apply((lin_op)s->op, s->width, f->step[s->of[0]].width, at[s->of[0]],
                           at[s->of[1]], at[s->of[2]]);
    }
  }
  for (unsigned axis = 0; axis < 3; axis++)
    index[axis] =
        f->index[axis] == LIN_NO_STEP ? position_of[axis] : (uint32_t)at[f->index[axis]].number;
  return f->works == LIN_NO_STEP || (at[f->works].known && at[f->works].number != 0);
}

unsigned lin_formula_cost(const lin_formula *f) {
  bool varies[LIN_MOST_STEPS] = {false};
  unsigned cost = 0;
  for (unsigned i = 0; i < f->count; i++) {
    const lin_step *s = &f->step[i];
    bool leaf = s->op < LIN_OP_ADD;
    varies[i] = leaf ? s->op == LIN_OP_INDEX
                     : varies[s->of[0]] || (s->op != LIN_OP_ZEXT && varies[s->of[1]]) ||
                           (s->op == LIN_OP_SELECT && varies[s->of[2]]);
    cost += !leaf && varies[i];
  }
  return cost;
}
