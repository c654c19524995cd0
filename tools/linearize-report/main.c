// linearize-report: one page that shows what linearize does to the functions of a module.
#define _POSIX_C_SOURCE 200809L

#include "common/leftovers.h"
#include "common/module.h"
#include "common/names.h"
#include "common/ptx.h"
#include "page.h"
#include "programs.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

static bool has_functions(LLVMModuleRef module, const char *only) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    size_t length;
    if (!LLVMIsDeclaration(f) &&
        (only == NULL || tool_is_called(LLVMGetValueName2(f, &length), only)))
      return true;
  }
  return false;
}

static void check_module(LLVMModuleRef module, const report_options *options, bool is_cuda) {
  const char *target = LLVMGetTarget(module);
  if (!options->any_target && strncmp(target, "nvptx", 5) != 0)
    tool_die(1,
             "%s: it is for '%s', and linearize works for nvptx and nvptx64; --any-target has it "
             "look at others, too",
             options->file, target);
  if (!has_functions(module, NULL))
    tool_die(1, "%s: no %sfunction is defined there", options->file, is_cuda ? "device " : "");
  if (!has_functions(module, options->function))
    tool_die(1, "%s: no function '%s' is defined there", options->file, options->function);
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

static void write_out(const char *name, const report_content *content) {
  name = strcmp(name, "-") == 0 ? NULL : name;
  FILE *file = tool_create(name);
  report_print_page(file, content);
  tool_close(file, name);
}

// Everything that is known of the module, before and after the pass.
static void gather(lin_arena *arena, const report_options *options, const char *file,
                   report_content *content) {
  bool is_cuda = tool_ends_with(options->file, ".cu");
  const char *path = is_cuda ? report_compile(arena, options) : file;
  const tool_choice named = {"--function", options->function};
  LLVMModuleRef before = tool_read_module(path, options->file, &named);
  check_module(before, options, is_cuda);
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
  report_choice choice = {options->function, options->most_functions, &content->remarks};
  content->defined = report_keep(before, &choice);
  LLVMModuleRef after = tool_read_module(after_path, options->file, &named);
  report_keep_same(after, before);
  name_values(after, "new");
  if (options->launch.count > 0)
    content->simulation = report_simulate(arena, options, before_path, after_path);
  if (options->counts != NULL || options->launch.count > 0)
    content->costs = report_costs(arena, options, before_path);
  content->target = lin_arena_text(arena, LLVMGetTarget(before), strlen(LLVMGetTarget(before)));
  content->functions = report_read(arena, before, after, &content->sources);
  tool_release_module(before);
  tool_release_module(after);
}

int main(int argc, char **argv) {
  lin_arena arena = {0};
  report_options options;
  report_options_parse(&arena, argc, argv, &options);
  const char *file = options.file;
  if (strcmp(file, "-") == 0)
    options.file = "<stdin>"; // in messages
  report_content content = {
      .options = &options, .llvm = llvm_version(), .sources = {.arena = &arena}};
  gather(&arena, &options, file, &content);
  report_read_sources(&content.sources);
  content.drawings = report_draw(&arena, &content.functions, options.most_blocks);
  if (content.functions.count < content.defined)
    fprintf(
        stderr,
        "%s: %s: the page shows %u of %u functions; --max-functions shows more, --function one\n",
        tool_name, options.file, content.functions.count, content.defined);
  write_out(options.output, &content);
  tool_remove_leftovers(); // their paths are in the arena
  lin_arena_release(&arena);
  return 0;
}
