#include "records.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Value.h"

using namespace llvm;

void lin_ir_append_block(LLVMBasicBlockRef To, LLVMBasicBlockRef Block) {
  BasicBlock *Target = unwrap(To);
  Instruction *Branch = Target->getTerminator();
  Target->splice(Branch->getIterator(), unwrap(Block));
  Branch->eraseFromParent();
}

void lin_ir_copy_records(LLVMValueRef Copy, LLVMValueRef Original, lin_ir_copied Copied,
                         const void *Context) {
  auto *Made = unwrap<Instruction>(Copy);
  auto Records = Made->cloneDebugInfoFrom(unwrap<Instruction>(Original));
  for (DbgVariableRecord &Record : filterDbgVars(Records)) {
    const SmallVector<Value *, 4> Named(Record.location_ops());
    for (Value *V : Named) {
      Value *Now = unwrap(Copied(wrap(V), Context));
      if (Now != V)
        Record.replaceVariableLocationOp(V, Now, /*AllowEmpty=*/true);
    }
    if (Record.isDbgAssign() && Record.getAddress() != nullptr)
      Record.setAddress(unwrap(Copied(wrap(Record.getAddress()), Context)));
  }
}

// Forgotten records would still be among the users of what they name.
void lin_ir_delete_block(LLVMBasicBlockRef Block) {
  BasicBlock *B = unwrap(Block);
  if (DbgMarker *Trailing = B->getTrailingDbgRecords()) {
    Trailing->eraseFromParent();
    B->deleteTrailingDbgRecords();
  }
  B->eraseFromParent();
}
