#include "notice.h"

#include "again.h"
#include "points.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/names.h"

#include <string.h>

// ---- wherever it stands

static bool asks_clock(LLVMValueRef at) {
  const char *name = lin_ir_called_name(at);
  return lin_nvptx_is(lin_ir_register_read(at), LIN_NVPTX_CLOCK) ||
         strcmp(name, "llvm.readcyclecounter") == 0 || strcmp(name, "llvm.readsteadycounter") == 0;
}

static bool is_volatile(LLVMValueRef at) {
  return (LLVMIsALoadInst(at) != NULL || LLVMIsAStoreInst(at) != NULL ||
          LLVMIsAAtomicRMWInst(at) != NULL || LLVMIsAAtomicCmpXchgInst(at) != NULL) &&
         LLVMGetVolatile(at);
}

static const char *notices_anywhere(LLVMValueRef at) {
  lin_ir_point point;
  if (lin_ir_is_point(at, &point))
    return "the kernel has points of its own, linearize_reorder(): add one here, too";
  if (lin_ir_is_of_lane(at))
    return "the kernel asks for its lane or its warp's number: use threadIdx";
  if (asks_clock(at))
    return "the kernel reads a clock: take it out, or write linearize_reorder()";
  if (is_volatile(at))
    return "the kernel has volatile accesses, by which threads of a warp may talk to each other: "
           "use barriers, or write linearize_reorder() if they don't";
  return NULL;
}

// ---- behind a point

static const char *notices_barrier(LLVMValueRef call, bool is_apart) {
  return is_apart && lin_ir_is_plain_barrier(call)
             ? "a barrier stands where not all threads of the block may come at the same time: "
               "take "
               "__syncthreads() out of the loop or the branch, and let no thread return before"
             : NULL;
}

static const char *notices_call(LLVMValueRef call) {
  LLVMValueRef called = LLVMGetCalledValue(call), body;
  const char *name = lin_ir_called_name(call);
  if (LLVMIsAInlineAsm(called) != NULL)
    return lin_ir_is_arithmetic(called)
               ? NULL
               : "assembly stands behind, which may ask which thread runs it: write "
                 "linearize_reorder() if it doesn't";
  if (LLVMIsAFunction(called) == NULL || LLVMGetIntrinsicID(called) == 0)
    return lin_ir_is_of_runtime(name)
               ? NULL
               : "a function is called behind, which may ask which thread runs "
                 "it: declare it __forceinline__";
  if (lin_ir_is_plain_barrier(call))
    return NULL;
  if (lin_nvptx_is(lin_ir_intrinsic(call), LIN_NVPTX_MATRIX) ||
      (lin_ir_own_effects(call, &body) & (LIN_WAITS | LIN_CROSS_LANE)) != 0)
    return "a warp operation stands behind, and would be with other threads: take it out of "
           "there, or write linearize_reorder() if any threads will do";
  return NULL;
}

const char *lin_ir_find_notice(const lin_ir_function *f, const bool *is_behind,
                               const bool *is_apart) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      const char *what = notices_anywhere(at);
      if (what == NULL && LLVMIsACallInst(at) != NULL)
        what = notices_barrier(at, is_apart[b]);
      if (what == NULL && is_behind[b] && LLVMIsACallInst(at) != NULL)
        what = notices_call(at);
      if (what != NULL)
        return what;
    }
    if ((f->graph->flags[b] & (LIN_MAY_SPIN | LIN_POLLS)) != 0)
      return "threads may wait for what others write, as for a lock: write linearize_reorder() if "
             "nobody holds one here";
  }
  return NULL;
}
