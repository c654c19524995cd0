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
#include "contract.h"

#include <stdio.h>
#include <string.h>

// Three inputs: a product of two, and what is added. The longest type is .ftz.f32, and a NUL.
enum { MOST_TEXT = 256, MOST_INPUTS = 3, MOST_TYPE = 9 };

typedef struct fused {
  char text[MOST_TEXT];
  size_t length;
  LLVMValueRef input[MOST_INPUTS], product;
  unsigned num_inputs;
} fused;

// Whether it is assembly that begins with that name and a type, which are left in `type`.
static bool is_operation(LLVMValueRef value, const char *name, char type[static MOST_TYPE]) {
  if (LLVMIsACallInst(value) == NULL || LLVMIsAInlineAsm(LLVMGetCalledValue(value)) == NULL ||
      LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(value)))
    return false;
  size_t length;
  const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(value), &length);
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

// The one product among what is added, or NULL.
static LLVMValueRef find_product(LLVMValueRef sum, const char *type) {
  LLVMValueRef product = NULL;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(sum); i++) {
    LLVMValueRef of = LLVMGetOperand(sum, i);
    char own[MOST_TYPE];
    if (!is_operation(of, "mul", own) || strcmp(own, type) != 0 || !is_used_once(of) ||
        LLVMGetInstructionParent(of) != LLVMGetInstructionParent(sum))
      continue;
    if (product != NULL)
      return NULL;
    product = of;
  }
  return product;
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

static void replace(fused *f, LLVMBuilderRef builder, LLVMValueRef sum) {
  LLVMTypeRef of = LLVMTypeOf(sum), types[MOST_INPUTS] = {of, of, of};
  const bool is_double = LLVMGetTypeKind(of) == LLVMDoubleTypeKind;
  const char *constraints = is_double ? "=d,d,d,d" : "=f,f,f,f";
  LLVMTypeRef type = LLVMFunctionType(of, types, f->num_inputs, false);
  LLVMPositionBuilderBefore(builder, sum);
  LLVMValueRef code =
      LLVMGetInlineAsm(type, f->text, f->length, (char *)(uintptr_t)constraints,
                       2 + 2 * (size_t)f->num_inputs, false, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef made = LLVMBuildCall2(builder, type, code, f->input, f->num_inputs, "");
  const unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
  LLVMAddCallSiteAttribute(made, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(LLVMGetTypeContext(of), nounwind, 0));
  LLVMReplaceAllUsesWith(sum, made);
  LLVMInstructionEraseFromParent(sum);
  LLVMInstructionEraseFromParent(f->product);
}

// Returns what comes behind it.
static LLVMValueRef fuse(LLVMBuilderRef builder, LLVMValueRef at) {
  LLVMValueRef next = LLVMGetNextInstruction(at);
  char type[MOST_TYPE];
  fused f = {.length = 0};
  if (!is_operation(at, "add", type) && !is_operation(at, "sub", type))
    return next;
  f.product = find_product(at, type);
  if (f.product == NULL)
    return next;
  f.length = (size_t)snprintf(f.text, MOST_TEXT, "{ .reg %s t; ", strrchr(type, '.'));
  put(&f, f.product, "t");
  put(&f, at, "$0");
  f.text[f.length++] = '}';
  replace(&f, builder, at);
  return next;
}

void lin_lift_keep_contracted(LLVMModuleRef module) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;)
        at = fuse(builder, at);
  LLVMDisposeBuilder(builder);
}
