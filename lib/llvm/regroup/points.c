#include "points.h"

#include "graph/graph.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/numbers.h"

#include <string.h>

static const char called[] = "linearize_reorder_here"; // reorder.h
static const char text[] = "// linearize_reorder $0 $1 $2 $3", operands[] = "r,r,r,r";

static void add_attribute(LLVMContextRef context, LLVMValueRef call, const char *name,
                          uint64_t value) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           LLVMCreateEnumAttribute(context, kind, value));
}

// Memory that no program can name is read and written: votes and shuffles do that, too.
enum { READS_AND_WRITES = 3, INACCESSIBLE = 1 };

static LLVMValueRef build(LLVMBuilderRef builder, LLVMValueRef *argument) {
  LLVMTypeRef word = LLVMTypeOf(argument[0]), types[] = {word, word, word, word};
  LLVMContextRef context = LLVMGetTypeContext(word);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, 4, false);
  LLVMValueRef code =
      LLVMGetInlineAsm(type, text, strlen(text), operands, strlen(operands),
                       /*HasSideEffects=*/true, false, LLVMInlineAsmDialectATT, false);
  LLVMValueRef call = LLVMBuildCall2(builder, type, code, argument, 4, "");
  add_attribute(context, call, "convergent", 0);
  add_attribute(context, call, "nounwind", 0);
  add_attribute(context, call, "memory", READS_AND_WRITES << 2 * INACCESSIBLE);
  return call;
}

static bool is_call_of_header(LLVMValueRef at) {
  if (LLVMIsACallInst(at) == NULL || LLVMIsAFunction(LLVMGetCalledValue(at)) == NULL ||
      LLVMGetNumArgOperands(at) != 4)
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(at), &length);
  return length == strlen(called) && memcmp(name, called, length) == 0;
}

static void mark(LLVMBuilderRef builder, LLVMValueRef call) {
  LLVMValueRef argument[4];
  for (unsigned i = 0; i < 4; i++)
    argument[i] = LLVMGetOperand(call, i);
  LLVMPositionBuilderBefore(builder, call);
  build(builder, argument);
  LLVMReplaceAllUsesWith(call, LLVMGetUndef(LLVMTypeOf(call)));
  LLVMInstructionEraseFromParent(call);
}

static bool has_attribute(LLVMValueRef function, const char *name) {
  return lin_ir_attribute(function, name) != NULL;
}

static void inline_always(LLVMValueRef function) {
  static const char name[] = "alwaysinline";
  unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

typedef struct functions {
  lin_arena arena;
  lin_numbers seen;
  LLVMValueRef *function;
  uint32_t count, capacity;
} functions;

static void add(functions *f, LLVMValueRef function) {
  if (lin_numbers_find(&f->seen, function) != LIN_NONE)
    return;
  lin_numbers_add(&f->arena, &f->seen, function, f->count);
  f->function = LIN_ROOM(&f->arena, f->function, f->count, &f->capacity);
  f->function[f->count++] = function;
}

// From the functions that have marks to those that call them, and so on, up to kernels.
static void inline_callers(functions *f) {
  for (uint32_t i = 0; i < f->count; i++) {
    LLVMValueRef function = f->function[i];
    if (lin_ir_is_kernel(function) || has_attribute(function, "noinline") ||
        has_attribute(function, "optnone"))
      continue;
    if (!has_attribute(function, "alwaysinline"))
      inline_always(function);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == function)
        add(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    }
  }
}

bool lin_ir_mark_points(LLVMModuleRef module) {
  LLVMValueRef function = LLVMGetNamedFunction(module, called);
  if (function == NULL)
    return false;
  functions found = {.count = 0};
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMUseRef use = LLVMGetFirstUse(function), next; use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (is_call_of_header(LLVMGetUser(use))) {
      add(&found, LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(use))));
      mark(builder, LLVMGetUser(use));
    }
  }
  LLVMDisposeBuilder(builder);
  inline_callers(&found);
  const bool changed = found.count > 0;
  lin_arena_release(&found.arena);
  return changed;
}

static uint32_t constant(LLVMValueRef value) {
  return LLVMIsAConstantInt(value) != NULL ? (uint32_t)LLVMConstIntGetZExtValue(value)
                                           : LIN_UNCLEAR;
}

bool lin_ir_is_point(LLVMValueRef instruction, lin_ir_point *point) {
  if (LLVMIsACallInst(instruction) == NULL ||
      LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) == NULL)
    return false;
  size_t length;
  const char *assembly = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(instruction), &length);
  if (length != strlen(text) || memcmp(assembly, text, length) != 0)
    return false;
  *point = (lin_ir_point){.mark = instruction,
                          .key = LLVMGetOperand(instruction, 0),
                          .bits = constant(LLVMGetOperand(instruction, 1)),
                          .algorithm = constant(LLVMGetOperand(instruction, 2)),
                          .neighbours = constant(LLVMGetOperand(instruction, 3))};
  return true;
}

LLVMValueRef lin_ir_add_point(LLVMValueRef before, LLVMValueRef key, uint32_t bits,
                              lin_algorithm algorithm, uint32_t neighbours) {
  LLVMTypeRef word = LLVMTypeOf(key);
  LLVMValueRef argument[4] = {key, LLVMConstInt(word, bits, false),
                              LLVMConstInt(word, algorithm, false),
                              LLVMConstInt(word, neighbours, false)};
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(word));
  LLVMPositionBuilderBefore(builder, before);
  LLVMValueRef made = build(builder, argument);
  LLVMDisposeBuilder(builder);
  return made;
}

// ---- kernels

static const char regrouped[] = "linearize-regrouped";

void lin_ir_mark_regrouped(LLVMValueRef kernel) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  LLVMAddAttributeAtIndex(
      kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
      LLVMCreateStringAttribute(context, regrouped, sizeof regrouped - 1, "", 0));
}

bool lin_ir_is_regrouped(LLVMValueRef kernel) {
  unsigned length;
  return lin_ir_string_attribute(kernel, regrouped, &length) != NULL;
}
