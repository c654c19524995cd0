// Products that ptxas may add to something without rounding them first.
//
//     mul.f32 %f3, %f1, %f2;      { .reg .f32 t; mul.f32 t, $1, $2; add.f32 $0, t, $3; }
//     add.f32 %f5, %f3, %f4;  ==>
//
// Without a rounding mode PTX lets ptxas make one fma of these, and that one has another last bit.
// ptxas decides by what stands in one block. So the two stay beside each other whatever is done to
// the code around them, and versions of a kernel round alike.
//
// Accepts, all of these:
// 1. add or sub, and mul, of one type, f32 or f64, both with .ftz or neither, and nothing else.
// 2. The product is used there alone, in the block in which it is computed.
// 3. Nothing else that is added is such a product. Of two ptxas takes the first one or the second,
//    by the code around them: they stay where they stand.
// 4. Between them ptxas makes no blocks of its own, as it does of a quotient that is rounded, of a
//    fence, and so on (parts_block). Or a factor is a number or a kernel's parameter: ptxas
//    computes such a product where it is added, whatever stands between.
//
// Where both factors vary, and ptxas makes blocks between, it never fuses them. So the product gets
// .rn, by which nobody may, whatever is moved. Where that isn't known, all stays as it is.
//
//     mul.f32 %f3, %f1, %f2;          mul.rn.f32 %f3, %f1, %f2;
//     div.rn.f32 %f4, %f1, %f5;  ==>  div.rn.f32 %f4, %f1, %f5;
//     sub.f32 %f6, %f3, %f4;          sub.f32 %f6, %f3, %f4;
//
// What ptxas fuses was seen in its machine code (13.0, sm_90, -O1 and -O3, 2026-11-29).
#include "contract.h"

#include "state.h"

#include "llvm/ask/numbers.h"
#include "llvm/ask/spaces.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// Three inputs: a product of two, and what is added. The longest type is .ftz.f32, and a NUL.
enum { MOST_TEXT = 256, MOST_INPUTS = 3, MOST_TYPE = 9, MOST_SIGNS = 8 };

typedef struct fused {
  char text[MOST_TEXT];
  size_t length;
  LLVMValueRef input[MOST_INPUTS], product;
  unsigned num_inputs;
} fused;

// A block, as it is walked through: a piece of it ends where ptxas may begin another block.
typedef struct walk {
  lin_arena arena;
  LLVMBuilderRef builder;
  lin_numbers piece_of; // of products
  uint32_t piece, last; // the one at hand; the last one that certainly begins such a block
} walk;

// Assembly, or NULL.
static const char *text_of(LLVMValueRef value, size_t *length) {
  *length = 0;
  if (LLVMIsACallInst(value) == NULL || LLVMIsAInlineAsm(LLVMGetCalledValue(value)) == NULL)
    return NULL;
  return LLVMGetInlineAsmAsmString(LLVMGetCalledValue(value), length);
}

// Whether it is assembly that begins with that name and a type, which are left in `type`.
static bool is_operation(LLVMValueRef value, const char *name, char type[static MOST_TYPE]) {
  size_t length;
  const char *text = text_of(value, &length);
  if (text == NULL || LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(value)))
    return false;
  const size_t of_name = strlen(name), of_type = strcspn(text + of_name, " ");
  if (strncmp(text, name, of_name) != 0 || strcspn(text, ";") + 1 != length || of_type >= MOST_TYPE)
    return false;
  memcpy(type, text + of_name, of_type);
  type[of_type] = '\0';
  static const char *const types[] = {".f32", ".ftz.f32", ".f64"};
  bool is_known = false;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    is_known |= strcmp(type, types[i]) == 0;
  return is_known;
}

static bool is_used_once(LLVMValueRef value) {
  LLVMUseRef use = LLVMGetFirstUse(value);
  return use != NULL && LLVMGetNextUse(use) == NULL;
}

typedef enum parting { PARTS_NOT, PARTS, MAY_PART } parting;

