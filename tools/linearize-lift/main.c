// linearize-lift: PTX in, PTX out, by way of LLVM IR.
//
//     linearize-lift [--passes=PASSES] [--all] [--ir] [FILE.ptx]
//
// It is a program of its own so that nobody else needs LLVM: who linearizes PTX starts it, and goes
// on with the text as it was if it fails.
#define _POSIX_C_SOURCE 200809L
#include "common/child.h"
#include "common/command_line.h"
#include "lift/lift.h"
#include "lift/splice.h"
#include "plugin/pipeline.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "linearize-lift";

static const char help[] =
    "usage: linearize-lift [OPTION...] [FILE.ptx]\n"
    "\n"
    "Lifts PTX to LLVM IR, runs passes over it, and writes the functions that they changed back\n"
    "into the text, which goes to standard output. Without FILE, or with -, reads standard input.\n"
    "\n"
    "  --passes=PASSES  as opt has them; function(linearize) if none are given\n"
    "  --all            writes every function again, changed or not\n"
    "  --ir             prints the LLVM IR, before PASSES, and nothing else\n"
    "  --remarks        prints what the passes say\n";

typedef struct options {
  const char *file, *passes;
  bool all, prints_ir, tells;
} options;

static options read_options(int argc, char **argv) {
  options o = {.file = "-", .passes = "function(linearize)"};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(help, stdout);
      exit(0);
    }
    if (strncmp(argv[i], "--passes=", 9) == 0)
      o.passes = argv[i] + 9;
    else if (strcmp(argv[i], "--all") == 0)
      o.all = true;
    else if (strcmp(argv[i], "--ir") == 0)
      o.prints_ir = true;
    else if (strcmp(argv[i], "--remarks") == 0)
      o.tells = true;
    else if (argv[i][0] == '-' && argv[i][1] != '\0')
      tool_die(1, "no option '%s': see --help", argv[i]);
    else
      o.file = argv[i];
  }
  return o;
}

typedef struct work {
  const options *options;
  lin_arena arena;
  const lin_ptx_module *ptx;
  bool *is_lifted, *is_changed; // [functions]
} work;

static void hear(void *context, const lin_pipeline_remark *remark) {
  static const char *const kinds[] = {"remark", "remark", "remark", "warning", "error"};
  const work *w = context;
  if (!w->options->tells && remark->kind < LIN_PIPELINE_WARNING)
    return;
  fprintf(stderr, "%s:%u: %s: %s%s%s [%s]\n", w->options->file, remark->line, kinds[remark->kind],
          remark->function, remark->function[0] == '\0' ? "" : ": ", remark->message, remark->name);
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
      fprintf(stderr, "%s:%" PRIu32 ": remark: %s: left alone, because of %s\n", w->options->file,
              line, w->ptx->function[i].name, reason);
  }
}

static void print_ir(LLVMModuleRef module) {
  char *text = LLVMPrintModuleToString(module);
  fputs(text, stdout);
  LLVMDisposeMessage(text);
}

static void write_back(work *w, LLVMModuleRef module, LLVMTargetMachineRef machine,
                       lin_ptx_patch *patch) {
  LLVMMemoryBufferRef buffer;
  char *message;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &buffer))
    tool_die(1, "%s: %s", w->options->file, message);
  lin_ptx_error error;
  const lin_ptx_module *written = lin_ptx_module_read(&w->arena, LLVMGetBufferStart(buffer),
                                                      LLVMGetBufferSize(buffer), &error);
  if (written == NULL)
    tool_die(1, "%s: LLVM wrote what isn't PTX: %s", w->options->file, error.message);
  for (uint32_t i = 0; i < w->ptx->num_functions; i++)
    if (w->is_lifted[i] && (w->options->all || w->is_changed[i]))
      lin_lift_splice(w->ptx, i, written, patch);
  lin_lift_splice_variables(w->ptx, written, patch);
  LLVMDisposeMemoryBuffer(buffer);
}

static void run(work *w, lin_ptx_patch *patch) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  LLVMContextRef context = LLVMContextCreate();
  lin_lift *lift = lin_lift_new(&w->arena, w->ptx, context);
  LLVMModuleRef module = lin_lift_module(lift);
  lift_functions(w, lift);
  const char *reason;
  LLVMTargetMachineRef machine = lin_lift_machine(lift, &reason);
  if (machine == NULL) {
    fprintf(stderr, "%s: remark: left alone, for %s\n", w->options->file, reason);
  } else {
    lin_pipeline_listener ear = {hear, note_change, w};
    const char *passes = w->options->prints_ir ? "" : w->options->passes;
    if (lin_pipeline_run(module, machine, "function(sroa)", passes, &ear) != 0)
      tool_die(1, "%s: left alone", w->options->file);
    if (w->options->prints_ir)
      print_ir(module);
    else
      write_back(w, module, machine, patch);
    LLVMDisposeTargetMachine(machine);
  }
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

int main(int argc, char **argv) {
  options o = read_options(argc, argv);
  work w = {.options = &o};
  FILE *file = strcmp(o.file, "-") == 0 ? stdin : fopen(o.file, "rb");
  if (file == NULL)
    tool_die(1, "%s: %s", o.file, strerror(errno));
  size_t length;
  char *text = tool_read_all(file, &length);
  lin_ptx_error error;
  w.ptx = lin_ptx_module_read(&w.arena, text, length, &error);
  if (w.ptx == NULL)
    tool_die(1, "%s:%" PRIu32 ": %s", o.file, error.line, error.message);
  w.is_lifted = LIN_ARRAY(&w.arena, bool, w.ptx->num_functions + 1);
  w.is_changed = LIN_ARRAY(&w.arena, bool, w.ptx->num_functions + 1);
  lin_ptx_patch patch = {.arena = &w.arena};
  run(&w, &patch);
  if (!o.prints_ir)
    lin_ptx_patch_write(stdout, text, (uint32_t)length, &patch);
  free(text);
  lin_arena_release(&w.arena);
  return 0;
}
