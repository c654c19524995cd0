#include "emit.h"
#include "llvm/ask/spaces.h"
#include "llvm/ask/target.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

lin_ir_emitter lin_ir_emitter_new(LLVMValueRef function) {
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMContextRef context = LLVMGetModuleContext(module);
  return (lin_ir_emitter){.module = module,
                          .context = context,
                          .function = function,
                          .builder = LLVMCreateBuilderInContext(context),
                          .word = LLVMInt32TypeInContext(context),
                          .flag = LLVMInt1TypeInContext(context),
                          .byte = LLVMInt8TypeInContext(context)};
}

LLVMValueRef lin_ir_at(const lin_ir_emitter *e, LLVMTypeRef type, LLVMValueRef at,
                       LLVMValueRef index) {
  return LLVMBuildGEP2(e->builder, type, at, &index, 1, "");
}

LLVMValueRef lin_ir_shared_memory(const lin_ir_emitter *e, const char *name, uint32_t bytes,
                                  uint32_t align) {
  size_t length;
  char text[256];
  snprintf(text, sizeof text, "%s.%.200s", name, LLVMGetValueName2(e->function, &length));
  LLVMTypeRef type = LLVMArrayType2(e->word, (bytes + 3) / 4);
  LLVMValueRef memory = LLVMAddGlobalInAddressSpace(e->module, type, text, LIN_IR_SHARED);
  LLVMSetInitializer(memory, LLVMGetUndef(type));
  LLVMSetLinkage(memory, LLVMInternalLinkage);
  LLVMSetAlignment(memory, align < 4 ? 4 : align);
  return memory;
}

LLVMBasicBlockRef lin_ir_new_block(const lin_ir_emitter *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->context, e->function, name);
}

static LLVMValueRef call(const lin_ir_emitter *e, unsigned intrinsic, LLVMTypeRef *types,
                         size_t num_types, LLVMValueRef *argument, unsigned count) {
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module, intrinsic, types, num_types);
  return LLVMBuildCall2(e->builder, LLVMGlobalGetValueType(function), function, argument, count,
                        "");
}

LLVMValueRef lin_ir_call(const lin_ir_emitter *e, const char *name, LLVMValueRef *argument,
                         unsigned count) {
  unsigned intrinsic = LLVMLookupIntrinsicID(name, strlen(name));
  assert(intrinsic != 0 && "LLVM knows it");
  return call(e, intrinsic, NULL, 0, argument, count);
}

LLVMValueRef lin_ir_special(const lin_ir_emitter *e, lin_nvptx_family family, int axis) {
  char text[LIN_NVPTX_NAME];
  return lin_ir_call(e, lin_nvptx_reads(family, axis, text), NULL, 0);
}

LLVMValueRef lin_ir_count_ones(const lin_ir_emitter *e, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return call(e, LLVMLookupIntrinsicID("llvm.ctpop", strlen("llvm.ctpop")), &type, 1, &value, 1);
}

LLVMValueRef lin_ir_ballot(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef yes) {
  return lin_ir_call(e, LIN_NVVM_BALLOT, (LLVMValueRef[]){who, yes}, 2);
}

LLVMValueRef lin_ir_shuffle(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef value,
                            LLVMValueRef lane) {
  LLVMValueRef argument[] = {who, value, lane, lin_ir_word(e, 31)};
  return lin_ir_call(e, LIN_NVVM_SHUFFLE, argument, 4);
}

LLVMValueRef lin_ir_scan(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef lane,
                         LLVMValueRef value, uint32_t steps) {
  for (uint32_t step = 0; step < steps; step++) {
    LLVMValueRef by = lin_ir_word(e, UINT32_C(1) << step), zero = lin_ir_word(e, 0),
                 argument[] = {who, value, by, zero},
                 lower = lin_ir_call(e, LIN_NVVM_SHUFFLE_UP, argument, 4),
                 is_first = lin_ir_below(e, lane, by);
    value = lin_ir_add(e, value, lin_ir_select(e, is_first, zero, lower));
  }
  return value;
}

// From sm_80 on there is an instruction for it.
LLVMValueRef lin_ir_any_bits(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef value,
                             uint32_t steps) {
  if (lin_ir_target(e->function)->sm >= 80)
    return lin_ir_call(e, LIN_NVVM_REDUCE_OR, (LLVMValueRef[]){value, who}, 2);
  for (uint32_t step = 0; step < steps; step++) {
    LLVMValueRef argument[] = {who, value, lin_ir_word(e, UINT32_C(1) << step), lin_ir_word(e, 31)};
    value = lin_ir_or(e, value, lin_ir_call(e, LIN_NVVM_SHUFFLE_BUTTERFLY, argument, 4));
  }
  return lin_ir_shuffle(e, who, value, lin_ir_word(e, 0));
}

void lin_ir_sync_warp(const lin_ir_emitter *e, LLVMValueRef who) {
  lin_ir_call(e, LIN_NVVM_SYNC_WARP, &who, 1);
}

// LLVM 20 to 22 have given barriers other names.
void lin_ir_barrier(const lin_ir_emitter *e) {
  static const char now[] = LIN_NVVM_BARRIER;
  LLVMValueRef number = lin_ir_word(e, 0);
  if (LLVMLookupIntrinsicID(now, strlen(now)) != 0)
    lin_ir_call(e, now, &number, 1);
  else
    lin_ir_call(e, LIN_NVVM_OLD_BARRIER, NULL, 0);
}

LLVMValueRef lin_ir_barrier_count(const lin_ir_emitter *e, LLVMValueRef yes) {
  static const char now[] = LIN_NVVM_BARRIER_COUNT;
  if (LLVMLookupIntrinsicID(now, strlen(now)) != 0)
    return lin_ir_call(e, now, (LLVMValueRef[]){lin_ir_word(e, 0), yes}, 2);
  LLVMValueRef wide = LLVMBuildZExt(e->builder, yes, e->word, "");
  return lin_ir_call(e, LIN_NVVM_OLD_BARRIER_COUNT, &wide, 1);
}

void lin_ir_keep_rolled(const lin_ir_emitter *e, LLVMValueRef branch) {
  static const char disable[] = "llvm.loop.unroll.disable";
  LLVMMetadataRef text = LLVMMDStringInContext2(e->context, disable, sizeof disable - 1);
  LLVMMetadataRef self = LLVMTemporaryMDNode(e->context, NULL, 0);
  LLVMMetadataRef parts[] = {self, LLVMMDNodeInContext2(e->context, &text, 1)};
  LLVMMetadataRef loop = LLVMMDNodeInContext2(e->context, parts, 2);
  LLVMMetadataReplaceAllUsesWith(self, loop);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->context, "llvm.loop", 9),
                  LLVMMetadataAsValue(e->context, loop));
}
