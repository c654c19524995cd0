// PTX through the plugin's passes: lifted to LLVM IR, changed, written back.
//
//     text ─▶ lift ─▶ passes ─▶ LLVM's code generator ─▶ splice ─▶ text
#ifndef LIN_PLUGIN_LIFTED_H
#define LIN_PLUGIN_LIFTED_H

#include "pipeline.h"

#include "ptx/module.h"
#include "ptx/patch.h"
#include "ptx/remark.h"

typedef struct lin_lifted_options {
  const char *name;    // of the file, as remarks have it
  const char *passes;  // as opt has them
  const bool *is_left; // [functions] these stay text, and nothing is said of them; NULL: none
  bool all;            // functions that don't change are written again, too
  uint32_t sm;         // it will run on GPUs of sm_N; 0: on those that the module names
} lin_lifted_options;

typedef struct lin_lifted_listener {
  // Of a function of the module. Its source is the .loc in force where the remark points to.
  void (*remark)(void *context, const lin_ptx_remark *remark);
  // A function, or the whole module (NULL), is left as it is; one clause says why.
  void (*left)(void *context, const char *function, uint32_t line, const char *reason);
  // A pass, or its name, is wrong.
  void (*failed)(void *context, const char *message);
  // The LLVM module before the passes, or NULL: nobody wants it.
  void (*lifted)(void *context, LLVMModuleRef module);
  void *context;
} lin_lifted_listener;

// Adds what the passes make of the module's functions to `patch`, whose arena takes it. Returns
// false if a pass failed, which was told: then nothing is added. As long as the passes and LLVM's
// code generator take.
bool lin_lifted_run(const lin_ptx_module *ptx, const lin_lifted_options *options,
                    lin_ptx_patch *patch, const lin_lifted_listener *listener);

#endif
