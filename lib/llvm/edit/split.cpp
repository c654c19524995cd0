#include "split.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

LLVMBasicBlockRef lin_ir_split_before(LLVMValueRef Instruction, const char *Name) {
  auto *I = unwrap<llvm::Instruction>(Instruction);
  return wrap(I->getParent()->splitBasicBlock(I->getIterator(), Name));
}

LLVMBasicBlockRef lin_ir_split_edges(LLVMBasicBlockRef Block, LLVMBasicBlockRef *From,
                                     unsigned Count, const char *Name) {
  SmallVector<BasicBlock *, 8> Blocks;
  for (unsigned I = 0; I < Count; ++I)
    Blocks.push_back(unwrap(From[I]));
  BasicBlock *Made =
      SplitBlockPredecessors(unwrap(Block), Blocks, Name, static_cast<DominatorTree *>(nullptr));
  return wrap(Made);
}

void lin_ir_merge_into_former(LLVMBasicBlockRef Block) { MergeBlockIntoPredecessor(unwrap(Block)); }

void lin_ir_copy_place(LLVMValueRef From, LLVMValueRef To) {
  if (const auto &Place = unwrap<Instruction>(From)->getDebugLoc())
    unwrap<Instruction>(To)->setDebugLoc(Place);
}
