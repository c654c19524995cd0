#include "slots.h"

#include "counts/description.h"
#include "gpu/nvptx.h"
#include "llvm/ask/spaces.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMTypeRef word; // 32 bits
} writer;

static LLVMValueRef read_register(const writer *w, lin_nvptx_family family, int axis) {
  char text[LIN_NVPTX_NAME];
  const char *name = lin_nvptx_reads(family, axis, text);
  LLVMValueRef function =
      LLVMGetIntrinsicDeclaration(w->module, LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  return LLVMBuildCall2(w->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
}

static LLVMValueRef add(const writer *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAdd(w->builder, a, b, "");
}

static LLVMValueRef multiply(const writer *w, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildMul(w->builder, a, b, "");
}

static LLVMValueRef load_field(const writer *w, LLVMValueRef variable, size_t offset,
                               LLVMTypeRef type) {
  LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(w->context), offset, false);
  LLVMTypeRef byte = LLVMInt8TypeInContext(w->context);
  return LLVMBuildLoad2(w->builder, type, LLVMBuildGEP2(w->builder, byte, variable, &at, 1, ""),
                        "");
}

// Sets *is_counted; returns the slot.
static LLVMValueRef find_slot(const writer *w, LLVMValueRef variable, LLVMValueRef capacity,
                              LLVMValueRef *is_counted) {
  LLVMValueRef nx = read_register(w, LIN_NVPTX_NTID, 0), ny = read_register(w, LIN_NVPTX_NTID, 1),
               nz = read_register(w, LIN_NVPTX_NTID, 2), tx = read_register(w, LIN_NVPTX_TID, 0),
               ty = read_register(w, LIN_NVPTX_TID, 1), tz = read_register(w, LIN_NVPTX_TID, 2),
               mx = read_register(w, LIN_NVPTX_NCTAID, 0),
               my = read_register(w, LIN_NVPTX_NCTAID, 1),
               bx = read_register(w, LIN_NVPTX_CTAID, 0), by = read_register(w, LIN_NVPTX_CTAID, 1),
               bz = read_register(w, LIN_NVPTX_CTAID, 2);
  LLVMValueRef block = add(w, multiply(w, add(w, multiply(w, bz, my), by), mx), bx);
  LLVMValueRef thread = add(w, multiply(w, add(w, multiply(w, tz, ny), ty), nx), tx);
  LLVMValueRef sample = load_field(w, variable, offsetof(lin_count_variable, sample), w->word);
  LLVMValueRef number = LLVMBuildUDiv(w->builder, block, sample, "");
  LLVMValueRef is_first =
      LLVMBuildICmp(w->builder, LLVMIntEQ, multiply(w, number, sample), block, "");
  LLVMValueRef slot = add(w, multiply(w, number, multiply(w, multiply(w, nx, ny), nz)), thread);
  LLVMValueRef is_there = LLVMBuildICmp(w->builder, LLVMIntULT, slot, capacity, "");
  *is_counted = LLVMBuildAnd(w->builder, is_first, is_there, "");
  return slot;
}

// `to` + step words.
static LLVMValueRef advance(const writer *w, LLVMValueRef to, LLVMValueRef step) {
  return LLVMBuildGEP2(w->builder, w->word, to, &step, 1, "");
}

// Has ptxas not unroll the loop that `branch` goes around: it would make registers of local memory.
static void keep_rolled(const writer *w, LLVMValueRef branch) {
  static const char disable[] = "llvm.loop.unroll.disable";
  LLVMMetadataRef text = LLVMMDStringInContext2(w->context, disable, sizeof disable - 1);
  LLVMMetadataRef self = LLVMTemporaryMDNode(w->context, NULL, 0);
  LLVMMetadataRef parts[] = {self, LLVMMDNodeInContext2(w->context, &text, 1)};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(w->context, parts, 2);
  LLVMMetadataReplaceAllUsesWith(self, loop);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(w->context, "llvm.loop", 9),
                  LLVMMetadataAsValue(w->context, loop));
}

