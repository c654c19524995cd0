#include "divergence.h"

#include "gpu/target.h"
extern "C" {
#include "llvm/ask/effects.h"
}

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

constexpr unsigned GenericSpace = 0, GlobalSpace = 1, ConstantSpace = 4;

// Kernels have a calling convention of their own; before LLVM 20, a line in !nvvm.annotations.
bool isKernel(const Function &F) {
  if (F.getCallingConv() == CallingConv::PTX_Kernel)
    return true;
  const NamedMDNode *Annotations = F.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned I = 0; Annotations && I < Annotations->getNumOperands(); ++I) {
    const MDNode *Line = Annotations->getOperand(I);
    if (Line->getNumOperands() < 2)
      continue;
    auto *Of = dyn_cast_or_null<ValueAsMetadata>(Line->getOperand(0));
    auto *What = dyn_cast_or_null<MDString>(Line->getOperand(1));
    if (Of && Of->getValue() == &F && What && What->getString() == "kernel")
      return true;
  }
  return false;
}

// Whether threads only read what a pointer points to.
bool isOnlyRead(const Value &Pointer) {
  SmallVector<const Value *, 16> Addresses{&Pointer};
  while (!Addresses.empty())
    for (const Use &U : Addresses.pop_back_val()->uses()) {
      const User *By = U.getUser();
      if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(By))
        Addresses.push_back(By);
      else if (const auto *Copy = dyn_cast<MemTransferInst>(By);
               Copy && &U != &Copy->getArgOperandUse(1))
        return false;
      else if (!Copy && !isa<LoadInst>(By))
        return false;
    }
  return true;
}

// Where a parameter of a kernel points to: the generic space says nothing of it. What is passed by
// value lies in constant memory, unless the thread has a copy to write to.
unsigned spaceOf(const Argument &Parameter) {
  auto *Type = dyn_cast<PointerType>(Parameter.getType());
  if (!Type || Type->getAddressSpace() != GenericSpace)
    return GenericSpace;
  if (Parameter.hasByValAttr())
    return isOnlyRead(Parameter) ? ConstantSpace : GenericSpace;
  return GlobalSpace;
}

// Every use of such a parameter goes through a cast to its space and back, from where
// InferAddressSpaces carries the space on.
void makeParametersSpecific(Function &Kernel, FunctionAnalysisManager &FAM) {
  IRBuilder<> Builder(&*Kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &Parameter : Kernel.args()) {
    const unsigned Space = spaceOf(Parameter);
    if (Space == GenericSpace)
      continue;
    auto *Specific = cast<Instruction>(Builder.Insert(
        new AddrSpaceCastInst(&Parameter, PointerType::get(Kernel.getContext(), Space))));
    Value *Generic = Builder.CreateAddrSpaceCast(Specific, Parameter.getType());
    Parameter.replaceUsesWithIf(Generic, [&](Use &U) { return U.getUser() != Specific; });
  }
  InferAddressSpacesPass(GenericSpace).run(Kernel, FAM);
  FAM.invalidate(Kernel, PreservedAnalyses::none());
}

// ---- thread numbers

bool isRegister(const Value *V, Intrinsic::ID Register) {
  const auto *Read = dyn_cast<IntrinsicInst>(V);
  return Read && Read->getIntrinsicID() == Register;
}

// threadIdx.x, or the number of the thread in the grid, blockIdx.x * blockDim.x + threadIdx.x: the
// threads of a warp have 32 such numbers in a row, of which the first is a multiple of 32.
bool isThreadNumber(const Value *V) {
  using namespace PatternMatch;
  const Value *Start, *Thread;
  if (match(V, m_ZExtOrSExt(m_Value(Thread))))
    V = Thread;
  if (isRegister(V, Intrinsic::nvvm_read_ptx_sreg_tid_x))
    return true;
  if (!match(V, m_Add(m_Value(Start), m_Value(Thread))))
    return false;
  if (isRegister(Start, Intrinsic::nvvm_read_ptx_sreg_tid_x))
    std::swap(Start, Thread);
  const auto *Product = dyn_cast<BinaryOperator>(Start);
  auto IsBlockSize = [](const Value *Factor) {
    return isRegister(Factor, Intrinsic::nvvm_read_ptx_sreg_ntid_x);
  };
  return isRegister(Thread, Intrinsic::nvvm_read_ptx_sreg_tid_x) && Product &&
         Product->getOpcode() == Instruction::Mul && any_of(Product->operands(), IsBlockSize);
}

bool isMultipleOf32(const APInt &Number) { return Number.countr_zero() >= 5; }

// What is the same for 32 numbers in a row, from a multiple of 32 on.
bool isOfWholeWarp(const Instruction &I) {
  using namespace PatternMatch;
  const Value *Number;
  const APInt *Constant;
  if (match(&I, m_LShr(m_Value(Number), m_APInt(Constant))))
    return Constant->uge(5) && isThreadNumber(Number);
  if (match(&I, m_And(m_Value(Number), m_APInt(Constant))) ||
      match(&I, m_UDiv(m_Value(Number), m_APInt(Constant))))
    return isMultipleOf32(*Constant) && isThreadNumber(Number);
  const auto *Test = dyn_cast<ICmpInst>(&I);
  if (!Test || Test->isEquality() || !isThreadNumber(Test->getOperand(0)) ||
      !match(Test->getOperand(1), m_APInt(Constant)))
    return false;
  CmpInst::Predicate Strict = Test->getUnsignedPredicate(); // below or above, for both signs
  bool SplitsBelow = Strict == CmpInst::ICMP_ULT || Strict == CmpInst::ICMP_UGE;
  return isMultipleOf32(SplitsBelow ? *Constant : *Constant + 1);
}

