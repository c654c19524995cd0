// Instructions of 32-bit words, one behind the other, for code that the pass writes.
#ifndef LIN_LLVM_REGROUP_EMIT_H
#define LIN_LLVM_REGROUP_EMIT_H

#include "gpu/nvptx.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct lin_ir_emitter {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMValueRef function;
  LLVMBuilderRef builder;
  LLVMTypeRef word, flag, byte;
} lin_ir_emitter;

// For a function; to be ended by LLVMDisposeBuilder(e.builder). O(1).
lin_ir_emitter lin_ir_emitter_new(LLVMValueRef function);

static inline LLVMValueRef lin_ir_word(const lin_ir_emitter *e, uint32_t value) {
  return LLVMConstInt(e->word, value, false);
}

static inline LLVMValueRef lin_ir_add(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAdd(e->builder, a, b, "");
}

static inline LLVMValueRef lin_ir_subtract(const lin_ir_emitter *e, LLVMValueRef a,
                                           LLVMValueRef b) {
  return LLVMBuildSub(e->builder, a, b, "");
}

static inline LLVMValueRef lin_ir_multiply(const lin_ir_emitter *e, LLVMValueRef a,
                                           LLVMValueRef b) {
  return LLVMBuildMul(e->builder, a, b, "");
}

static inline LLVMValueRef lin_ir_and(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildAnd(e->builder, a, b, "");
}

static inline LLVMValueRef lin_ir_or(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildOr(e->builder, a, b, "");
}

static inline LLVMValueRef lin_ir_not(const lin_ir_emitter *e, LLVMValueRef a) {
  return LLVMBuildNot(e->builder, a, "");
}

static inline LLVMValueRef lin_ir_left(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef by) {
  return LLVMBuildShl(e->builder, a, by, "");
}

static inline LLVMValueRef lin_ir_right(const lin_ir_emitter *e, LLVMValueRef a, uint32_t by) {
  return by == 0 ? a : LLVMBuildLShr(e->builder, a, lin_ir_word(e, by), "");
}

static inline LLVMValueRef lin_ir_select(const lin_ir_emitter *e, LLVMValueRef condition,
                                         LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildSelect(e->builder, condition, a, b, "");
}

static inline LLVMValueRef lin_ir_compare(const lin_ir_emitter *e, LLVMIntPredicate how,
                                          LLVMValueRef a, LLVMValueRef b) {
  return LLVMBuildICmp(e->builder, how, a, b, "");
}

static inline LLVMValueRef lin_ir_below(const lin_ir_emitter *e, LLVMValueRef a, LLVMValueRef b) {
  return lin_ir_compare(e, LLVMIntULT, a, b);
}

static inline LLVMValueRef lin_ir_is(const lin_ir_emitter *e, LLVMValueRef a, uint32_t value) {
  return lin_ir_compare(e, LLVMIntEQ, a, lin_ir_word(e, value));
}

static inline LLVMValueRef lin_ir_load(const lin_ir_emitter *e, LLVMValueRef at) {
  return LLVMBuildLoad2(e->builder, e->word, at, "");
}

static inline void lin_ir_store(const lin_ir_emitter *e, LLVMValueRef value, LLVMValueRef at) {
  LLVMBuildStore(e->builder, value, at);
}

// The address of `index` things of `type` behind `at`. O(1).
LLVMValueRef lin_ir_at(const lin_ir_emitter *e, LLVMTypeRef type, LLVMValueRef at,
                       LLVMValueRef index);

// Shared memory of the kernel's own; `name` is what its own begins with. O(1).
LLVMValueRef lin_ir_shared_memory(const lin_ir_emitter *e, const char *name, uint32_t bytes,
                                  uint32_t align);

// A new block at the end of the function, which the builder stays out of. O(1).
LLVMBasicBlockRef lin_ir_new_block(const lin_ir_emitter *e, const char *name);

// Goes on in `block`. O(1).
static inline void lin_ir_go_on(const lin_ir_emitter *e, LLVMBasicBlockRef block) {
  LLVMPositionBuilderAtEnd(e->builder, block);
}

// A call of an LLVM intrinsic without overloaded types. O(1).
LLVMValueRef lin_ir_call(const lin_ir_emitter *e, const char *name, LLVMValueRef *argument,
                         unsigned count);

// A register along an axis from 0. O(rows of gpu/nvptx.def).
LLVMValueRef lin_ir_special(const lin_ir_emitter *e, lin_nvptx_family family, int axis);

// How many bits are set. O(1).
LLVMValueRef lin_ir_count_ones(const lin_ir_emitter *e, LLVMValueRef value);

// Of the lanes of `who`, all of which come here: those with `yes`. O(1).
LLVMValueRef lin_ir_ballot(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef yes);

// What `value` is in another lane, all of `who` come here. O(1).
LLVMValueRef lin_ir_shuffle(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef value,
                            LLVMValueRef lane);

// The sum of `value` in this lane and those below it, of 2^steps at most; all of `who` come here.
// O(steps).
LLVMValueRef lin_ir_scan(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef lane,
                         LLVMValueRef value, uint32_t steps);

// The bits that `value` has in any lane, all of `who` come here; in lanes from 2^steps on it has
// none. O(steps).
LLVMValueRef lin_ir_any_bits(const lin_ir_emitter *e, LLVMValueRef who, LLVMValueRef value,
                             uint32_t steps);

// The lanes of `who` come together. O(1).
void lin_ir_sync_warp(const lin_ir_emitter *e, LLVMValueRef who);

// Waits for all threads of the block. O(1).
void lin_ir_barrier(const lin_ir_emitter *e);

// The same; returns how many of them have `yes`. O(1).
LLVMValueRef lin_ir_barrier_count(const lin_ir_emitter *e, LLVMValueRef yes);

// Has LLVM and ptxas not unroll the loop that `branch` goes around. O(1).
void lin_ir_keep_rolled(const lin_ir_emitter *e, LLVMValueRef branch);

#endif
