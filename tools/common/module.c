#include "module.h"

#include "command_line.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

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

LLVMModuleRef tool_parse_module(const char *name, LLVMMemoryBufferRef buffer) {
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

void tool_release_module(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}
