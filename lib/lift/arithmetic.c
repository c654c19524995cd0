// What the transformations look into: integers, comparisons, moves.
//
// Accepts, with exactly these words and a type of 16, 32 or 64 bits:
//     integers     add sub mul.lo mul.wide mad.lo mad.wide and or xor not neg min max; div rem shl
//                  shr by a number for which LLVM's have a result
// floats       add.rn sub.rn mul.rn fma.rn neg: where PTX leaves no choice how they are rounded.
//                  ptxas may fuse `add.f32` with a product, so it stays what it is
//     any          mov (of registers, numbers, variables, parts of a register), selp, setp with all
//                  its tests, cvt between integers and from integers with .rn
//     barriers     bar.sync and barrier.sync.aligned with a number, for all threads
// Promises: LLVM's instruction has PTX's result for all operands. All else returns false, and stays
// assembly.
#include "state.h"

#include <string.h>

// The instruction at hand: operand[0] is its result.
typedef struct computing {
  lin_lifting *l;
  const lin_ptx_operand *operand;
  uint32_t count;
  LLVMTypeRef type; // that its last part names, or NULL
  bool is_signed, is_float;
} computing;

static LLVMValueRef get(const computing *c, uint32_t operand) {
  return operand < c->count ? lin_lift_get(c->l, &c->operand[operand], c->type, false) : NULL;
}

static bool set(const computing *c, LLVMValueRef value) {
  return lin_lift_set(c->l, &c->operand[0], value, c->is_signed);
}

static bool is(const computing *c, uint32_t part, const char *word) {
  return lin_lift_is_part(&c->l->opcode, part, word);
}

static bool has(const computing *c, const char *word) { return lin_lift_has(&c->l->opcode, word); }

// ---- two operands

// Behind its own name the opcode has its type, and `words` in front of that.
static bool has_parts(const computing *c, const char *const *words) {
  uint32_t part = 1;
  for (; *words != NULL; words++, part++)
    if (!is(c, part, *words))
      return false;
  return part + 1 == c->l->opcode.count;
}

static const char *const none[] = {NULL}, *const rounded[] = {"rn", NULL},
                         *const low[] = {"lo", NULL}, *const wide[] = {"wide", NULL};

static const struct binary {
  const char *name;
  LLVMOpcode of_integers, of_floats; // of_floats with .rn; 0: none
} binaries[] = {{"add", LLVMAdd, LLVMFAdd}, {"sub", LLVMSub, LLVMFSub}, {"mul", LLVMMul, LLVMFMul},
                {"and", LLVMAnd, 0},        {"or", LLVMOr, 0},          {"xor", LLVMXor, 0}};

static bool binary(const computing *c) {
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    const struct binary *b = &binaries[i];
    if (!is(c, 0, b->name) || c->count != 3)
      continue;
    LLVMOpcode opcode = c->is_float ? b->of_floats : b->of_integers;
    const char *const *parts = c->is_float ? rounded : opcode == LLVMMul ? low : none;
    if (opcode == 0 || !has_parts(c, parts))
      return false;
    LLVMValueRef left = get(c, 1), right = get(c, 2);
    return left != NULL && right != NULL &&
           set(c, LLVMBuildBinOp(c->l->builder, opcode, left, right, ""));
  }
  return false;
}

// Only by a number that is no divisor of trouble, and no shift beyond the width: LLVM takes these
// for what never happens.
static bool by_number(const computing *c) {
  bool divides = is(c, 0, "div"), takes_rest = is(c, 0, "rem");
  bool left = is(c, 0, "shl"), right = is(c, 0, "shr");
  if ((!divides && !takes_rest && !left && !right) || c->is_float || !has_parts(c, none) ||
      c->count != 3 || c->operand[2].kind != LIN_PTX_OPERAND_NUMBER)
    return false;
  int64_t number = c->operand[2].value;
  int64_t limit = left || right ? (int64_t)lin_lift_bits(c->type) - 1 : INT16_MAX;
  if (number < (left || right ? 0 : 1) || number > limit)
    return false;
  LLVMOpcode opcode = divides        ? c->is_signed ? LLVMSDiv : LLVMUDiv
                      : takes_rest   ? c->is_signed ? LLVMSRem : LLVMURem
                      : left         ? LLVMShl
                      : c->is_signed ? LLVMAShr
                                     : LLVMLShr;
  LLVMValueRef value = get(c, 1), by = LLVMConstInt(c->type, (unsigned long long)number, false);
  return value != NULL && set(c, LLVMBuildBinOp(c->l->builder, opcode, value, by, ""));
}

