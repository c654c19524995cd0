// Which of LLVM's code generators for NVPTX writes a module's functions again.
#include "known.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static LLVMTargetMachineRef create(LLVMTargetRef target, const char *name, const char *features,
                                   LLVMCodeGenOptLevel level) {
  return LLVMCreateTargetMachine(target, "nvptx64-nvidia-cuda", name, features, level, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
}

// Why the code generator isn't for the module, or NULL. `*version` becomes that of PTX which it
// writes: the module's, which may use what came later as text, or an older one.
static const char *find_reason(const lin_lift *lift, LLVMTargetRef target, const char *gpu,
                               unsigned *version) {
  LLVMTargetMachineRef any = create(target, "", "", LLVMCodeGenLevelNone);
  *version = lin_lift_newest_version(any, lift->ptx->version);
  bool is_known = lin_lift_knows_target(any, gpu);
  LLVMDisposeTargetMachine(any);
  if (*version == 0)
    return "it is older than PTX 3.2";
  if (is_known)
    return NULL;
  char reason[64];
  unsigned major;
  LLVMGetVersion(&major, NULL, NULL);
  snprintf(reason, sizeof reason, "LLVM %u doesn't know %s", major, gpu);
  return lin_arena_text(lift->arena, reason, strlen(reason));
}

LLVMTargetMachineRef lin_lift_machine(const lin_lift *lift, const char **reason) {
  const char *gpu = lift->ptx->target == NULL ? "" : lift->ptx->target;
  char features[16];
  unsigned version;
  LLVMTargetRef target;
  if (!lift->ptx->has_long_addresses)
    *reason = "its addresses have 32 bits";
  else if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, NULL))
    *reason = "LLVM was built without NVPTX";
  else
    *reason = find_reason(lift, target, gpu, &version);
  if (*reason != NULL)
    return NULL;
  snprintf(features, sizeof features, "+ptx%u", version);
  LLVMTargetMachineRef machine =
      create(target, gpu, features,
             lift->largest > LIN_LIFT_LARGE ? LLVMCodeGenLevelNone : LLVMCodeGenLevelAggressive);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(lift->module, layout);
  LLVMDisposeTargetData(layout);
  for (LLVMValueRef f = LLVMGetFirstFunction(lift->module); f != NULL; f = LLVMGetNextFunction(f)) {
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMAddAttributeAtIndex(
        f, at,
        LLVMCreateStringAttribute(lift->context, "target-cpu", 10, gpu, (unsigned)strlen(gpu)));
    LLVMAddAttributeAtIndex(f, at,
                            LLVMCreateStringAttribute(lift->context, "target-features", 15,
                                                      features, (unsigned)strlen(features)));
  }
  return machine;
}
