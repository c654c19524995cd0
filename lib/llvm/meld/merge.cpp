#include "merge.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

static bool mayDiffer(const Instruction &I, unsigned Operand) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    if (!Call->isDataOperand(&I.getOperandUse(Operand)))
      return false;
  return canReplaceOperandWithVariable(&I, Operand);
}

bool lin_ir_is_alike(LLVMValueRef A, LLVMValueRef B) {
  const auto *I = unwrap<Instruction>(A), *J = unwrap<Instruction>(B);
  if (!I->isSameOperationAs(J, Instruction::CompareIgnoringAlignment))
    return false;
  if (isa<PHINode>(I) || I->isTerminator())
    return true;
  for (unsigned K = 0; K < I->getNumOperands(); ++K)
    if (I->getOperand(K) != J->getOperand(K) && !(mayDiffer(*I, K) && mayDiffer(*J, K)))
      return false;
  return true;
}

bool lin_ir_may_run_anywhere(LLVMValueRef Instruction) {
  const auto *I = unwrap<llvm::Instruction>(Instruction);
  return isSafeToSpeculativelyExecute(I) && !I->mayReadOrWriteMemory();
}

void lin_ir_run_anywhere(LLVMValueRef Instruction) {
  unwrap<llvm::Instruction>(Instruction)->dropUBImplyingAttrsAndMetadata();
}

bool lin_ir_is_peculiar_call(LLVMValueRef Call) {
  const auto *C = unwrap<CallBase>(Call);
  return C->isConvergent() || C->cannotDuplicate() || C->hasOperandBundles() ||
         C->isMustTailCall() || isa<DbgInfoIntrinsic>(C) || C->isLifetimeStartOrEnd() ||
         C->getIntrinsicID() == Intrinsic::assume;
}

void lin_ir_stand_for(LLVMValueRef Kept, LLVMValueRef Gone) {
  auto *I = unwrap<Instruction>(Kept);
  const auto *J = unwrap<Instruction>(Gone);
  I->andIRFlags(J);
  combineMetadataForCSE(I, J, true);
  I->applyMergedLocation(I->getDebugLoc(), J->getDebugLoc());
  if (auto *Load = dyn_cast<LoadInst>(I))
    Load->setAlignment(std::min(Load->getAlign(), cast<LoadInst>(J)->getAlign()));
  if (auto *Store = dyn_cast<StoreInst>(I))
    Store->setAlignment(std::min(Store->getAlign(), cast<StoreInst>(J)->getAlign()));
}

// What is said of a loop, but for itself and for where it is in the source.
static SmallVector<const Metadata *, 4> saidOf(const MDNode *Loop) {
  SmallVector<const Metadata *, 4> Said;
  for (unsigned K = 1; Loop && K < Loop->getNumOperands(); ++K)
    if (!isa<DILocation>(Loop->getOperand(K)))
      Said.push_back(Loop->getOperand(K));
  return Said;
}

void lin_ir_end_for(LLVMValueRef Made, LLVMValueRef A, LLVMValueRef B) {
  auto *End = unwrap<Instruction>(Made);
  const auto *I = unwrap<Instruction>(A), *J = unwrap<Instruction>(B);
  MDNode *Loop = I->getMetadata(LLVMContext::MD_loop);
  if (Loop && saidOf(Loop) == saidOf(J->getMetadata(LLVMContext::MD_loop)))
    End->setMetadata(LLVMContext::MD_loop, Loop);
  End->applyMergedLocation(I->getDebugLoc(), J->getDebugLoc());
}

void lin_ir_forget_variables(LLVMBasicBlockRef Block, LLVMBasicBlockRef Old) {
  SmallSetVector<DebugVariable, 8> Seen;
  BasicBlock *To = unwrap(Block);
  for (Instruction &I : *unwrap(Old))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      if (!Record.isDbgValue() || !Seen.insert(DebugVariable(&Record)))
        continue;
      DbgVariableRecord *Ended = Record.clone();
      Ended->setKillLocation();
      To->insertDbgRecordBefore(Ended, To->getFirstNonPHIIt());
    }
}

void lin_ir_remove_incoming(LLVMValueRef Phi, LLVMBasicBlockRef Block) {
  auto *P = unwrap<PHINode>(Phi);
  for (int At; (At = P->getBasicBlockIndex(unwrap(Block))) >= 0;)
    P->removeIncomingValue(static_cast<unsigned>(At), false);
}

LLVMValueRef lin_ir_value_at(LLVMBasicBlockRef Place, LLVMBasicBlockRef *Block, LLVMValueRef *Value,
                             unsigned Count) {
  SSAUpdater Updater;
  Updater.Initialize(unwrap(Value[0])->getType(), "");
  for (unsigned I = 0; I < Count; ++I)
    Updater.AddAvailableValue(unwrap(Block[I]), unwrap(Value[I]));
  return wrap(Updater.GetValueInMiddleOfBlock(unwrap(Place)));
}

void lin_ir_repair_uses(LLVMBasicBlockRef *Blocks, unsigned Count) {
  DominatorTree Tree(*unwrap(Blocks[0])->getParent());
  for (unsigned At = 0; At < Count; ++At)
    for (Instruction &I : *unwrap(Blocks[At])) {
      SmallVector<Use *, 8> Broken;
      for (Use &U : I.uses())
        if (!Tree.dominates(&I, U))
          Broken.push_back(&U);
      if (Broken.empty())
        continue;
      SSAUpdater Updater;
      Updater.Initialize(I.getType(), I.getName());
      Updater.AddAvailableValue(I.getParent(), &I);
      for (Use *U : Broken)
        Updater.RewriteUse(*U);
    }
}