static bool least_or_most(const computing *c) {
  bool least = is(c, 0, "min");
  if ((!least && !is(c, 0, "max")) || c->is_float || !has_parts(c, none) || c->count != 3)
    return false;
  const char *name = least          ? c->is_signed ? "llvm.smin" : "llvm.umin"
                     : c->is_signed ? "llvm.smax"
                                    : "llvm.umax";
  LLVMValueRef argument[] = {get(c, 1), get(c, 2)};
  return argument[0] != NULL && argument[1] != NULL &&
         set(c, lin_lift_intrinsic(c->l, name, c->type, argument, 2));
}

// ---- products

static LLVMValueRef widened(const computing *c, uint32_t operand, LLVMTypeRef type) {
  LLVMValueRef value = get(c, operand);
  return value == NULL  ? NULL
         : c->is_signed ? LLVMBuildSExt(c->l->builder, value, type, "")
                        : LLVMBuildZExt(c->l->builder, value, type, "");
}

// mul.wide.s32, mad.wide.u16, mad.lo.s32
static bool product(const computing *c) {
  bool adds = is(c, 0, "mad"), is_wide = has_parts(c, wide);
  if (c->is_float || (!adds && !is(c, 0, "mul")) || c->count != 3u + adds ||
      (!is_wide && !(adds && has_parts(c, low))))
    return false;
  LLVMBuilderRef builder = c->l->builder;
  LLVMTypeRef type = c->type;
  if (is_wide)
    type = LLVMIntTypeInContext(c->l->lift->context, 2 * lin_lift_bits(type));
  LLVMValueRef left = is_wide ? widened(c, 1, type) : get(c, 1);
  LLVMValueRef right = is_wide ? widened(c, 2, type) : get(c, 2);
  LLVMValueRef sum = adds ? lin_lift_get(c->l, &c->operand[3], type, false) : NULL;
  if (left == NULL || right == NULL || (adds && sum == NULL))
    return false;
  LLVMValueRef value = LLVMBuildMul(builder, left, right, "");
  return set(c, adds ? LLVMBuildAdd(builder, value, sum, "") : value);
}

// fma.rn.f32, fma.rn.f64
static bool fused(const computing *c) {
  if (!is(c, 0, "fma") || !c->is_float || !has_parts(c, rounded) || c->count != 4)
    return false;
  LLVMValueRef argument[] = {get(c, 1), get(c, 2), get(c, 3)};
  for (int i = 0; i < 3; i++)
    if (argument[i] == NULL)
      return false;
  return set(c, lin_lift_intrinsic(c->l, "llvm.fma", c->type, argument, 3));
}

// ---- one operand

static bool negated(const computing *c) {
  bool is_not = is(c, 0, "not");
  if ((!is_not && !is(c, 0, "neg")) || !has_parts(c, none) || c->count != 2)
    return false;
  LLVMValueRef value = get(c, 1);
  if (value == NULL || (is_not && c->is_float))
    return false;
  LLVMBuilderRef builder = c->l->builder;
  return set(c, is_not        ? LLVMBuildNot(builder, value, "")
                : c->is_float ? LLVMBuildFNeg(builder, value, "")
                              : LLVMBuildNeg(builder, value, ""));
}

// mov.b32 %r1, {%rs1, %rs2}: as a vector, which llc writes as it stood. Shifts would hide from
// ptxas that halves are packed: it makes one conversion of two.
static bool joined_halves(const computing *c) {
  LLVMContextRef context = c->l->lift->context;
  LLVMTypeRef half = LLVMInt16TypeInContext(context), word = LLVMInt32TypeInContext(context);
  LLVMValueRef whole = LLVMGetPoison(LLVMVectorType(half, 2));
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef value = lin_lift_get(c->l, &c->operand[2 + i], half, false);
    if (value == NULL)
      return false;
    whole = LLVMBuildInsertElement(c->l->builder, whole, value, LLVMConstInt(word, i, false), "");
  }
  return set(c, LLVMBuildBitCast(c->l->builder, whole, c->type, ""));
}

