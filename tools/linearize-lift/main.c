// linearize-lift: PTX in, PTX out, by way of LLVM IR.
//
//     linearize-lift [OPTION]... FILE
//
// It is a program of its own so that nobody else needs LLVM: who linearizes PTX starts it, and goes
// on with the text as it was if it fails.
#define _POSIX_C_SOURCE 200809L
#include "common/child.h"
#include "common/command_line.h"
#include "plugin/lifted.h"

#include <llvm-c/Core.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "linearize-lift";

static const char help[] =
    "Usage: linearize-lift [OPTION]... FILE\n"
    "\n"
    "Lifts PTX to LLVM IR, runs passes over it, and writes the functions that they changed back\n"
    "into the text, which goes to standard output. FILE is PTX; - is standard input.\n"
    "\n"
    "  --passes PASSES   as opt has them; function(linearize) if none are given\n"
    "  --all             write every function again, changed or not\n"
    "  --ir              print the LLVM IR as it is before PASSES, and nothing else\n"
    "  --remarks         print what the passes say\n"
    "  --help            print this\n"
    "  --version         print the versions of linearize and LLVM\n"
    "\n"
    "Exit status:\n"
    "  0                 all went well\n"
    "  1                 bad input, or a pass that isn't known\n"
    "  2                 a wrong command line\n";

typedef struct options {
  const char *file, *passes;
  bool all, prints_ir, tells;
} options;

static options read_options(int argc, char **argv) {
  options o = {.passes = "function(linearize)"};
  for (int at = 1; at < argc; at++) {
    tool_answer(argv[at], help);
    const char *value = tool_value_of("--passes", argc, argv, &at);
    if (value != NULL)
      o.passes = value;
    else if (strcmp(argv[at], "--all") == 0)
      o.all = true;
    else if (strcmp(argv[at], "--ir") == 0)
      o.prints_ir = true;
    else if (strcmp(argv[at], "--remarks") == 0)
      o.tells = true;
    else
      tool_take_file(argv[at], &o.file);
  }
  tool_require_file(o.file);
  return o;
}

static void hear(void *context, const lin_pipeline_remark *remark) {
  static const char *const kinds[] = {"remark", "remark", "remark", "warning", "error"};
  const options *o = context;
  if (!o->tells && remark->kind < LIN_PIPELINE_WARNING)
    return;
  fprintf(stderr, "%s:%u: %s: %s%s%s [%s]\n", o->file, remark->line, kinds[remark->kind],
          remark->function, remark->function[0] == '\0' ? "" : ": ", remark->message, remark->name);
}

static void say_left(void *context, const char *function, uint32_t line, const char *reason) {
  const options *o = context;
  fprintf(stderr, "%s:%" PRIu32 ": remark: %s: left alone: %s\n", o->file, line,
          function == NULL ? "all" : function, reason);
}

static void print_ir(void *context, LLVMModuleRef module) {
  (void)context;
  char *text = LLVMPrintModuleToString(module);
  fputs(text, stdout);
  LLVMDisposeMessage(text);
}

int main(int argc, char **argv) {
  options o = read_options(argc, argv);
  size_t length;
  char *text = tool_read_input(o.file, &length);
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *ptx = lin_ptx_module_read(&arena, text, length, &error);
  if (ptx == NULL)
    tool_die(1, "%s:%" PRIu32 ": %s", o.file, error.line, error.message);
  lin_lifted_listener listener = {hear, say_left, o.prints_ir ? print_ir : NULL, &o};
  lin_lifted_options how = {o.prints_ir ? "no-op-module" : o.passes, o.all};
  lin_ptx_patch patch = {.arena = &arena};
  if (!lin_lifted_run(ptx, &how, &patch, &listener))
    tool_die(1, "%s: left alone", o.file);
  if (!o.prints_ir)
    lin_ptx_patch_write(stdout, text, (uint32_t)length, &patch);
  free(text);
  lin_arena_release(&arena);
  return 0;
}
