// Variables, as they are while a function is written: variables.c finds them, settings.c sets them,
// and readings.c has every use read them.
#ifndef LIN_LLVM_WRITE_VARIABLES_H
#define LIN_LLVM_WRITE_VARIABLES_H

#include "linearize/webs.h"
#include "writer.h"

typedef struct lin_setting {
  lin_block block;
  LLVMValueRef value; // at the end of the block
  struct lin_setting *next;
} lin_setting;

struct lin_variables {
  lin_numbers number;
  uint32_t count, capacity;
  LLVMValueRef *value;
  lin_numbers position; // of all instructions in their blocks
  lin_web_value *place;
  lin_place *use;
  uint32_t num_uses, use_capacity;
  lin_webs *webs;
  lin_setting **settings; // [num_webs] of blocks that choose, rising
  LLVMValueRef *placeholder;
  uint32_t num_placeholders, placeholder_capacity;
};

// Whether a value is a phi that becomes what its web holds: its block is entered otherwise than
// before. O(1).
static inline bool lin_writer_dissolves(const writer *w, LLVMValueRef value) {
  return LLVMIsAPHINode(value) && w->entered[lin_writer_place(w, LLVMGetInstructionParent(value))];
}

#endif
