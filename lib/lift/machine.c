// Which of LLVM's code generators for NVPTX writes a module's functions again.
#include "state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The versions of PTX that LLVM 22 writes (`llc -march=nvptx64 -mattr=help`), in tenths.
static const unsigned versions[] = {32, 40, 41, 42, 43, 50, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73,
                                    74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90};

// The newest that isn't newer than the module's, which may use what came later as text.
static unsigned version_for(unsigned wanted) {
  unsigned found = 0;
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    if (versions[i] <= wanted)
      found = versions[i];
  return found;
}

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

static bool knows_target(const char *name) {
  static const char *const known[] = {
      "sm_20",   "sm_21",   "sm_30",   "sm_32",   "sm_35",   "sm_37",   "sm_50",   "sm_52",
      "sm_53",   "sm_60",   "sm_61",   "sm_62",   "sm_70",   "sm_72",   "sm_75",   "sm_80",
      "sm_86",   "sm_87",   "sm_88",   "sm_89",   "sm_90",   "sm_90a",  "sm_100",  "sm_100a",
      "sm_100f", "sm_101",  "sm_101a", "sm_101f", "sm_103",  "sm_103a", "sm_103f", "sm_110",
      "sm_110a", "sm_110f", "sm_120",  "sm_120a", "sm_120f", "sm_121",  "sm_121a", "sm_121f"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i], name) == 0)
      return true;
  return false;
}

LLVMTargetMachineRef lin_lift_machine(const lin_lift *lift, const char **reason) {
  header h = read_header(lift->ptx);
  char features[16];
  unsigned version = version_for(h.version);
  LLVMTargetRef target;
  if (!h.has_long_addresses)
    *reason = "its addresses have 32 bits";
  else if (version == 0)
    *reason = "it is older than PTX 3.2";
  else if (!knows_target(h.target))
    *reason = "LLVM doesn't know its .target";
  else if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, NULL))
    *reason = "LLVM was built without NVPTX";
  else
    *reason = NULL;
  if (*reason != NULL)
    return NULL;
  snprintf(features, sizeof features, "+ptx%u", version);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      target, "nvptx64-nvidia-cuda", h.target, features,
      lift->largest > LIN_LIFT_LARGE ? LLVMCodeGenLevelNone : LLVMCodeGenLevelAggressive,
      LLVMRelocPIC, LLVMCodeModelDefault);
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
