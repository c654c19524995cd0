// The plugin's passes, run by a program that has LLVM linked to it.
#ifndef LIN_PLUGIN_PIPELINE_H
#define LIN_PLUGIN_PIPELINE_H

#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lin_pipeline_kind {
  LIN_PIPELINE_PASSED,
  LIN_PIPELINE_MISSED,
  LIN_PIPELINE_ANALYSIS,
  LIN_PIPELINE_WARNING,
  LIN_PIPELINE_ERROR,
} lin_pipeline_kind;

// What a pass says. All of it lives until the listener returns.
typedef struct lin_pipeline_remark {
  lin_pipeline_kind kind;
  const char *name;            // of the remark; "" of a warning or an error
  const char *function;        // its symbol, or ""
  const char *block;           // or ""
  unsigned line;               // of the debug location; 0: none
  unsigned region;             // its number; UINT_MAX: it is about none
  const char *message;         // one clause, without function and block
  size_t brief;                // so many of its characters are no details
  double gain, executed, cost; // of an estimate; executed is 0: there is none
} lin_pipeline_remark;

typedef struct lin_pipeline_listener {
  void (*remark)(void *context, const lin_pipeline_remark *remark);
  // A function that isn't what it was before the passes.
  void (*changed)(void *context, const char *function);
  void *context;
} lin_pipeline_listener;

// Runs `before`, and then `passes`, both as opt's -passes has them, over a module. Tells the
// listener of remarks, and of the functions that `passes` has changed. Returns 0, or 1 if a pass or
// its name is wrong, which was told as an error. Without a machine nothing is known of the target.
// As long as its passes take.
int lin_pipeline_run(LLVMModuleRef module, LLVMTargetMachineRef machine, const char *before,
                     const char *passes, const lin_pipeline_listener *listener);

// Makes a declaration of a function. O(its instructions).
void lin_pipeline_drop_body(LLVMValueRef function);

#ifdef __cplusplus
}
#endif

#endif