// mov.b64 {%r1, %r2}, %rd1;   mov.b64 %rd1, {%r1, %r2};
static bool moved_parts(const computing *c) {
  bool cuts = c->operand[0].kind == LIN_PTX_OPERAND_LIST;
  uint32_t list = cuts ? 0 : 1, parts = c->operand[list].count;
  unsigned bits = lin_lift_bits(c->type);
  if (parts == 0 || bits % parts != 0 || c->is_float)
    return false;
  if (!cuts && parts == 2 && bits == 32)
    return joined_halves(c);
  LLVMTypeRef part = LLVMIntTypeInContext(c->l->lift->context, bits / parts);
  LLVMBuilderRef builder = c->l->builder;
  LLVMValueRef whole = cuts ? get(c, parts + 1) : LLVMConstNull(c->type);
  for (uint32_t i = 0; whole != NULL && i < parts; i++) {
    const lin_ptx_operand *o = &c->operand[list + 1 + i];
    LLVMValueRef by = LLVMConstInt(c->type, (unsigned long long)i * (bits / parts), false);
    if (cuts) {
      LLVMValueRef value = LLVMBuildLShr(builder, whole, by, "");
      if (!lin_lift_set(c->l, o, LLVMBuildTrunc(builder, value, part, ""), false))
        return false;
      continue;
    }
    LLVMValueRef value = lin_lift_get(c->l, o, part, false);
    if (value == NULL)
      return false;
    value = LLVMBuildShl(builder, LLVMBuildZExt(builder, value, c->type, ""), by, "");
    whole = LLVMBuildOr(builder, whole, value, "");
  }
  return whole != NULL && (cuts || set(c, whole));
}

static bool moved(const computing *c) {
  if (!is(c, 0, "mov") || !has_parts(c, none) || c->count < 2)
    return false;
  if (c->operand[0].kind == LIN_PTX_OPERAND_LIST || c->operand[1].kind == LIN_PTX_OPERAND_LIST)
    return moved_parts(c);
  const lin_ptx_operand *from = &c->operand[1];
  if (c->count != 2 ||
      (from->kind == LIN_PTX_OPERAND_NAME && lin_lift_find_parameter(c->l, from) != LIN_NONE))
    return false;
  LLVMValueRef value = lin_lift_get(c->l, from, c->type, from->kind == LIN_PTX_OPERAND_NAME);
  return value != NULL && set(c, value);
}

// cvt.u32.u64, cvt.rn.f32.s32, cvt.rn.f64.u32, cvt.f64.f32: where nothing saturates.
static bool converted(const computing *c) {
  const lin_lift_opcode *o = &c->l->opcode;
  if (!is(c, 0, "cvt") || c->count != 2 || o->count < 3 || has(c, "sat") || has(c, "ftz"))
    return false;
  LLVMTypeRef to = lin_lift_type(c->l->lift, o->part[o->count - 2], o->length[o->count - 2]);
  const char *from_name = o->part[o->count - 1], *to_name = o->part[o->count - 2];
  if (to == NULL || from_name[0] == 'f' || from_name[0] == 'b' || to_name[0] == 'b' ||
      (to_name[0] == 'f') != lin_lift_is_float(to))
    return false;
  LLVMValueRef value = lin_lift_get(c->l, &c->operand[1], c->type, true);
  if (value == NULL)
    return false;
  LLVMBuilderRef builder = c->l->builder;
  if (lin_lift_is_float(to)) {
    if (o->count != 4 || !is(c, 1, "rn"))
      return false;
    return set(c, c->is_signed ? LLVMBuildSIToFP(builder, value, to, "")
                               : LLVMBuildUIToFP(builder, value, to, ""));
  }
  if (o->count != 3)
    return false;
  unsigned bits = lin_lift_bits(c->type), wanted = lin_lift_bits(to);
  bool fills_signs = o->part[1][0] == 's';
  if (bits > wanted)
    value = LLVMBuildTrunc(builder, value, to, "");
  else if (bits < wanted)
    value = c->is_signed ? LLVMBuildSExt(builder, value, to, "")
                         : LLVMBuildZExt(builder, value, to, "");
  return lin_lift_set(c->l, &c->operand[0], value, fills_signs);
}

// ---- conditions

static bool selected(const computing *c) {
  if (!is(c, 0, "selp") || !has_parts(c, none) || c->count != 4)
    return false;
  LLVMTypeRef bit = LLVMInt1TypeInContext(c->l->lift->context);
  LLVMValueRef condition = lin_lift_get(c->l, &c->operand[3], bit, false);
  LLVMValueRef yes = get(c, 1), no = get(c, 2);
  return condition != NULL && yes != NULL && no != NULL &&
         set(c, LLVMBuildSelect(c->l->builder, condition, yes, no, ""));
}