// A loop, so that few of them are in registers at a time. The first is written to `to`.
static void write_memory(const writer *w, LLVMValueRef function, lin_ir_slots slots,
                         LLVMValueRef to, LLVMValueRef stride) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(w->builder),
                    loop = LLVMAppendBasicBlockInContext(w->context, function, ""),
                    end = LLVMAppendBasicBlockInContext(w->context, function, "");
  LLVMValueRef zero = LLVMConstInt(w->word, 0, false), one = LLVMConstInt(w->word, 1, false);
  LLVMBuildBr(w->builder, loop);
  LLVMPositionBuilderAtEnd(w->builder, loop);
  LLVMValueRef i = LLVMBuildPhi(w->builder, w->word, ""),
               at = LLVMBuildPhi(w->builder, LLVMTypeOf(to), "");
  LLVMValueRef behind = advance(w, at, stride), next = add(w, i, one);
  LLVMValueRef from = advance(w, LLVMGetParam(function, slots.in_registers), i);
  LLVMBuildStore(w->builder, LLVMBuildLoad2(w->builder, w->word, from, ""), at);
  LLVMAddIncoming(i, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){before, loop}, 2);
  LLVMAddIncoming(at, (LLVMValueRef[]){to, behind}, (LLVMBasicBlockRef[]){before, loop}, 2);
  LLVMValueRef count = LLVMConstInt(w->word, slots.in_memory, false);
  LLVMValueRef more = LLVMBuildICmp(w->builder, LLVMIntULT, next, count, "");
  keep_rolled(w, LLVMBuildCondBr(w->builder, more, loop, end));
  LLVMPositionBuilderAtEnd(w->builder, end);
}

static void write_counters(const writer *w, LLVMValueRef function, LLVMValueRef variable,
                           LLVMValueRef capacity, LLVMValueRef slot, lin_ir_slots slots) {
  LLVMTypeRef wide = LLVMInt64TypeInContext(w->context);
  LLVMValueRef at = load_field(w, variable, offsetof(lin_count_variable, buffer),
                               LLVMPointerTypeInContext(w->context, LIN_IR_GLOBAL));
  LLVMValueRef stride = LLVMBuildZExt(w->builder, capacity, wide, "");
  at = advance(w, at, LLVMBuildZExt(w->builder, slot, wide, ""));
  for (uint32_t i = 0; i < slots.in_registers; i++) {
    LLVMBuildStore(w->builder, LLVMGetParam(function, i), at);
    at = advance(w, at, stride);
  }
  if (slots.in_memory > 0)
    write_memory(w, function, slots, at, stride);
}

static LLVMValueRef declare(const writer *w, const char *name, lin_ir_slots slots) {
  LLVMTypeRef *types = calloc((size_t)slots.in_registers + 1, sizeof *types);
  if (types == NULL)
    abort();
  for (uint32_t i = 0; i < slots.in_registers; i++)
    types[i] = w->word;
  types[slots.in_registers] = LLVMPointerTypeInContext(w->context, LIN_IR_LOCAL);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(w->context), types,
                                      slots.in_registers + (slots.in_memory > 0), false);
  LLVMValueRef function = LLVMAddFunction(w->module, name, type);
  free(types);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  static const char always[] = "alwaysinline";
  unsigned kind = LLVMGetEnumAttributeKindForName(always, sizeof always - 1);
  LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(w->context, kind, 0));
  return function;
}

LLVMValueRef lin_ir_slot_writer(LLVMModuleRef module, LLVMValueRef variable, const char *name,
                                lin_ir_slots slots) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  writer w = {module, context, LLVMCreateBuilderInContext(context),
              LLVMInt32TypeInContext(context)};
  LLVMValueRef function = declare(&w, name, slots);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, function, ""),
                    write = LLVMAppendBasicBlockInContext(context, function, ""),
                    end = LLVMAppendBasicBlockInContext(context, function, "");
  LLVMPositionBuilderAtEnd(w.builder, entry);
  LLVMValueRef is_counted,
      capacity = load_field(&w, variable, offsetof(lin_count_variable, capacity), w.word),
      slot = find_slot(&w, variable, capacity, &is_counted);
  LLVMBuildCondBr(w.builder, is_counted, write, end);
  LLVMPositionBuilderAtEnd(w.builder, write);
  write_counters(&w, function, variable, capacity, slot, slots);
  LLVMBuildBr(w.builder, end);
  LLVMPositionBuilderAtEnd(w.builder, end);
  LLVMBuildRetVoid(w.builder);
  LLVMDisposeBuilder(w.builder);
  return function;
}
