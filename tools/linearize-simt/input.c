#include "input.h"
#include "options.h"

#include "simt/decode.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>

#include <string.h>

// LLVM's message without the lines of source below it, and with the file's name once.
_Noreturn static void die_of_llvm(const char *file, char *message) {
  message[strcspn(message, "\n")] = '\0';
  size_t length = strlen(file);
  bool has_name = strncmp(message, file, length) == 0 && message[length] == ':';
  tool_die(1, "%s%s%s", has_name ? "" : file, has_name ? "" : ": ", message);
}

// The bitcode reader reports to the context and not to its caller.
static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
    die_of_llvm(data, LLVMGetDiagInfoDescription(info));
}

const simt_program *tool_read_program(lin_arena *arena, const char *file, const char *kernel) {
  union {
    const char *text;
    void *data;
  } name = {.text = file};
  LLVMContextRef context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(context, on_diagnostic, name.data);
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (strcmp(file, "-") == 0 ? LLVMCreateMemoryBufferWithSTDIN(&buffer, &message)
                             : LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message))
    die_of_llvm(file, message);
  if (LLVMParseIRInContext(context, buffer, &module, &message) ||
      LLVMVerifyModule(module, LLVMReturnStatusAction, &message))
    die_of_llvm(file, message);
  LLVMDisposeMessage(message);
  const char *error;
  const simt_program *program = simt_decode(arena, module, kernel, &error);
  if (program == NULL)
    tool_die(1, "%s: kernel %s: %s", file, kernel, error);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return program;
}
