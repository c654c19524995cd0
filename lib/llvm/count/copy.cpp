#include "copy.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

LLVMValueRef lin_ir_copy_function(LLVMValueRef Original, LLVMTypeRef Parameter) {
  auto *F = unwrap<Function>(Original);
  SmallVector<Type *, 8> Types(F->getFunctionType()->params());
  Types.push_back(unwrap(Parameter));
  auto *Copy = Function::Create(FunctionType::get(F->getReturnType(), Types, /*isVarArg=*/false),
                                GlobalValue::InternalLinkage, F->getAddressSpace(),
                                F->getName() + ".counted", F->getParent());
  ValueToValueMapTy Map;
  Function::arg_iterator To = Copy->arg_begin();
  for (Argument &A : F->args()) {
    To->setName(A.getName());
    Map[&A] = &*To++;
  }
  SmallVector<ReturnInst *, 8> Returns;
  CloneFunctionInto(Copy, F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  Copy->setLinkage(GlobalValue::InternalLinkage);
  Copy->setVisibility(GlobalValue::DefaultVisibility);
  Copy->setComdat(nullptr);
  Copy->removeFnAttr(Attribute::Memory);
  Copy->removeFnAttr(Attribute::Speculatable);
  return wrap(Copy);
}

// No tail call: what the caller has on its stack is in use.
void lin_ir_call_copy(LLVMValueRef Call, LLVMValueRef Copy, LLVMValueRef Last) {
  auto *Old = unwrap<CallInst>(Call);
  SmallVector<Value *, 8> Arguments(Old->args());
  Arguments.push_back(unwrap(Last));
  SmallVector<OperandBundleDef, 1> Bundles;
  Old->getOperandBundlesAsDefs(Bundles);
  auto *New = CallInst::Create(unwrap<Function>(Copy), Arguments, Bundles, "", Old->getIterator());
  New->setAttributes(Old->getAttributes());
  New->removeFnAttr(Attribute::Memory);
  New->setCallingConv(Old->getCallingConv());
  New->copyMetadata(*Old);
  New->setDebugLoc(Old->getDebugLoc());
  if (isa<FPMathOperator>(New))
    New->copyFastMathFlags(Old);
  New->takeName(Old);
  Old->replaceAllUsesWith(New);
  Old->eraseFromParent();
}
