#include "operations.h"

static lin_known flag(bool holds) { return (lin_known){holds, true}; }

static const lin_known unknown = {0, false};

static lin_known divide(lin_op op, unsigned width, uint64_t a, uint64_t b) {
  int64_t p = lin_as_signed(a, width), q = lin_as_signed(b, width);
  if (b == 0 || ((op == LIN_OP_SDIV || op == LIN_OP_SREM) && q == -1 && p == INT64_MIN))
    return unknown;
  switch (op) {
  case LIN_OP_UDIV:
    return lin_know(a / b, width);
  case LIN_OP_UREM:
    return lin_know(a % b, width);
  case LIN_OP_SDIV:
    return lin_know((uint64_t)(p / q), width);
  default:
    return lin_know((uint64_t)(p % q), width);
  }
}

static lin_known shift(lin_op op, unsigned width, uint64_t a, uint64_t by) {
  if (by >= width)
    return unknown;
  if (op == LIN_OP_SHL)
    return lin_know(a << by, width);
  if (op == LIN_OP_LSHR)
    return lin_know(a >> by, width);
  int64_t p = lin_as_signed(a, width);
  return lin_know(p < 0 ? ~(~(uint64_t)p >> by) : (uint64_t)p >> by, width);
}

// Some operations are decided by one operand.
static lin_known apply_partly(lin_op op, unsigned width, lin_known a, lin_known b, lin_known c) {
  if (op == LIN_OP_SELECT) {
    if (a.known)
      return a.number != 0 ? b : c;
    return b.known && c.known && b.number == c.number ? b : unknown;
  }
  lin_known one = a.known ? a : b;
  if (!one.known)
    return unknown;
  if ((op == LIN_OP_AND || op == LIN_OP_MUL) && one.number == 0)
    return one;
  return op == LIN_OP_OR && one.number == lin_mask_of(width) ? one : unknown;
}

lin_known lin_op_apply(lin_op op, unsigned width, unsigned from, lin_known a, lin_known b,
                       lin_known c) {
  bool unary = op == LIN_OP_ZEXT || op == LIN_OP_SEXT;
  if (op == LIN_OP_SELECT || !a.known || (!unary && !b.known))
    return unary ? unknown : apply_partly(op, width, a, b, c);
  int64_t p = lin_as_signed(a.number, from), q = unary ? 0 : lin_as_signed(b.number, from);
  switch (op) {
  case LIN_OP_ADD:
    return lin_know(a.number + b.number, width);
  case LIN_OP_SUB:
    return lin_know(a.number - b.number, width);
  case LIN_OP_MUL:
    return lin_know(a.number * b.number, width);
  case LIN_OP_UDIV:
  case LIN_OP_SDIV:
  case LIN_OP_UREM:
  case LIN_OP_SREM:
    return divide(op, width, a.number, b.number);
  case LIN_OP_SHL:
  case LIN_OP_LSHR:
  case LIN_OP_ASHR:
    return shift(op, width, a.number, b.number);
  case LIN_OP_AND:
    return lin_know(a.number & b.number, width);
  case LIN_OP_OR:
    return lin_know(a.number | b.number, width);
  case LIN_OP_XOR:
    return lin_know(a.number ^ b.number, width);
  case LIN_OP_UMIN:
    return a.number < b.number ? a : b;
  case LIN_OP_UMAX:
    return a.number > b.number ? a : b;
  case LIN_OP_SMIN:
    return p < q ? a : b;
  case LIN_OP_SMAX:
    return p > q ? a : b;
  case LIN_OP_EQ:
    return flag(a.number == b.number);
  case LIN_OP_NE:
    return flag(a.number != b.number);
  case LIN_OP_ULT:
    return flag(a.number < b.number);
  case LIN_OP_ULE:
    return flag(a.number <= b.number);
  case LIN_OP_SLT:
    return flag(p < q);
  case LIN_OP_SLE:
    return flag(p <= q);
  case LIN_OP_ZEXT:
    return lin_know(a.number, width);
  case LIN_OP_SEXT:
    return lin_know((uint64_t)p, width);
  default:
    return unknown;
  }
}
