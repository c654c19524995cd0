#include "split.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

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

bool lin_ir_join_edges(LLVMBasicBlockRef Block, LLVMBasicBlockRef const *From, unsigned Count) {
  BasicBlock *To = unwrap(Block)->getSingleSuccessor();
  if (!To || !TryToSimplifyUncondBranchFromEmptyBlock(unwrap(Block)))
    return false;
  for (PHINode &Phi : To->phis())
    for (unsigned I = 0; I < Count && Phi.getNumIncomingValues() == Count; ++I) {
      const int At = Phi.getBasicBlockIndex(unwrap(From[I]));
      if (At < 0)
        return false;
      Value *Its = Phi.getIncomingValue(At);
      Phi.setIncomingBlock(At, Phi.getIncomingBlock(I));
      Phi.setIncomingValue(At, Phi.getIncomingValue(I));
      Phi.setIncomingBlock(I, unwrap(From[I]));
      Phi.setIncomingValue(I, Its);
    }
  return true;
}

void lin_ir_copy_place(LLVMValueRef From, LLVMValueRef To) {
  if (const auto &Place = unwrap<Instruction>(From)->getDebugLoc())
    unwrap<Instruction>(To)->setDebugLoc(Place);
}
