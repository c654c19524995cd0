#include "alone.h"

#include "calls.h"
#include "effects.h"
#include "names.h"
#include "numbers.h"
#include "questions.h"
#include "spaces.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = 64 };

typedef struct finding {
  lin_ir_alone result;
  lin_arena *arena;
  LLVMValueRef kernel, function;
  lin_ir_called called; // to be looked at
  lin_numbers seen;     // those
  bool has_atomics;
  LLVMAtomicRMWBinOp operation; // of the first of them
} finding;

__attribute__((format(printf, 3, 4))) static bool refuse(finding *f, LLVMValueRef at,
                                                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(f->result.why, sizeof f->result.why, format, arguments);
  va_end(arguments);
  f->result.where = at;
  return false;
}

// ---- registers ---------------------------------------------------------------------------------

static const char *name_of(LLVMValueRef function) {
  size_t length;
  return LLVMGetValueName2(function, &length);
}

bool lin_ir_is_of_index(const lin_nvptx *read) {
  return lin_nvptx_is(read, LIN_NVPTX_TID) || lin_nvptx_is(read, LIN_NVPTX_CTAID);
}

static bool look_at_register(finding *f, LLVMValueRef at, const lin_nvptx *read) {
  if (read->gives == LIN_GIVES_LAUNCH)
    return true;
  if (!lin_ir_is_of_index(read))
    return refuse(f, at, "it reads %s, which says more of a thread than its index",
                  lin_nvptx_behind_register(lin_ir_called_name(at)));
  if (f->function != f->kernel)
    return refuse(f, at, "it calls %.60s, which isn't inlined and reads the thread's index",
                  name_of(f->function));
  f->result.is_line &= lin_nvptx_axis(read) == 0;
  return true;
}

// ---- memory ------------------------------------------------------------------------------------

static bool is_shared(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
         LLVMGetPointerAddressSpace(type) == LIN_IR_SHARED;
}

// Constant expressions of many parts count as shared.
static bool mentions_shared(LLVMValueRef value) {
  LLVMValueRef part[MOST_PARTS] = {value};
  for (unsigned count = 1; count > 0;) {
    LLVMValueRef at = part[--count];
    if (is_shared(LLVMTypeOf(at)))
      return true;
    if (LLVMIsAConstantExpr(at) == NULL)
      continue;
    for (int i = 0; i < LLVMGetNumOperands(at); i++) {
      if (count == MOST_PARTS)
        return true;
      part[count++] = LLVMGetOperand(at, (unsigned)i);
    }
  }
  return false;
}

static bool look_at_operands(finding *f, LLVMValueRef at) {
  for (int i = 0; i < LLVMGetNumOperands(at); i++)
    if (mentions_shared(LLVMGetOperand(at, (unsigned)i)))
      return refuse(f, at, "threads of a block share memory");
  return true;
}

static bool look_at_atomic(finding *f, LLVMValueRef at) {
  if (LLVMGetFirstUse(at) != NULL)
    return refuse(f, at, "results of atomic operations tell which thread came first");
  LLVMAtomicRMWBinOp operation = LLVMGetAtomicRMWBinOp(at);
  if (operation == LLVMAtomicRMWBinOpSub)
    operation = LLVMAtomicRMWBinOpAdd;
  if (!lin_ir_is_of_any_order(operation) || (f->has_atomics && operation != f->operation))
    return refuse(f, at,
                  "atomic operations, on floats or of several kinds, depend on the threads' "
                  "order");
  f->has_atomics = true;
  f->operation = operation;
  return true;
}

// The function and all that it calls are to be looked at, too.
static void add_called(finding *f, LLVMValueRef function) {
  const lin_ir_called all = lin_ir_find_called(f->arena, function);
  for (uint32_t i = 0; i < all.count; i++) {
    if (lin_numbers_find(&f->seen, all.function[i]) != LIN_NONE)
      continue;
    lin_numbers_add(f->arena, &f->seen, all.function[i], 0);
    f->called.function =
        LIN_ROOM(f->arena, f->called.function, f->called.count, &f->called.capacity);
    f->called.function[f->called.count++] = all.function[i];
  }
}

