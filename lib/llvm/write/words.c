// llc loads one byte of a word of which a branch tests but one bit:
//
//     %x = load i32, ptr %p                   %x = load i32, ptr %p
//     %b = and i32 %x, 8            ─▶        %w = freeze i32 %x
//     %c = icmp eq i32 %b, 0                  %b = and i32 %w, 8
//     br %c, ...                              %c = icmp eq i32 %b, 0
//
// A warp's loads of bytes that are partly in the first-level cache and partly on the way there take
// more passes through it than loads of words (on an H200 10% more, and 8% more time, for
// bench/kernels/short_circuit_8 with 256 KB). Where a guard brings threads together they are many
// at such a load. llc doesn't look through a freeze, which is nothing in machine code.
#include "writer.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_STEPS = 4, BYTE = 8 };

// True for what llc takes a part of a word by.
static bool is_part(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMTrunc:
    return true;
  case LLVMAnd:
  case LLVMLShr:
  case LLVMICmp:
    return LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
  default:
    return false;
  }
}

static bool is_word(LLVMValueRef load) {
  LLVMTypeRef type = LLVMTypeOf(load);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > BYTE;
}

// The word that `condition` tests a part of, if nothing else reads it, else NULL.
static LLVMValueRef word_tested(LLVMValueRef condition) {
  LLVMValueRef value = condition;
  for (int i = 0; i < MOST_STEPS && is_part(value); i++) {
    LLVMValueRef reader = value;
    value = LLVMGetOperand(value, 0);
    if (!LLVMIsAInstruction(value) || lin_ir_only_reader(value) != reader)
      return NULL;
  }
  return LLVMIsALoadInst(value) && is_word(value) ? value : NULL;
}

void lin_writer_keep_words(const writer *w) {
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    if (lin_writer_input(w, block) == LIN_NONE || !lin_writer_sets_guard(w, block))
      continue;
    LLVMValueRef condition = lin_ir_condition(w->block[block]);
    LLVMValueRef load = condition == NULL ? NULL : word_tested(condition);
    if (load == NULL)
      continue;
    LLVMValueRef reader = lin_ir_only_reader(load);
    LLVMPositionBuilderBefore(w->builder, LLVMGetNextInstruction(load));
    LLVMValueRef word = LLVMBuildFreeze(w->builder, load, "");
    LLVMInstructionSetDebugLoc(word, LLVMInstructionGetDebugLoc(load));
    LLVMSetOperand(reader, 0, word);
  }
}
