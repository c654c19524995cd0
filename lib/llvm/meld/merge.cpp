#include "merge.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
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

// The digits of the first number in PTX assembly, as 0f3F800000 or 0d3FF0000000000000, from From
// on; empty: there is none.
static StringRef nextNumber(StringRef Text, size_t From) {
  for (size_t At = From; At + 2 < Text.size(); ++At) {
    if (Text[At] != '0' || (Text[At + 1] != 'f' && Text[At + 1] != 'd') ||
        (At > 0 && (isAlnum(Text[At - 1]) || Text[At - 1] == '_')))
      continue;
    StringRef Digits = Text.substr(At + 2).take_while(isHexDigit);
    if (Digits.size() == (Text[At + 1] == 'f' ? 8u : 16u))
      return Digits;
  }
  return StringRef();
}

static const InlineAsm *assemblyOf(const Instruction *I) {
  const auto *Call = dyn_cast<CallInst>(I);
  return Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
}

namespace {
// PTX assembly in which each operand stands once, and numbers are operands.
struct Shown {
  std::string Text, Constraints;
  SmallVector<Value *, 4> Values;

  explicit Shown(const CallInst &Call) : Values(Call.args()) {
    const auto *Code = cast<InlineAsm>(Call.getCalledOperand());
    Text = StringRef(Code->getAsmString()).str();
    Constraints = StringRef(Code->getConstraintString()).str();
    if (Constraints.find_first_not_of("=,frldhb") != std::string::npos)
      return;
    showNumbers(Call.getContext());
    showRepeated();
  }

private:
  void add(Value *V, StringRef Constraint, size_t At, size_t Length) {
    Text.replace(At, Length, "$" + std::to_string(results() + Values.size()));
    Constraints += ("," + Constraint).str();
    Values.push_back(V);
  }

  size_t results() const { return static_cast<size_t>(llvm::count(Constraints, '=')); }

  void showNumbers(LLVMContext &Context) {
    for (StringRef Digits; !(Digits = nextNumber(Text, 0)).empty();) {
      const bool IsSingle = Digits.size() == 8;
      Type *T = IsSingle ? Type::getFloatTy(Context) : Type::getDoubleTy(Context);
      const APInt Bits(IsSingle ? 32 : 64, Digits, 16);
      add(ConstantExpr::getBitCast(ConstantInt::get(T->getContext(), Bits), T),
          IsSingle ? "f" : "d", static_cast<size_t>(Digits.begin() - Text.data()) - 2,
          Digits.size() + 2);
    }
  }

  void showRepeated() {
    SmallSetVector<size_t, 8> Seen;
    for (size_t At = 0; (At = Text.find('$', At)) != std::string::npos; ++At) {
      const StringRef Digits = StringRef(Text).substr(At + 1).take_while(isDigit);
      size_t Operand;
      if (Digits.getAsInteger(10, Operand) || Operand < results() || Seen.insert(Operand))
        continue;
      SmallVector<StringRef, 8> All;
      StringRef(Constraints).split(All, ',');
      add(Values[Operand - results()], All[Operand].str(), At, Digits.size() + 1);
    }
  }
};
} // namespace

static bool isSameAssembly(const CallInst &A, const CallInst &B) {
  const Shown X(A), Y(B);
  return A.getType() == B.getType() && X.Text == Y.Text && X.Constraints == Y.Constraints &&
         assemblyOf(&A)->hasSideEffects() == assemblyOf(&B)->hasSideEffects() &&
         equal(X.Values, Y.Values,
               [](const Value *V, const Value *W) { return V->getType() == W->getType(); });
}

unsigned lin_ir_assembly_values(LLVMValueRef Call, LLVMValueRef *Values, unsigned Most) {
  const Shown All(*unwrap<CallInst>(Call));
  for (unsigned I = 0; I < All.Values.size() && I < Most; ++I)
    Values[I] = wrap(All.Values[I]);
  return static_cast<unsigned>(All.Values.size());
}