static const struct test {
  const char *name;
  LLVMIntPredicate with_sign, without;
  LLVMRealPredicate of_floats;
} tests[] = {{"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
             {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE},
             {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT},
             {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE},
             {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT},
             {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE},
             {"lo", 0, LLVMIntULT, 0},
             {"ls", 0, LLVMIntULE, 0},
             {"hi", 0, LLVMIntUGT, 0},
             {"hs", 0, LLVMIntUGE, 0},
             {"equ", 0, 0, LLVMRealUEQ},
             {"neu", 0, 0, LLVMRealUNE},
             {"ltu", 0, 0, LLVMRealULT},
             {"leu", 0, 0, LLVMRealULE},
             {"gtu", 0, 0, LLVMRealUGT},
             {"geu", 0, 0, LLVMRealUGE},
             {"num", 0, 0, LLVMRealORD},
             {"nan", 0, 0, LLVMRealUNO}};

static LLVMValueRef combine(const computing *c, LLVMValueRef value, LLVMValueRef with) {
  LLVMBuilderRef builder = c->l->builder;
  return is(c, 2, "and")  ? LLVMBuildAnd(builder, value, with, "")
         : is(c, 2, "or") ? LLVMBuildOr(builder, value, with, "")
                          : LLVMBuildXor(builder, value, with, "");
}

// setp.lt.s32 %p1, %r1, %r2;   setp.lt.and.s32 %p1|%p2, %r1, %r2, %p3;
static bool tested(const computing *c) {
  const lin_lift_opcode *o = &c->l->opcode;
  bool combines = o->count == 4 && (is(c, 2, "and") || is(c, 2, "or") || is(c, 2, "xor"));
  bool is_pair = c->operand[0].kind == LIN_PTX_OPERAND_LIST;
  uint32_t first = is_pair ? 3 : 1;
  if (!is(c, 0, "setp") || (o->count != 3 && !combines) || c->count != first + 2 + combines)
    return false;
  LLVMTypeRef bit = LLVMInt1TypeInContext(c->l->lift->context);
  LLVMValueRef left = get(c, first), right = get(c, first + 1);
  LLVMValueRef with = combines ? lin_lift_get(c->l, &c->operand[first + 2], bit, false) : NULL;
  if (left == NULL || right == NULL || (combines && with == NULL))
    return false;
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    const struct test *t = &tests[i];
    if (!is(c, 1, t->name))
      continue;
    LLVMIntPredicate predicate = c->is_signed ? t->with_sign : t->without;
    if (c->is_float ? t->of_floats == 0 : predicate == 0)
      return false;
    LLVMBuilderRef builder = c->l->builder;
    LLVMValueRef value = c->is_float ? LLVMBuildFCmp(builder, t->of_floats, left, right, "")
                                     : LLVMBuildICmp(builder, predicate, left, right, "");
    LLVMValueRef other = LLVMBuildNot(builder, value, "");
    if (combines) {
      value = combine(c, value, with);
      other = combine(c, other, with);
    }
    return lin_lift_set(c->l, &c->operand[is_pair ? 1 : 0], value, false) &&
           (!is_pair || lin_lift_set(c->l, &c->operand[2], other, false));
  }
  return false;
}

// bar.sync 0;   barrier.sync.aligned 0;   __syncthreads()
static bool waited(const computing *c) {
  bool is_bar = is(c, 0, "bar") && is(c, 1, "sync") && c->l->opcode.count == 2;
  bool is_barrier =
      is(c, 0, "barrier") && is(c, 1, "sync") && is(c, 2, "aligned") && c->l->opcode.count == 3;
  if ((!is_bar && !is_barrier) || c->count != 1 || c->operand[0].kind != LIN_PTX_OPERAND_NUMBER)
    return false;
  LLVMTypeRef type = LLVMInt32TypeInContext(c->l->lift->context);
  LLVMValueRef number = LLVMConstInt(type, (unsigned long long)c->operand[0].value, false);
  // Older releases of LLVM (19) know it by the second name.
  return lin_lift_intrinsic(c->l, "llvm.nvvm.barrier.cta.sync.aligned.all", NULL, &number, 1) ||
         lin_lift_intrinsic(c->l, "llvm.nvvm.barrier.n", NULL, &number, 1);
}

bool lin_lift_arithmetic(lin_lifting *l) {
  const lin_lift_opcode *o = &l->opcode;
  const char *last = o->part[o->count - 1];
  computing c = {.l = l,
                 .operand = l->operands.operand,
                 .count = l->operands.count,
                 .type = lin_lift_type(l->lift, last, o->length[o->count - 1])};
  if (waited(&c))
    return true;
  // Floats of 16 bits are opaque, but for moves.
  bool is_half = last[0] == 'f' && c.type != NULL && !lin_lift_is_float(c.type);
  if (c.type == NULL || c.count == 0 || (is_half && !is(&c, 0, "mov")) ||
      (last[0] == 'b' && last[1] == 'f'))
    return false;
  c.is_signed = last[0] == 's';
  c.is_float = lin_lift_is_float(c.type);
  static bool (*const kinds[])(const computing *) = {binary,   by_number, least_or_most, product,
                                                     fused,    negated,   moved,         converted,
                                                     selected, tested};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i](&c))
      return true;
  return false;
}
