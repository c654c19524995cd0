// linearize-lift: PTX in, PTX out, by way of LLVM IR.
//
//     linearize-lift [OPTION]... FILE
//
// It is a program of its own so that nobody else needs LLVM: who linearizes PTX starts it, and goes
// on with the text as it was if it fails.
#define _POSIX_C_SOURCE 200809L
#include "common/child.h"
#include "common/command_line.h"
#include "common/records.h"
#include "common/reply.h"
#include "plugin/lifted.h"
#include "ptx/prospects.h"
#include "versions/excepted.h"
#include "llvm/run/late.h"

#include "linearize/linearize.h"

#include <llvm-c/Core.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char tool_name[] = "linearize-lift";

static const char help[] =
    "Usage: linearize-lift [OPTION]... FILE\n"
    "\n"
    "Lifts PTX to LLVM IR, runs passes over it, and writes the functions that they changed back\n"
    "into the text, which goes to standard output. FILE is PTX; - is standard input.\n"
    "\n"
    "  --options LIST    what the plugin's options ask for, with semicolons between them, without\n"
    "                    -linearize-: mode=paper;vote\n"
    "  --passes PASSES   passes, as opt has them, in place of that\n"
    "  --all             write every function again, changed or not\n"
    "  --ir              print the LLVM IR as it is before PASSES, and nothing else\n"
    "  --remarks         print what the passes say\n"
    "  --records N       write it with the text for the program that started this one, and end\n"
    "                    after N seconds, or with 2 GB of memory\n"
    "  --arch N          it will run on GPUs of sm_N, not on those that it names\n"
    "  --name NAME       what remarks call FILE\n"
    "  --help            print this\n"
    "  --version         print the versions of linearize and LLVM\n"
    "\n"
    "Exit status:\n"
    "  0                 all went well\n"
    "  1                 bad input, or a pass that isn't known\n"
    "  2                 a wrong command line\n";

static const rlim_t MOST_MEMORY = (rlim_t)2 << 30; // bytes of addresses

typedef struct options {
  const char *file, *name, *passes, *list;
  bool all, prints_ir, tells, is_helper;
  unsigned most_seconds; // of a helper
  FILE *records;         // of a helper, what it hears
  unsigned sm;
} options;

static options read_options(int argc, char **argv) {
  options o = {.list = ""};
  for (int at = 1; at < argc; at++) {
    tool_answer(argv[at], help);
    const char *value;
    if ((value = tool_value_of("--passes", argc, argv, &at)) != NULL)
      o.passes = value;
    else if ((value = tool_value_of("--options", argc, argv, &at)) != NULL)
      o.list = value;
    else if ((value = tool_value_of("--name", argc, argv, &at)) != NULL)
      o.name = value;
    else if ((value = tool_value_of("--arch", argc, argv, &at)) != NULL)
      o.sm = (unsigned)tool_number("--arch", value, 999);
    else if (strcmp(argv[at], "--all") == 0)
      o.all = true;
    else if (strcmp(argv[at], "--ir") == 0)
      o.prints_ir = true;
    else if (strcmp(argv[at], "--remarks") == 0)
      o.tells = true;
    else if ((value = tool_value_of("--records", argc, argv, &at)) != NULL)
      o.most_seconds = (unsigned)tool_number("--records", value, 3600);
    else
      tool_take_file(argv[at], &o.file);
  }
  tool_require_file(o.file);
  o.name = o.name == NULL ? o.file : o.name;
  o.is_helper = o.most_seconds > 0;
  return o;
}

// What comes when a third of the time is gone stays: LLVM's code generator needs the rest.
static void limit_all(unsigned most_seconds) {
  lin_ir_limit_seconds(most_seconds / 3);
  const struct rlimit memory = {MOST_MEMORY, MOST_MEMORY}, core = {0, 0};
#ifndef __SANITIZE_ADDRESS__ // which takes terabytes of addresses
  setrlimit(RLIMIT_AS, &memory);
#else
  (void)memory;
#endif
  setrlimit(RLIMIT_CORE, &core);
  alarm(most_seconds);
}

// ---- what is said

static void hear(void *context, const lin_ptx_remark *remark) {
  static const char *const kinds[] = {"remark", "remark", "warning", "remark"};
  const options *o = context;
  if (o->is_helper)
    tool_record_write(o->records, remark);
  else if (o->tells || remark->kind == LIN_PTX_WARNING)
    fprintf(stderr, "%s:%" PRIu32 ": %s: function '%s'%s%s%s: %s [%s]\n", o->name, remark->line,
            kinds[remark->kind], remark->function, remark->block != NULL ? ", block '" : "",
            remark->block != NULL ? remark->block : "", remark->block != NULL ? "'" : "",
            remark->message, remark->name);
}

static void say_left(void *context, const char *function, uint32_t line, const char *reason) {
  const options *o = context;
  char message[320];
  snprintf(message, sizeof message, "left alone: %.300s", reason);
  lin_ptx_remark remark = {.kind = LIN_PTX_MISSED,
                           .name = "NotLifted",
                           .function = function,
                           .line = line,
                           .message = message};
  if (o->is_helper && function != NULL)
    tool_record_write(o->records, &remark);
  else
    fprintf(stderr, "%s:%" PRIu32 ": remark: %s: %s\n", o->name, line,
            function == NULL ? "all" : function, message);
}