LLVMValueRef lin_ir_show_assembly(LLVMValueRef Call) {
  auto *Old = unwrap<CallInst>(Call);
  const auto *Code = cast<InlineAsm>(Old->getCalledOperand());
  const Shown All(*Old);
  SmallVector<Type *, 4> Types;
  for (Value *V : All.Values)
    Types.push_back(V->getType());
  auto *T = FunctionType::get(Old->getType(), Types, false);
  auto *Made =
      CallInst::Create(T, InlineAsm::get(T, All.Text, All.Constraints, Code->hasSideEffects()),
                       All.Values, "", Old->getIterator());
  Made->setAttributes(Old->getAttributes());
  Made->copyMetadata(*Old);
  Made->takeName(Old);
  Old->replaceAllUsesWith(Made);
  Old->eraseFromParent();
  return wrap(Made);
}

bool lin_ir_is_alike(LLVMValueRef A, LLVMValueRef B) {
  const auto *I = unwrap<Instruction>(A), *J = unwrap<Instruction>(B);
  if (assemblyOf(I) && assemblyOf(J))
    return isSameAssembly(*cast<CallInst>(I), *cast<CallInst>(J));
  if (const auto *C = dyn_cast<CmpInst>(I), *D = dyn_cast<CmpInst>(J); C && D)
    return C->getOpcode() == D->getOpcode() &&
           C->getOperand(0)->getType() == D->getOperand(0)->getType() &&
           (C->getPredicate() == D->getPredicate() ||
            C->getPredicate() == D->getInversePredicate());
  if (!I->isSameOperationAs(J, Instruction::CompareIgnoringAlignment))
    return false;
  if (isa<PHINode>(I) || I->isTerminator())
    return true;
  for (unsigned K = 0; K < I->getNumOperands(); ++K)
    if (I->getOperand(K) != J->getOperand(K) && !(mayDiffer(*I, K) && mayDiffer(*J, K)))
      return false;
  return true;
}

bool lin_ir_is_inverse(LLVMValueRef A, LLVMValueRef B) {
  const auto *C = dyn_cast<CmpInst>(unwrap<Instruction>(A));
  return C && C->getPredicate() != cast<CmpInst>(unwrap<Instruction>(B))->getPredicate();
}

bool lin_ir_commutes(LLVMValueRef Instruction) {
  const auto *I = unwrap<llvm::Instruction>(Instruction);
  if (const InlineAsm *Code = assemblyOf(I)) {
    const Shown All(*cast<CallInst>(I));
    const StringRef Text(All.Text);
    return !Code->hasSideEffects() && Text.contains("$0, $1, $2") &&
           (Text.starts_with("add.") || Text.starts_with("mul.") || Text.starts_with("fma."));
  }
  return I->isCommutative();
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

template <class T> static void weakenAlignment(Instruction *I, const Instruction *J) {
  if (auto *Access = dyn_cast<T>(I))
    Access->setAlignment(std::min(Access->getAlign(), cast<T>(J)->getAlign()));
}

void lin_ir_stand_for(LLVMValueRef Kept, LLVMValueRef Gone) {
  auto *I = unwrap<Instruction>(Kept);
  const auto *J = unwrap<Instruction>(Gone);
  I->andIRFlags(J);
  combineMetadataForCSE(I, J, true);
  I->applyMergedLocation(I->getDebugLoc(), J->getDebugLoc());
  weakenAlignment<LoadInst>(I, J);
  weakenAlignment<StoreInst>(I, J);
  weakenAlignment<AtomicRMWInst>(I, J);
  weakenAlignment<AtomicCmpXchgInst>(I, J);
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

void lin_ir_hoist_selects(LLVMBasicBlockRef *Blocks, unsigned Count, LLVMBasicBlockRef Top) {
  DominatorTree Tree(*unwrap(Top)->getParent());
  const LoopInfo Loops(Tree);
  for (unsigned At = 0; At < Count; ++At)
    for (Instruction &I : make_early_inc_range(*unwrap(Blocks[At]))) {
      bool Changed = isa<SelectInst>(I);
      for (const Loop *L = Loops.getLoopFor(I.getParent());
           L && Changed && !L->contains(unwrap(Top)); L = L->getParentLoop()) {
        BasicBlock *Before = L->getLoopPredecessor();
        Changed = Before && L->makeLoopInvariant(&I, Changed, Before->getTerminator());
      }
    }
}