// ---- calls -------------------------------------------------------------------------------------

// What waits, polls, or has to be run by threads together.
static bool is_of_several(LLVMValueRef at, LLVMValueRef called) {
  LLVMValueRef callee;
  return lin_ir_attribute(called, "convergent") != NULL ||
         (lin_ir_own_effects(at, &callee) & (LIN_WAITS | LIN_POLLS | LIN_CROSS_LANE)) != 0;
}

static bool look_at_intrinsic(finding *f, LLVMValueRef at, LLVMValueRef called) {
  static const char *const memory[] = {"llvm.memcpy", "llvm.memmove", "llvm.memset", NULL};
  const char *name = name_of(called);
  const lin_nvptx *read = lin_ir_register_read(at);
  if (read != NULL)
    return look_at_register(f, at, read);
  if (lin_nvptx_behind(name) != NULL) {
    if (is_of_several(at, called) || !lin_ir_never_writes(called))
      return refuse(f, at, "threads wait for each other or exchange values (%s)",
                    lin_nvptx_behind(name));
    return true;
  }
  for (const char *const *known = memory; *known != NULL; known++)
    if (lin_ir_begins_with(name, *known) &&
        LLVMConstIntGetZExtValue(LLVMGetOperand(at, (unsigned)LLVMGetNumOperands(at) - 2)) != 0)
      return refuse(f, at, "memory is volatile: others may be waiting for it");
  if (lin_ir_begins_with(name, "llvm.read") || lin_ir_begins_with(name, "llvm.write"))
    return refuse(f, at, "it reads or writes a register (%s)", name);
  return true;
}

static bool look_at_call(finding *f, LLVMValueRef at) {
  LLVMValueRef called = LLVMGetCalledValue(at);
  if (LLVMIsAInlineAsm(called) != NULL) {
    LLVMValueRef callee = NULL;
    if (!lin_ir_is_arithmetic(called) && !lin_ir_only_passes(at, &callee))
      return refuse(f, at, "it has inline assembly that does more than compute");
    if (callee != NULL)
      add_called(f, callee);
    return true;
  }
  if (LLVMIsAFunction(called) == NULL)
    return refuse(f, at, "it calls a function by pointer");
  if (LLVMGetIntrinsicID(called) != 0)
    return look_at_intrinsic(f, at, called);
  if (lin_ir_called_by(at) == NULL && lin_nvptx_behind_libdevice(name_of(called)) == NULL)
    return refuse(f, at, "it calls %.60s, whose code isn't known here", name_of(called));
  return true;
}

// ---- instructions ------------------------------------------------------------------------------

static bool look_at_access(finding *f, LLVMValueRef at) {
  if (LLVMGetVolatile(at) || LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic)
    return refuse(f, at, "memory is volatile or atomic: others may be waiting for it");
  return true;
}

static bool look_at(finding *f, LLVMValueRef at) {
  if (!look_at_operands(f, at))
    return false;
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMLoad:
  case LLVMStore:
    return look_at_access(f, at);
  case LLVMAtomicRMW:
    return look_at_atomic(f, at);
  case LLVMAtomicCmpXchg:
    return refuse(f, at, "results of atomic operations tell which thread came first");
  case LLVMFence:
    return refuse(f, at, "threads tell each other that memory is written (a fence)");
  case LLVMCall:
    return look_at_call(f, at);
  case LLVMInvoke:
  case LLVMCallBr:
    return refuse(f, at, "it has a call that is none of CUDA's");
  default:
    return true;
  }
}

static bool look_at_function(finding *f, LLVMValueRef function) {
  f->function = function;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (!look_at(f, at))
        return false;
  return true;
}

lin_ir_alone lin_ir_find_alone(lin_arena *arena, LLVMValueRef kernel) {
  finding f = {.arena = arena, .kernel = kernel, .result = {.is_alone = true, .is_line = true}};
  add_called(&f, kernel);
  for (uint32_t i = 0; i < f.called.count && f.result.is_alone; i++)
    f.result.is_alone = look_at_function(&f, f.called.function[i]);
  return f.result;
}
