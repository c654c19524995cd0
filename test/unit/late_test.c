// A function that comes when the process has taken too long stays as it is, and a remark says so.
#include "linearize/linearize.h"

#include "expect.h"
#include "llvm/run/late.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <string.h>
#include <time.h>

static const char text[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
                           "define ptx_kernel void @f(i1 %a, i1 %b) {\n"
                           "  br i1 %a, label %x, label %y\n"
                           "x:\n  br i1 %b, label %y, label %z\n"
                           "y:\n  store volatile i32 1, ptr null\n  br label %z\n"
                           "z:\n  ret void\n}\n";

static bool linearize(linearize_report *report) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, sizeof text - 1, "late");
  LLVMModuleRef module;
  char *message = NULL;
  EXPECT(LLVMParseIRInContext(context, buffer, &module, &message) == 0);
  linearize_options options = linearize_default_options();
  options.mode = LINEARIZE_ALL;
  bool changed = linearize_function(LLVMGetNamedFunction(module, "f"), &options, report);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return changed;
}

int main(void) {
  linearize_report report = {0};
  EXPECT(linearize(&report));
  linearize_report_release(&report);
  lin_ir_limit_seconds(1);
  while (clock() < CLOCKS_PER_SEC + CLOCKS_PER_SEC / 100)
    ;
  report = (linearize_report){0};
  EXPECT(!linearize(&report));
  EXPECT(report.num_remarks == 1 && strstr(report.remarks[0].message, LIN_IR_LATE) != NULL);
  linearize_report_release(&report);
  return expect_end();
}