static void say_failed(void *context, const char *message) {
  (void)context;
  fprintf(stderr, "%s: %s\n", tool_name, message);
}

static void print_ir(void *context, LLVMModuleRef module) {
  (void)context;
  char *text = LLVMPrintModuleToString(module);
  fputs(text, stdout);
  LLVMDisposeMessage(text);
}

// ---- what is done

// The functions in which there is nothing that the options are about. In the arena.
static const bool *find_idle(lin_arena *arena, const lin_ptx_module *ptx, const char *list) {
  static const lin_mode modes[] = {[LINEARIZE_NEEDED] = LIN_MODE_NEEDED,
                                   [LINEARIZE_IRREDUCIBLE] = LIN_MODE_IRREDUCIBLE,
                                   [LINEARIZE_PAPER] = LIN_MODE_PAPER,
                                   [LINEARIZE_ALL] = LIN_MODE_ALL};
  linearize_options asked = linearize_default_options();
  char *message = NULL;
  if (!linearize_parse_options(list, &asked, &message))
    tool_die(2, "--options: %s", message);
  lin_ptx_wishes wishes = {.parting = asked.regroup || asked.vote || asked.interleave ||
                                      asked.limit_depth > 0 || (asked.meld && asked.regardless),
                           .melds = asked.meld,
                           .no_meld = asked.no_meld,
                           .anything = asked.count || asked.count_passes ||
                                       asked.versions != NULL || asked.tuned_file != NULL ||
                                       asked.only != NULL};
  if (asked.mode != LINEARIZE_NONE)
    wishes.mode[modes[asked.mode]] = true;
  wishes.mode[LIN_MODE_MERGE_LOOPS] |= asked.merge_loops;
  bool *is_idle = LIN_ARRAY(arena, bool, ptx->num_functions + 1);
  bool has_any = false;
  for (uint32_t i = 0; i < ptx->num_functions; i++) {
    is_idle[i] =
        !lin_ptx_has_prospects(ptx, i, &wishes) ||
        (ptx->function[i].is_kernel && lin_is_excepted(asked.except, ptx->function[i].name));
    has_any |= !is_idle[i];
  }
  for (uint32_t i = 0; i < ptx->num_functions; i++) // others may call it, and ask what it does
    is_idle[i] &= !has_any || ptx->function[i].is_kernel;
  return is_idle;
}

static FILE *open_text(char **text, size_t *length) {
  FILE *memory = open_memstream(text, length);
  if (memory == NULL)
    abort();
  return memory;
}

static char *pipeline_of(const options *o) {
  char *passes;
  size_t length;
  FILE *memory = open_text(&passes, &length);
  if (o->prints_ir)
    fputs("no-op-module", memory);
  else if (o->passes != NULL)
    fputs(o->passes, memory);
  else
    fprintf(memory, "linearize-pipeline<%s>", o->list);
  fclose(memory);
  return passes;
}

// A helper's answer is whole, or none (common/reply.h).
static void write_reply(const char *text, size_t length, lin_ptx_patch *patch, const char *said,
                        size_t said_length) {
  char *made;
  size_t made_length;
  FILE *memory = open_text(&made, &made_length);
  lin_ptx_patch_write(memory, text, (uint32_t)length, patch);
  if (fclose(memory) != 0)
    tool_die(1, "out of memory");
  tool_reply_write(stdout, made, made_length, said, said_length);
  free(made);
}

int main(int argc, char **argv) {
  options o = read_options(argc, argv);
  char *said = NULL;
  size_t said_length = 0;
  if (o.is_helper) {
    limit_all(o.most_seconds);
    o.records = open_text(&said, &said_length);
  }
  if (o.passes == NULL) { // then the list is all that is asked for
    unsetenv("LINEARIZE_OPTIONS");
    unsetenv("LINEARIZE_MODE");
  }
  size_t length;
  char *text = tool_read_input(o.file, &length);
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *ptx = lin_ptx_module_read(&arena, text, length, &error);
  if (ptx == NULL)
    tool_die(1, "%s:%" PRIu32 ": %s", o.name, error.line, error.message);
  lin_lifted_listener listener = {hear, say_left, say_failed, o.prints_ir ? print_ir : NULL, &o};
  char *passes = pipeline_of(&o);
  bool picks = o.passes == NULL && !o.prints_ir && !o.all;
  lin_lifted_options how = {o.name, passes, picks ? find_idle(&arena, ptx, o.list) : NULL, o.all,
                            o.sm};
  lin_ptx_patch patch = {.arena = &arena};
  if (!lin_lifted_run(ptx, &how, &patch, &listener)) {
    if (o.is_helper) // it has said why
      return 1;
    tool_die(1, "%s: left alone", o.name);
  }
  if (o.is_helper) {
    fclose(o.records);
    write_reply(text, length, &patch, said, said_length);
    free(said);
  } else if (!o.prints_ir)
    lin_ptx_patch_write(stdout, text, (uint32_t)length, &patch);
  free(passes);
  free(text);
  lin_arena_release(&arena);
  return 0;
}