// div.rn.f32, sqrt.rz.ftz.f32 and so on, but no approximations.
static bool is_rounded(const char *text) {
  static const char *const names[] = {"div.r", "sqrt.r", "rcp.r"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(text, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static parting parts_of_assembly(const char *text, size_t length) {
  if (is_rounded(text) || strncmp(text, "membar", 6) == 0 || strncmp(text, "fence", 5) == 0)
    return PARTS;
  return memchr(text, ';', length) == text + length - 1 ? PARTS_NOT : MAY_PART;
}

// Of quotients by constants LLVM makes products.
static parting parts_of_division(LLVMValueRef at, bool is_signed) {
  if (LLVMIsAConstant(LLVMGetOperand(at, 1)) != NULL)
    return MAY_PART;
  const unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(at));
  return width == 64 || (is_signed && width == 32) ? PARTS : width == 32 ? PARTS_NOT : MAY_PART;
}

// Whether ptxas makes several blocks of an instruction.
static parting parts_block(LLVMValueRef at) {
  size_t length;
  const char *text = text_of(at, &length);
  if (text != NULL)
    return parts_of_assembly(text, length);
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMSDiv:
  case LLVMSRem:
    return parts_of_division(at, true);
  case LLVMUDiv:
  case LLVMURem:
    return parts_of_division(at, false);
  case LLVMFence:
    return PARTS;
  case LLVMCall:
    return LLVMGetIntrinsicID(LLVMGetCalledValue(at)) == 0 ? MAY_PART : PARTS_NOT;
  default:
    return PARTS_NOT;
  }
}

typedef enum factor { FACTOR_VARIES, FACTOR_IS_CONSTANT, FACTOR_UNKNOWN } factor;

// neg and abs are modifiers of an operand: what they are of.
static LLVMValueRef without_sign(LLVMValueRef value) {
  for (unsigned depth = 0; depth < MOST_SIGNS; depth++) { // unreachable code may have circles
    size_t length;
    const char *text = text_of(value, &length);
    const bool is_sign =
        text != NULL
            ? strncmp(text, "neg.f", 5) == 0 || strncmp(text, "abs.f", 5) == 0 ||
                  strncmp(text, "abs.ftz.f", 9) == 0
            : LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMFNeg;
    if (!is_sign || LLVMIsAConstant(LLVMGetOperand(value, 0)) != NULL)
      return value;
    value = LLVMGetOperand(value, 0);
  }
  return value;
}

static factor kind_of_factor(LLVMValueRef value) {
  size_t length;
  value = without_sign(value);
  if (LLVMIsAConstant(value) != NULL)
    return FACTOR_IS_CONSTANT;
  if (LLVMIsAArgument(value) != NULL)
    return LLVMGetFunctionCallConv(LLVMGetParamParent(value)) == LLVMPTXKernelCallConv
               ? FACTOR_IS_CONSTANT
               : FACTOR_UNKNOWN;
  const char *text = text_of(value, &length);
  if (text != NULL)
    return strncmp(text, "mov", 3) == 0 ? FACTOR_UNKNOWN : FACTOR_VARIES;
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMLoad: {
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(value, 0)));
    return space == LIN_IR_CONSTANT || space == LIN_IR_PARAMETER ? FACTOR_UNKNOWN : FACTOR_VARIES;
  }
  case LLVMBitCast:
  case LLVMFreeze:
    return FACTOR_UNKNOWN;
  default:
    return FACTOR_VARIES;
  }
}

// One that is a constant decides. A number stands in the text instead of an operand.
static factor kind_of_factors(LLVMValueRef product) {
  size_t length;
  const char *text = text_of(product, &length);
  assert(text != NULL);
  unsigned registers = 0; // with the result
  for (size_t i = 0; i < length; i++)
    registers += text[i] == '$';
  factor kind = registers < 3 ? FACTOR_IS_CONSTANT : FACTOR_VARIES;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(product) && kind != FACTOR_IS_CONSTANT; i++) {
    const factor own = kind_of_factor(LLVMGetOperand(product, i));
    kind = own != FACTOR_VARIES ? own : kind;
  }
  return kind;
}

