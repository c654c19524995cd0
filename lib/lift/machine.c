// Which of LLVM's code generators for NVPTX writes a module's functions again.
#include "known.h"
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct header {
  unsigned version; // in tenths
  char target[16];  // sm_90a
  bool has_long_addresses;
} header;

static header read_header(const lin_ptx_module *ptx) {
  header h = {0};
  for (lin_ptx_scan scan = {ptx->text, ptx->length, 0};;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    bool is_version = lin_ptx_is(ptx->text, token, ".version");
    bool is_target = lin_ptx_is(ptx->text, token, ".target");
    bool is_size = lin_ptx_is(ptx->text, token, ".address_size");
    if (!is_version && !is_target && !is_size)
      return h;
    token = lin_ptx_next(&scan);
    const char *word = ptx->text + token.start;
    size_t length = token.end - token.start;
    if (is_version) {
      char *end;
      h.version = (unsigned)strtoul(word, &end, 10) * 10;
      h.version += *end == '.' ? (unsigned)strtoul(end + 1, NULL, 10) : 0;
    } else if (is_target) {
      snprintf(h.target, sizeof h.target, "%.*s", (int)length, word);
      while (lin_ptx_peek(&scan).first == ',') {
        lin_ptx_next(&scan);
        lin_ptx_next(&scan);
      }
    } else {
      h.has_long_addresses = length == 2 && memcmp(word, "64", 2) == 0;
    }
  }
}

static LLVMTargetMachineRef create(LLVMTargetRef target, const char *name, const char *features,
                                   LLVMCodeGenOptLevel level) {
  return LLVMCreateTargetMachine(target, "nvptx64-nvidia-cuda", name, features, level, LLVMRelocPIC,
                                 LLVMCodeModelDefault);
}

// Why the code generator isn't for the module, or NULL. `*version` becomes that of PTX which it
// writes: the module's, which may use what came later as text, or an older one.
static const char *find_reason(const lin_lift *lift, LLVMTargetRef target, const header *h,
                               unsigned *version) {
  LLVMTargetMachineRef any = create(target, "", "", LLVMCodeGenLevelNone);
  *version = lin_lift_newest_version(any, h->version);
  bool is_known = lin_lift_knows_target(any, h->target);
  LLVMDisposeTargetMachine(any);
  if (*version == 0)
    return "it is older than PTX 3.2";
  if (is_known)
    return NULL;
  char reason[64];
  unsigned major;
  LLVMGetVersion(&major, NULL, NULL);
  snprintf(reason, sizeof reason, "LLVM %u doesn't know %s", major, h->target);
  return lin_arena_text(lift->arena, reason, strlen(reason));
}

LLVMTargetMachineRef lin_lift_machine(const lin_lift *lift, const char **reason) {
  header h = read_header(lift->ptx);
  char features[16];
  unsigned version;
  LLVMTargetRef target;
  if (!h.has_long_addresses)
    *reason = "its addresses have 32 bits";
  else if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, NULL))
    *reason = "LLVM was built without NVPTX";
  else
    *reason = find_reason(lift, target, &h, &version);
  if (*reason != NULL)
    return NULL;
  snprintf(features, sizeof features, "+ptx%u", version);
  LLVMTargetMachineRef machine =
      create(target, h.target, features,
             lift->largest > LIN_LIFT_LARGE ? LLVMCodeGenLevelNone : LLVMCodeGenLevelAggressive);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(lift->module, layout);
  LLVMDisposeTargetData(layout);
  for (LLVMValueRef f = LLVMGetFirstFunction(lift->module); f != NULL; f = LLVMGetNextFunction(f)) {
    LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMAddAttributeAtIndex(f, at,
                            LLVMCreateStringAttribute(lift->context, "target-cpu", 10, h.target,
                                                      (unsigned)strlen(h.target)));
    LLVMAddAttributeAtIndex(f, at,
                            LLVMCreateStringAttribute(lift->context, "target-features", 15,
                                                      features, (unsigned)strlen(features)));
  }
  return machine;
}
