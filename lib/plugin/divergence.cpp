#include "divergence.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace {

constexpr unsigned GenericSpace = 0, GlobalSpace = 1;

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

// Every use of a pointer parameter goes through a cast to global memory and back, from where
// InferAddressSpaces carries the space on.
void makeParametersGlobal(Function &Kernel, FunctionAnalysisManager &FAM) {
  IRBuilder<> Builder(&*Kernel.getEntryBlock().getFirstInsertionPt());
  for (Argument &Parameter : Kernel.args()) {
    auto *Type = dyn_cast<PointerType>(Parameter.getType());
    if (!Type || Type->getAddressSpace() != GenericSpace || Parameter.hasByValAttr())
      continue;
    auto *Global = cast<Instruction>(Builder.Insert(
        new AddrSpaceCastInst(&Parameter, PointerType::get(Kernel.getContext(), GlobalSpace))));
    Value *Generic = Builder.CreateAddrSpaceCast(Global, Type);
    Parameter.replaceUsesWithIf(Generic, [&](Use &U) { return U.getUser() != Global; });
  }
  InferAddressSpacesPass(GenericSpace).run(Kernel, FAM);
  FAM.invalidate(Kernel, PreservedAnalyses::none());
}

} // namespace

namespace linearize {

bool Divergence::isKnown() { return FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F); }

void Divergence::analyse() {
  IsAnalysed = true;
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  if (isKernel(F)) {
    Copy->setCallingConv(CallingConv::PTX_Kernel);
    makeParametersGlobal(*Copy, FAM);
  }
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

} // namespace linearize