// Puts assembly that only computes in the place of `was`, of floats like it.
static void replace(walk *w, LLVMValueRef was, const char *text, size_t length, LLVMValueRef *input,
                    unsigned inputs) {
  LLVMTypeRef of = LLVMTypeOf(was), types[MOST_INPUTS] = {of, of, of};
  const bool is_double = LLVMGetTypeKind(of) == LLVMDoubleTypeKind;
  const char *constraints = is_double ? "=d,d,d,d" : "=f,f,f,f";
  LLVMTypeRef type = LLVMFunctionType(of, types, inputs, false);
  LLVMPositionBuilderBefore(w->builder, was);
  LLVMValueRef code =
      LLVMGetInlineAsm(type, text, length, (char *)(uintptr_t)constraints, 2 + 2 * (size_t)inputs,
                       false, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef made = LLVMBuildCall2(w->builder, type, code, input, inputs, "");
  lin_lift_mark_call(made, "nounwind");
  LLVMReplaceAllUsesWith(was, made);
  LLVMInstructionEraseFromParent(was);
}

// Nothing is ever added to it before it is rounded.
static void round_product(walk *w, LLVMValueRef product) {
  size_t length;
  char text[MOST_TEXT];
  const char *given = text_of(product, &length);
  assert(given != NULL && length > 3);
  LLVMValueRef input[MOST_INPUTS];
  const unsigned inputs = LLVMGetNumArgOperands(product);
  for (unsigned i = 0; i < inputs; i++)
    input[i] = LLVMGetOperand(product, i);
  length = (size_t)snprintf(text, sizeof text, "mul.rn%.*s", (int)(length - 3), given + 3);
  replace(w, product, text, length, input, inputs);
}

// The one product among what is added, or NULL. Those that are apart from the sum are rounded.
static LLVMValueRef find_product(walk *w, LLVMValueRef sum, const char *type) {
  LLVMValueRef product = NULL;
  bool is_one = true;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(sum); i++) {
    LLVMValueRef of = LLVMGetOperand(sum, i);
    char own[MOST_TYPE];
    if (!is_operation(of, "mul", own) || strcmp(own, type) != 0 || !is_used_once(of) ||
        LLVMGetInstructionParent(of) != LLVMGetInstructionParent(sum))
      continue;
    const uint32_t piece = lin_numbers_find(&w->piece_of, of);
    const factor kind = kind_of_factors(of);
    if (piece < w->last && kind == FACTOR_VARIES) {
      round_product(w, of);
      continue;
    }
    is_one &= product == NULL && (piece == w->piece || kind == FACTOR_IS_CONSTANT);
    product = of;
  }
  return is_one ? product : NULL;
}

static void put_operand(fused *f, LLVMValueRef value) {
  if (f->product == value) {
    f->text[f->length++] = 't';
    return;
  }
  unsigned number = 0;
  while (number < f->num_inputs && f->input[number] != value)
    number++;
  f->num_inputs += number == f->num_inputs;
  f->input[number] = value;
  f->length += (size_t)snprintf(f->text + f->length, MOST_TEXT - f->length, "$%u", number + 1);
}

// The operation's text, with the names that its operands have here.
static void put(fused *f, LLVMValueRef operation, const char *result) {
  size_t length;
  const char *at = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(operation), &length);
  for (const char *end = at + length; at < end; at++) {
    if (*at != '$') {
      f->text[f->length++] = *at;
    } else if (*++at == '0') {
      f->length += (size_t)snprintf(f->text + f->length, MOST_TEXT - f->length, "%s", result);
    } else {
      put_operand(f, LLVMGetOperand(operation, (unsigned)(*at - '1')));
    }
  }
  f->text[f->length++] = ' ';
}

// Returns what comes behind it.
static LLVMValueRef fuse(walk *w, LLVMValueRef at) {
  LLVMValueRef next = LLVMGetNextInstruction(at);
  char type[MOST_TYPE];
  fused f = {.length = 0};
  if (is_operation(at, "mul", type))
    lin_numbers_add(&w->arena, &w->piece_of, at, w->piece);
  const parting parts = parts_block(at);
  w->piece += parts != PARTS_NOT;
  w->last = parts == PARTS ? w->piece : w->last;
  if (!is_operation(at, "add", type) && !is_operation(at, "sub", type))
    return next;
  f.product = find_product(w, at, type);
  if (f.product == NULL)
    return next;
  f.length = (size_t)snprintf(f.text, MOST_TEXT, "{ .reg %s t; ", strrchr(type, '.'));
  put(&f, f.product, "t");
  put(&f, at, "$0");
  f.text[f.length++] = '}';
  replace(w, at, f.text, f.length, f.input, f.num_inputs);
  LLVMInstructionEraseFromParent(f.product);
  return next;
}

void lin_lift_keep_contracted(LLVMModuleRef module) {
  walk w = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;)
        at = fuse(&w, at);
  LLVMDisposeBuilder(w.builder);
  lin_arena_release(&w.arena);
}
