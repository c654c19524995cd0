// What stands on the page of a module.
#include "common/leftovers.h"
#include "common/module.h"
#include "common/names.h"
#include "common/ptx.h"
#include "linearize/linearize.h"
#include "page.h"
#include "programs.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

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

// Everything that is known of the module, before and after the pass.
static void gather(lin_arena *arena, const tool_options *options, report_content *content) {
  const tool_choice named = {"--function", options->function};
  LLVMModuleRef before = tool_read_module(options->file, content->file, &named);
  check_target(before, options, content->file);
  name_values(before, "%");
  const char *before_path = report_scratch(arena, "before.bc");
  const char *after_path = report_scratch(arena, "after.bc");
  const char *remarks_path = report_scratch(arena, "remarks.yaml");
  write_module(before, before_path);
  report_run_pass(arena, options, before_path, after_path, remarks_path);
  content->remarks = report_read_remarks(arena, remarks_path);
  const char *refilling_path = report_scratch(arena, "refilling.yaml");
  report_run_refilling(arena, options, before_path, refilling_path);
  content->refilling = report_read_remarks(arena, refilling_path);
  report_choice choice = {options->function, MOST_FUNCTIONS, &content->remarks};
  content->defined = report_keep(before, &choice);
  if (content->defined == 0)
    tool_die(1, "%s: no function%s%s%s is defined there", content->file,
             options->function == NULL ? "" : " '",
             options->function == NULL ? "" : options->function,
             options->function == NULL ? "" : "'");
  LLVMModuleRef after = tool_read_module(after_path, content->file, &named);
  report_keep_same(after, before);
  name_values(after, "new");
  if (options->launch != NULL)
    content->simulation = report_simulate(arena, options, before_path, after_path);
  if (options->counts != NULL || options->launch != NULL)
    content->costs = report_costs(arena, options, before_path);
  content->target = lin_arena_text(arena, LLVMGetTarget(before), strlen(LLVMGetTarget(before)));
  content->functions = report_read(arena, before, after, &content->sources);
  tool_release_module(before);
  tool_release_module(after);
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
