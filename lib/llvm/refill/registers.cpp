#include "registers.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

void lin_ir_make_registers(LLVMValueRef Kernel, LLVMValueRef *Slot, unsigned Count) {
  DominatorTree Tree(*unwrap<Function>(Kernel));
  SmallVector<AllocaInst *, 32> Slots;
  for (unsigned I = 0; I < Count; ++I)
    if (auto *A = unwrap<AllocaInst>(Slot[I]); isAllocaPromotable(A))
      Slots.push_back(A);
  PromoteMemToReg(Slots, Tree);
}

void lin_ir_drop_records(LLVMValueRef Kernel) {
  for (Instruction &I : instructions(*unwrap<Function>(Kernel)))
    I.dropDbgRecords();
}
