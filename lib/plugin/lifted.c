#include "lifted.h"

#include "lift/lift.h"
#include "lift/splice.h"

#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include <string.h>

typedef struct work {
  lin_arena arena;
  const lin_ptx_module *ptx;
  const lin_lifted_options *options;
  const lin_lifted_listener *listener;
  bool *is_lifted, *is_changed; // [functions]
} work;

static void tell(void *context, const lin_pipeline_remark *remark) {
  const work *w = context;
  w->listener->remark(w->listener->context, remark);
}

static void note_change(void *context, const char *function) {
  work *w = context;
  for (uint32_t i = 0; i < w->ptx->num_functions; i++)
    if (strcmp(w->ptx->function[i].name, function) == 0)
      w->is_changed[i] = true;
}

static void lift_functions(work *w, lin_lift *lift) {
  for (uint32_t i = 0; i < w->ptx->num_functions; i++) {
    uint32_t line;
    const char *reason = lin_lift_function(lift, i, &line);
    w->is_lifted[i] = reason == NULL;
    if (reason != NULL)
      w->listener->left(w->listener->context, w->ptx->function[i].name, line, reason);
  }
}

// Whether there is anything to be written.
static bool has_work(const work *w) {
  for (uint32_t i = 0; i < w->ptx->num_functions; i++)
    if (w->is_lifted[i] && (w->options->all || w->is_changed[i]))
      return true;
  return false;
}

static bool write_back(work *w, LLVMModuleRef module, LLVMTargetMachineRef machine,
                       lin_ptx_patch *patch) {
  LLVMMemoryBufferRef buffer;
  char *message;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &buffer)) {
    LLVMDisposeMessage(message);
    w->listener->left(w->listener->context, NULL, 0, "LLVM's code generator doesn't take it");
    return false;
  }
  lin_ptx_error error;
  const lin_ptx_module *written =
      lin_ptx_module_read(&w->arena, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), &error);
  for (uint32_t i = 0; written != NULL && i < w->ptx->num_functions; i++)
    if (w->is_lifted[i] && (w->options->all || w->is_changed[i]))
      lin_lift_splice(w->ptx, i, written, patch);
  if (written != NULL)
    lin_lift_splice_variables(w->ptx, written, patch);
  LLVMDisposeMemoryBuffer(buffer);
  return written != NULL;
}

static bool run(work *w, LLVMContextRef context, lin_ptx_patch *patch) {
  lin_lift *lift = lin_lift_new(&w->arena, w->ptx, context);
  LLVMModuleRef module = lin_lift_module(lift);
  lift_functions(w, lift);
  const char *reason;
  LLVMTargetMachineRef machine = lin_lift_machine(lift, &reason);
  bool is_good = true;
  if (machine == NULL) {
    w->listener->left(w->listener->context, NULL, 0, reason);
  } else {
    lin_pipeline_listener ear = {tell, note_change, w};
    is_good = lin_pipeline_run(module, machine, "function(sroa)", "no-op-module", &ear) == 0;
    if (w->listener->lifted != NULL)
      w->listener->lifted(w->listener->context, module);
    is_good =
        is_good && lin_pipeline_run(module, machine, "no-op-module", w->options->passes, &ear) == 0;
    if (is_good && has_work(w))
      is_good = write_back(w, module, machine, patch);
    LLVMDisposeTargetMachine(machine);
  }
  LLVMDisposeModule(module);
  return is_good;
}

bool lin_lifted_run(const lin_ptx_module *ptx, const lin_lifted_options *options,
                    lin_ptx_patch *patch, const lin_lifted_listener *listener) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  // The loops were strength-reduced by the compiler that wrote them. Once more, and ptxas unrolls
  // other loops than before (`scripts/check-lift`: bytes_runs 1.14 times the instructions).
  static const char *const arguments[] = {"linearize", "-disable-lsr"};
  LLVMParseCommandLineOptions(2, arguments, NULL);
  work w = {.ptx = ptx, .options = options, .listener = listener};
  w.is_lifted = LIN_ARRAY(&w.arena, bool, ptx->num_functions + 1);
  w.is_changed = LIN_ARRAY(&w.arena, bool, ptx->num_functions + 1);
  LLVMContextRef context = LLVMContextCreate();
  bool is_good = run(&w, context, patch);
  LLVMContextDispose(context);
  lin_arena_release(&w.arena);
  return is_good;
}
