#include "index.h"

#include "llvm/ask/alone.h"
#include "llvm/ask/names.h"

lin_ir_index lin_ir_find_index(lin_arena *arena, LLVMValueRef kernel) {
  lin_ir_index r = {NULL, 0, 0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      if (!lin_ir_is_of_index(lin_ir_register_read(at)))
        continue;
      r.read = LIN_ROOM(arena, r.read, r.count, &r.room);
      r.read[r.count++] = at;
    }
  return r;
}

// Of the x of a register.
static bool is_read_of(LLVMValueRef value, lin_nvptx_family family) {
  const lin_nvptx *read = lin_ir_register_read(value);
  return lin_nvptx_is(read, family) && lin_nvptx_axis(read) == 0;
}

// ---- arithmetic --------------------------------------------------------------------------------

// And back: place[axis].
static void unflatten(const lin_ir_site *s, LLVMValueRef place, lin_nvptx_family number, int axes,
                      LLVMValueRef *index) {
  for (int axis = 0; axis < axes - 1; axis++) {
    LLVMValueRef size = lin_ir_read_register(s, number, axis);
    LLVMValueRef rest = LLVMBuildUDiv(s->builder, place, size, "");
    index[axis] = LLVMBuildSub(s->builder, place, LLVMBuildMul(s->builder, rest, size, ""), "");
    place = rest;
  }
  index[axes - 1] = place;
}

// ---- what is replaced --------------------------------------------------------------------------

static bool is_product(LLVMValueRef value) {
  if (LLVMIsABinaryOperator(value) == NULL || LLVMGetInstructionOpcode(value) != LLVMMul)
    return false;
  LLVMValueRef a = LLVMGetOperand(value, 0), b = LLVMGetOperand(value, 1);
  return (is_read_of(a, LIN_NVPTX_CTAID) && is_read_of(b, LIN_NVPTX_NTID)) ||
         (is_read_of(b, LIN_NVPTX_CTAID) && is_read_of(a, LIN_NVPTX_NTID));
}

// blockIdx.x * blockDim.x + threadIdx.x, as `read`, which is of tid.x, is used for it.
static bool is_place(LLVMValueRef user, LLVMValueRef read) {
  if (LLVMIsABinaryOperator(user) == NULL || LLVMGetInstructionOpcode(user) != LLVMAdd)
    return false;
  LLVMValueRef a = LLVMGetOperand(user, 0), b = LLVMGetOperand(user, 1);
  return (a == read && is_product(b)) || (b == read && is_product(a));
}

static void replace_places(LLVMValueRef read, LLVMValueRef thread) {
  for (LLVMUseRef use = LLVMGetFirstUse(read), next; use != NULL; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (is_place(user, read))
      LLVMReplaceAllUsesWith(user, thread);
  }
}

static void drop(LLVMValueRef instruction) {
  if (LLVMGetFirstUse(instruction) == NULL)
    LLVMInstructionEraseFromParent(instruction);
}

// Those sums, and what they are made of, that nobody needs any more.
static void drop_places(LLVMValueRef kernel) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetLastInstruction(block), previous; at != NULL; at = previous) {
      previous = LLVMGetPreviousInstruction(at);
      const bool is_sum =
          LLVMIsABinaryOperator(at) != NULL &&
          (is_place(at, LLVMGetOperand(at, 0)) || is_place(at, LLVMGetOperand(at, 1)));
      if (is_sum || is_product(at) || is_read_of(at, LIN_NVPTX_NTID))
        drop(at);
    }
}

static void replace_rest(const lin_ir_site *s, const lin_ir_index *r, LLVMValueRef thread,
                         int axes) {
  LLVMValueRef index[2][LIN_IR_AXES] = {{NULL}};
  bool is_needed = false;
  for (uint32_t i = 0; i < r->count; i++)
    is_needed |= LLVMGetFirstUse(r->read[i]) != NULL;
  if (!is_needed)
    return;
  LLVMValueRef threads = lin_ir_threads_of_block(s, axes);
  LLVMValueRef block = LLVMBuildUDiv(s->builder, thread, threads, "");
  LLVMValueRef within =
      LLVMBuildSub(s->builder, thread, LLVMBuildMul(s->builder, block, threads, ""), "");
  unflatten(s, within, LIN_NVPTX_NTID, axes, index[0]);
  unflatten(s, block, LIN_NVPTX_NCTAID, axes, index[1]);
  for (uint32_t i = 0; i < r->count; i++) {
    const lin_nvptx *read = lin_ir_register_read(r->read[i]);
    LLVMReplaceAllUsesWith(r->read[i],
                           index[lin_nvptx_is(read, LIN_NVPTX_CTAID)][lin_nvptx_axis(read)]);
  }
}

// ---- all of it ---------------------------------------------------------------------------------

void lin_ir_replace_index(const lin_ir_site *s, LLVMValueRef kernel, const lin_ir_index *r,
                          LLVMValueRef thread, bool is_line) {
  for (uint32_t i = 0; i < r->count && is_line; i++)
    if (is_read_of(r->read[i], LIN_NVPTX_TID))
      replace_places(r->read[i], thread);
  if (is_line)
    drop_places(kernel);
  replace_rest(s, r, thread, is_line ? 1 : LIN_IR_AXES);
  for (uint32_t i = 0; i < r->count; i++)
    drop(r->read[i]);
}
