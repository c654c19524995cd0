// Linearizes a module of LLVM IR and says what became of it. The example of docs/compilers.md.
//
//   c_api INPUT.ll OUTPUT.ll
#include <linearize/linearize.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <stdio.h>
#include <stdlib.h>

static void fail(const char *name, const char *message) {
  fprintf(stderr, "c_api: %s: %s\n", name, message);
  exit(1);
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *name) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message;
  if (LLVMCreateMemoryBufferWithContentsOfFile(name, &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message))
    fail(name, message);
  return module;
}

// Every branch counts as divergent, but for those on an argument of a kernel, which is the same for
// all threads. A real caller has an analysis of its own.
static bool is_uniform(LLVMValueRef terminator, void *context) {
  (void)context;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(terminator));
  return LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv &&
         LLVMIsAArgument(LLVMGetCondition(terminator)) != NULL;
}

static void print_report(const linearize_report *report) {
  printf("%u of %u functions changed: %u regions, %u guards, %u to %u blocks\n",
         report->functions_changed, report->functions, report->regions, report->guards,
         report->blocks_before, report->blocks_after);
  for (size_t i = 0; i < report->num_remarks; i++) {
    const linearize_remark *remark = &report->remarks[i];
    printf("%s: %s: %s\n", remark->name, remark->function, remark->message);
  }
}

int main(int argc, char **argv) {
  if (argc != 3)
    fail("usage", "c_api INPUT.ll OUTPUT.ll");
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = read_module(context, argv[1]);

  linearize_options options = linearize_default_options();
  char *message = NULL;
  if (!linearize_parse_options("mode=paper,level=O4", &options, &message))
    fail("options", message);
  options.is_uniform = is_uniform;
  linearize_report report = {0};
  linearize_module(module, &options, &report);
  print_report(&report);
  linearize_report_release(&report);

  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message) ||
      LLVMPrintModuleToFile(module, argv[2], &message))
    fail(argv[2], message);
  LLVMDisposeMessage(message);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return 0;
}
