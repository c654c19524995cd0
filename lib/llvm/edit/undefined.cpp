#include "undefined.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

static bool isUndefined(const PHINode &Phi) {
  return all_of(Phi.incoming_values(),
                [&](const Use &U) { return U.get() == &Phi || isa<UndefValue>(U); });
}

// Poison only where all of it is: undefined values are something, if anything.
static Value *standsFor(PHINode &Phi) {
  for (Value *Incoming : Phi.incoming_values())
    if (isa<UndefValue>(Incoming) && !isa<PoisonValue>(Incoming))
      return UndefValue::get(Phi.getType());
  return PoisonValue::get(Phi.getType());
}

void lin_ir_drop_undefined(LLVMValueRef Of) {
  SmallSetVector<PHINode *, 16> Work;
  for (BasicBlock &Block : *unwrap<Function>(Of))
    for (PHINode &Phi : Block.phis())
      Work.insert(&Phi);
  while (!Work.empty()) {
    PHINode *Phi = Work.pop_back_val();
    if (!isUndefined(*Phi))
      continue;
    for (User *By : Phi->users())
      if (auto *Next = dyn_cast<PHINode>(By); Next && Next != Phi)
        Work.insert(Next);
    Phi->replaceAllUsesWith(standsFor(*Phi));
    Phi->eraseFromParent();
  }
}
