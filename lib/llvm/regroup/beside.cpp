#include "beside.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

LLVMValueRef lin_ir_copy_plain(LLVMValueRef Kernel) {
  auto *F = unwrap<Function>(Kernel);
  ValueToValueMapTy Map;
  Function *Plain = CloneFunction(F, Map);
  Plain->setName(F->getName() + ".plain");
  Plain->setLinkage(GlobalValue::InternalLinkage);
  Plain->setVisibility(GlobalValue::DefaultVisibility);
  Plain->setComdat(nullptr);
  Plain->setCallingConv(CallingConv::C);
  return wrap(Plain);
}

void lin_ir_drop_plain(LLVMValueRef Plain) { unwrap<Function>(Plain)->eraseFromParent(); }

// A kernel's parameters are read where they are: what is passed by value is copied by nobody.
static void forgetCopies(Function *Plain) {
  for (Argument &A : Plain->args())
    for (Attribute::AttrKind Kind : {Attribute::ByVal, Attribute::StructRet})
      A.removeAttr(Kind);
}

void lin_ir_put_beside(LLVMValueRef Kernel, LLVMValueRef Copy, LLVMBasicBlockRef First,
                       LLVMValueRef Condition) {
  auto *F = unwrap<Function>(Kernel), *Plain = unwrap<Function>(Copy);
  BasicBlock *Front = unwrap(First), *Entry = Front->getNextNode();
  auto *Other = BasicBlock::Create(F->getContext(), "linearize.plain", F);
  for (Instruction &I : make_early_inc_range(*Entry))
    if (isa<AllocaInst>(I))
      I.moveBefore(*Front, Front->begin());
  IRBuilder<> B(Front);
  if (DISubprogram *S = F->getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(F->getContext(), S->getLine(), 0, S));
  B.CreateCondBr(unwrap(Condition), Entry, Other);
  B.SetInsertPoint(Other);
  forgetCopies(Plain);
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : F->args())
    Arguments.push_back(&A);
  CallInst *Call = B.CreateCall(Plain, Arguments);
  B.CreateRetVoid();
  InlineFunctionInfo Info;
  if (InlineFunction(*Call, Info).isSuccess())
    Plain->eraseFromParent();
}
