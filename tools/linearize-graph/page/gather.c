// What stands on the page of a module.
#define _POSIX_C_SOURCE 200809L // setenv
#include "common/leftovers.h"
#include "common/module.h"
#include "common/names.h"
#include "common/ptx.h"
#include "linearize-graph/input.h"
#include "linearize/linearize.h"
#include "page.h"
#include "programs.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <llvm-c/Support.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 1000 };

static void check_target(LLVMModuleRef module, const tool_options *options, const char *file) {
  const char *target = LLVMGetTarget(module);
  if (!options->asked->any_target && strncmp(target, "nvptx", 5) != 0)
    tool_die(1,
             "%s: it is for '%s', and linearize works for nvptx and nvptx64; --mode any-target has "
             "it look at others, too",
             file, target);
}

static void name_values(LLVMModuleRef module, const char *prefix) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f))
      tool_name_values(f, prefix);
}

static void write_module(LLVMModuleRef module, const char *path) {
  if (LLVMWriteBitcodeToFile(module, path) != 0)
    tool_die(1, "%s can't be written", path);
}

static char *llvm_version(void) {
  unsigned major, minor, patch;
  static char text[48];
  LLVMGetVersion(&major, &minor, &patch);
  snprintf(text, sizeof text, "%u.%u.%u", major, minor, patch);
  return text;
}

// To all passes, as opt is given it.
static void give_profile(const char *file) {
  static const char option[] = "-linearize-profile=";
  const char *arguments[2] = {tool_name, NULL};
  lin_arena arena = {0};
  char *text = lin_arena_bytes(&arena, sizeof option + strlen(file));
  arguments[1] = strcat(strcpy(text, option), file);
  LLVMParseCommandLineOptions(2, arguments, NULL);
  lin_arena_release(&arena);
}

// As opt's -passes has them.
static const char *passes_of(lin_arena *arena, const char *mode) {
  static const char head[] = "mark<uniform>,linearize";
  size_t size = sizeof head + strlen(mode) + 3;
  char *text = lin_arena_bytes(arena, size), *list = text + strlen(head);
  snprintf(text, size, *mode == '\0' ? "%s%s" : "%s<%s>", head, mode);
  while ((list = strchr(list, ',')) != NULL)
    *list = ';'; // passes have commas between them
  return text;
}

// What is said of a version that is refilled; what is made of it goes.
static report_remarks refill(lin_arena *arena, LLVMModuleRef module, const char *file) {
  unsetenv("LINEARIZE_OPTIONS"); // a mode there is for the kernel, and none of its version
  LLVMModuleRef copy = LLVMCloneModule(module);
  report_remarks remarks = report_run_passes(arena, copy, "linearize-versions<refilled>", file);
  LLVMDisposeModule(copy);
  return remarks;
}

// Has the kernel of the launch run.
static void run(lin_arena *arena, const tool_options *options, LLVMModuleRef before,
                LLVMModuleRef after, report_content *content) {
  const char *before_path = report_scratch(arena, "before.bc");
  write_module(before, before_path);
  if (options->launch != NULL) {
    const char *after_path = report_scratch(arena, "after.bc");
    write_module(after, after_path);
    content->simulation = report_simulate(arena, options, before_path, after_path);
  }
  content->costs = report_costs(arena, options, before_path);
}

// Everything that is known of the module, before and after the pass.
static void gather(lin_arena *arena, const tool_options *options, report_content *content) {
  const tool_choice named = {"--function", options->function};
  LLVMModuleRef before = tool_read_module(options->file, content->file, &named);
  check_target(before, options, content->file);
  name_values(before, "%");
  LLVMModuleRef after = LLVMCloneModule(before);
  linearize_profile_release(tool_profile_read(options)); // or a pass would find that it's wrong
  if (options->profile != NULL)
    give_profile(options->profile);
  const char *passes = passes_of(arena, options->mode);
  content->remarks = report_run_passes(arena, after, passes, content->file);
  content->refilling = refill(arena, before, content->file);
  if (options->launch != NULL || options->counts != NULL)
    run(arena, options, before, after, content);
  report_choice choice = {options->function, MOST_FUNCTIONS, &content->remarks};
  content->defined = report_keep(before, &choice);
  if (content->defined == 0 && options->function == NULL)
    tool_die(1, "%s: no function is defined there", content->file);
  if (content->defined == 0)
    tool_die(1, "%s: no function '%s' is defined there", content->file, options->function);
  report_keep_same(after, before);
  name_values(after, "new");
  content->target = lin_arena_text(arena, LLVMGetTarget(before), strlen(LLVMGetTarget(before)));
  content->functions = report_read(arena, before, after, &content->sources);
  LLVMDisposeModule(after);
  tool_release_module(before);
}

void report_write(const tool_options *options) {
  lin_arena arena = {0};
  report_content content = {
      .options = options, .llvm = llvm_version(), .sources = {.arena = &arena}};
  content.file = strcmp(options->file, "-") == 0 ? "<stdin>" : options->file;
  gather(&arena, options, &content);
  tool_read_sources(&content.sources);
  content.drawings = report_draw(&arena, &content.functions);
  if (content.functions.count < content.defined)
    fprintf(stderr, "%s: %s: the page shows %u of %u functions; --function shows one\n", tool_name,
            content.file, content.functions.count, content.defined);
  FILE *file = tool_create(options->output);
  report_print_page(file, &content);
  tool_close(file, options->output);
  tool_remove_leftovers(); // their paths are in the arena
  lin_arena_release(&arena);
}