void assumeWholeWarps(Function &F) {
  for (Instruction &I : instructions(F))
    if (isOfWholeWarp(I))
      I.replaceAllUsesWith(Constant::getNullValue(I.getType()));
}

// Inline assembly that only computes: what it gives is the same for all threads for which its
// operands are, but LLVM takes every call for divergent.
bool isArithmetic(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call || !Call->isInlineAsm() || Call->arg_empty() || Call->isConvergent() ||
      Call->getType()->isVoidTy())
    return false;
  return lin_ir_is_arithmetic(wrap(Call->getCalledOperand()));
}

Value *castTo(IRBuilder<> &Builder, Value *Flag, Type *To) {
  if (To->isFloatingPointTy())
    return Builder.CreateUIToFP(Flag, To);
  return To->isIntegerTy() ? Builder.CreateZExtOrTrunc(Flag, To) : PoisonValue::get(To);
}

// In its place, something of the same operands that LLVM understands.
void standInForArithmetic(CallInst &Call) {
  IRBuilder<> Builder(&Call);
  SmallVector<Type *, 8> Types;
  for (Value *Operand : Call.args())
    Types.push_back(Operand->getType());
  Value *All = PoisonValue::get(StructType::get(Call.getContext(), Types));
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    All = Builder.Insert(InsertValueInst::Create(All, Call.getArgOperand(I), I));
  Value *First = Builder.Insert(ExtractValueInst::Create(All, 0));
  Type *Of = First->getType();
  if (Of->isFloatingPointTy())
    First = Builder.CreateFPToUI(First, Builder.getInt64Ty());
  else if (Of->isPointerTy())
    First = Builder.CreatePtrToInt(First, Builder.getInt64Ty());
  Value *Result = PoisonValue::get(Call.getType());
  if (auto *Parts = dyn_cast<StructType>(Call.getType()))
    for (unsigned I = 0; I < Parts->getNumElements(); ++I)
      Result = Builder.Insert(
          InsertValueInst::Create(Result, castTo(Builder, First, Parts->getElementType(I)), I));
  else
    Result = castTo(Builder, First, Call.getType());
  Call.replaceAllUsesWith(Result);
}

void standInForAll(Function &F) {
  SmallVector<CallInst *, 16> Calls;
  for (Instruction &I : instructions(F))
    if (isArithmetic(I))
      Calls.push_back(cast<CallInst>(&I));
  for (CallInst *Call : Calls) {
    standInForArithmetic(*Call);
    Call->eraseFromParent();
  }
}

bool hasIrreducibleCycle(Function &F, FunctionAnalysisManager &FAM) {
  CycleInfo &Cycles = FAM.getResult<CycleAnalysis>(F);
  for (const Cycle *Outermost : Cycles.toplevel_cycles())
    for (const Cycle *Inner : depth_first(Outermost))
      if (!Inner->isReducible())
        return true;
  return false;
}

// Where a warp runs in lock step (below sm_70), and threads of it may wait for each other, it
// depends on what is said here whether they wait for ever.
bool mayWaitInLockStep(const Function &F) {
  StringRef Target = F.getFnAttribute("target-cpu").getValueAsString();
  if (!lin_target_find(lin_target_number(Target.data(), Target.size()))->lock_step)
    return false;
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return I.isAtomic() || I.isVolatile() ||
           (Call && (!isa<IntrinsicInst>(Call) || Call->isConvergent()));
  });
}

} // namespace

namespace linearize {

bool Divergence::isKnown() { return FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F); }

// A copy takes longer than all the rest, and most functions that aren't kernels need none.
void Divergence::analyse() {
  IsAnalysed = true;
  bool HasSpace = isKernel(F) && any_of(F.args(), [](const Argument &Parameter) {
                    return spaceOf(Parameter) != GenericSpace;
                  });
  bool HasAssembly = any_of(instructions(F), isArithmetic);
  if (!HasSpace && !HasAssembly && none_of(instructions(F), isOfWholeWarp)) {
    UniformityInfo &Info = FAM.getResult<UniformityInfoAnalysis>(F);
    for (const BasicBlock &Block : F)
      if (Info.hasDivergentTerminator(Block))
        Divergent.insert(&Block);
    return;
  }
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  if (isKernel(F))
    Copy->setCallingConv(CallingConv::PTX_Kernel);
  if (HasSpace)
    makeParametersSpecific(*Copy, FAM);
  if (HasAssembly)
    standInForAll(*Copy);
  if (!mayWaitInLockStep(F) && !hasIrreducibleCycle(*Copy, FAM))
    assumeWholeWarps(*Copy);
  UniformityInfo &Info = FAM.getResult<UniformityInfoAnalysis>(*Copy);
  for (const BasicBlock &Block : F)
    if (Info.hasDivergentTerminator(*cast<BasicBlock>(Map[&Block])))
      Divergent.insert(&Block);
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
}

bool Divergence::isUniform(const Instruction &Terminator) {
  if (!IsAnalysed)
    analyse();
  return !Divergent.contains(Terminator.getParent());
}

unsigned Divergence::mostTrips(BasicBlock &Header, bool &Counted) {
  const Loop *L = FAM.getResult<LoopAnalysis>(F).getLoopFor(&Header);
  if (!L || L->getHeader() != &Header)
    return 0;
  ScalarEvolution &Evolution = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Counted = !isa<SCEVCouldNotCompute>(Evolution.getBackedgeTakenCount(L));
  return Evolution.getSmallConstantMaxTripCount(L);
}

} // namespace linearize
