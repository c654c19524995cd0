#include "clone.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FunctionComparator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

// ---- !nvvm.annotations: lines {function, name, value, name, value ...}

static bool isOf(const MDNode &Line, const Function &F) {
  const auto *Of =
      Line.getNumOperands() == 0 ? nullptr : dyn_cast_or_null<ValueAsMetadata>(Line.getOperand(0));
  return Of && Of->getValue() == &F;
}

static void copyAnnotations(const Function &From, Function &To) {
  NamedMDNode *All = From.getParent()->getNamedMetadata("nvvm.annotations");
  for (unsigned I = 0, Count = All ? All->getNumOperands() : 0; I < Count; ++I) {
    const MDNode *Line = All->getOperand(I);
    if (!isOf(*Line, From))
      continue;
    SmallVector<Metadata *, 8> Parts(Line->op_begin(), Line->op_end());
    Parts[0] = ValueAsMetadata::get(&To);
    All->addOperand(MDNode::get(To.getContext(), Parts));
  }
}

static void dropAnnotations(Function &F) {
  NamedMDNode *All = F.getParent()->getNamedMetadata("nvvm.annotations");
  if (!All)
    return;
  SmallVector<MDNode *, 16> Kept;
  for (MDNode *Line : All->operands())
    if (!isOf(*Line, F))
      Kept.push_back(Line);
  if (Kept.size() == All->getNumOperands())
    return;
  All->clearOperands();
  for (MDNode *Line : Kept)
    All->addOperand(Line);
}

// ---- copies

LLVMValueRef lin_ir_clone(LLVMValueRef Original, const char *Name) {
  auto *F = unwrap<Function>(Original);
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(F, Map);
  Copy->setName(Name);
  Copy->setComdat(F->getComdat());
  copyAnnotations(*F, *Copy);
  return wrap(Copy);
}

LLVMValueRef lin_ir_clone_with(LLVMValueRef Original, const char *Name, LLVMTypeRef Parameter,
                               const char *ParameterName) {
  auto *F = unwrap<Function>(Original);
  SmallVector<Type *, 8> Types(F->getFunctionType()->params());
  Types.push_back(unwrap(Parameter));
  auto *Copy = Function::Create(FunctionType::get(F->getReturnType(), Types, /*isVarArg=*/false),
                                F->getLinkage(), F->getAddressSpace(), Name, F->getParent());
  ValueToValueMapTy Map;
  Function::arg_iterator To = Copy->arg_begin();
  for (Argument &A : F->args()) {
    To->setName(A.getName());
    Map[&A] = &*To++;
  }
  To->setName(ParameterName);
  SmallVector<ReturnInst *, 8> Returns;
  CloneFunctionInto(Copy, F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  Copy->setComdat(F->getComdat());
  Copy->removeFnAttr(Attribute::Memory);
  copyAnnotations(*F, *Copy);
  return wrap(Copy);
}

void lin_ir_keep_variable(LLVMValueRef Value) {
  auto *Variable = unwrap<GlobalVariable>(Value);
  appendToCompilerUsed(*Variable->getParent(), {Variable});
}

void lin_ir_erase(LLVMValueRef Value) {
  auto *F = unwrap<Function>(Value);
  dropAnnotations(*F);
  F->eraseFromParent();
}

// LLVM takes a function without a body for one of another module.
void lin_ir_take_code(LLVMValueRef To, LLVMValueRef From) {
  auto *F = unwrap<Function>(To), *Copy = unwrap<Function>(From);
  const GlobalValue::LinkageTypes Linkage = F->getLinkage();
  Comdat *Group = F->getComdat();
  F->deleteBody();
  F->setLinkage(Linkage);
  F->setComdat(Group);
  F->splice(F->begin(), Copy);
  for (unsigned I = 0; I < F->arg_size(); ++I)
    Copy->getArg(I)->replaceAllUsesWith(F->getArg(I));
  F->copyMetadata(Copy, /*Offset=*/0);
  F->setAttributes(Copy->getAttributes());
  Copy->setSubprogram(nullptr);
  lin_ir_erase(From);
}

void lin_ir_name_subprogram(LLVMValueRef Value, LLVMValueRef Original, const char *Suffix) {
  const DISubprogram *Of = unwrap<Function>(Original)->getSubprogram();
  DISubprogram *Own = unwrap<Function>(Value)->getSubprogram();
  if (!Of || !Own || Of == Own)
    return;
  enum { NAME = 2 }; // operand of a subprogram
  LLVMContext &Context = Own->getContext();
  Own->replaceOperandWith(NAME, MDString::get(Context, (Of->getName() + Suffix).str()));
  if (!Of->getLinkageName().empty())
    Own->replaceLinkageName(MDString::get(Context, (Of->getLinkageName() + Suffix).str()));
}

bool lin_ir_is_same_code(LLVMValueRef A, LLVMValueRef B) {
  GlobalNumberState Numbers;
  return FunctionComparator(unwrap<Function>(A), unwrap<Function>(B), &Numbers).compare() == 0;
}
