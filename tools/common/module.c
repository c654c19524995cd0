#include "module.h"

#include "command_line.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <stdio.h>
#include <string.h>

_Noreturn void tool_die_of_llvm(const char *name, char *message) {
  message[strcspn(message, "\n")] = '\0';
  size_t length = strlen(name);
  if (strncmp(message, name, length) == 0 && message[length] == ':')
    tool_die(1, "%s", message);
  tool_die(1, "%s: %s", name, message);
}

// The bitcode reader reports to the context and not to its caller.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  const char *const *name = data;
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    tool_die_of_llvm(*name, LLVMGetDiagInfoDescription(info));
}

static void refuse_source(const char *name) {
  static const char *const ends[] = {".cu", ".cuh", ".cpp", ".cc", ".c", ".cl", ".hip"};
  const char *end = strrchr(name, '.');
  for (size_t i = 0; end != NULL && i < sizeof ends / sizeof *ends; i++)
    if (strcmp(end, ends[i]) == 0)
      tool_die(1,
               "%s: source code: give what a compiler makes of it, as 'nvcc -arch=sm_90 -lineinfo "
               "-c %s' or 'linearize cc -S -emit-llvm %s' do",
               name, name, name);
}

LLVMModuleRef tool_parse_module(const char *name, LLVMMemoryBufferRef buffer) {
  refuse_source(name);
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, &name);
  LLVMModuleRef module;
  char *message = NULL;
  if (LLVMParseIRInContext(context, buffer, &module, &message) ||
      LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    tool_die_of_llvm(name, message);
  LLVMDisposeMessage(message);
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  return module;
}

static unsigned name_value(LLVMValueRef value, const char *prefix, unsigned slot) {
  size_t length;
  char name[24];
  LLVMGetValueName2(value, &length);
  if (length > 0)
    return slot;
  int used = snprintf(name, sizeof name, "%s%u", prefix, slot);
  LLVMSetValueName2(value, name, (size_t)used);
  return slot + 1;
}

void tool_name_values(LLVMValueRef function, const char *prefix) {
  unsigned slot = 0;
  for (LLVMValueRef at = LLVMGetFirstParam(function); at != NULL; at = LLVMGetNextParam(at))
    slot = name_value(at, prefix, slot);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL;
       b = LLVMGetNextBasicBlock(b)) {
    slot = name_value(LLVMBasicBlockAsValue(b), prefix, slot);
    for (LLVMValueRef at = LLVMGetFirstInstruction(b); at != NULL; at = LLVMGetNextInstruction(at))
      if (LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind)
        slot = name_value(at, prefix, slot);
  }
}

void tool_release_module(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}
