// guards FILE.ll: how many guards the functions of a module get.
#include <linearize/linearize.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <stdio.h>

int main(int argc, char **argv) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message = NULL;
  if (argc != 2 || LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message)) {
    fprintf(stderr, "guards: %s\n", message ? message : "one file is wanted");
    return 1;
  }
  linearize_options options = linearize_default_options();
  options.mode = LINEARIZE_PAPER;
  linearize_report report = {0};
  linearize_module(module, &options, &report);
  printf("%u regions, %u guards\n", report.regions, report.guards);
  linearize_report_release(&report);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return 0;
}
