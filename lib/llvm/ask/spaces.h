// NVPTX's address spaces, as LLVM numbers them.
#ifndef LIN_LLVM_ASK_SPACES_H
#define LIN_LLVM_ASK_SPACES_H

enum {
  LIN_IR_GENERIC = 0,
  LIN_IR_GLOBAL = 1,
  LIN_IR_SHARED = 3,
  LIN_IR_CONSTANT = 4,
  LIN_IR_LOCAL = 5,
  LIN_IR_SHARED_CLUSTER = 7,
  LIN_IR_PARAMETER = 101,
};

#endif
