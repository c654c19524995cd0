// The public C API.
#include "linearize/linearize.h"

#include "driver/passes.h"
#include "late.h"
#include "options.h"
#include "steps.h"
#include "llvm/ask/annotations.h"
#include "llvm/count/instrument.h"
#include "llvm/regroup/find.h"
#include "llvm/regroup/points.h"
#include "llvm/regroup/regroup.h"
#include "llvm/tell/message.h"
#include "llvm/tell/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(lin_arena *arena, LLVMValueRef function, linearize_remark_kind kind,
                   const char *name, const char *message, linearize_report *to) {
  lin_ir_read_options options = {0};
  lin_ir_report(to, lin_ir_read(arena, function, &options), kind, name, LIN_NONE, message);
}

// `summaries`: of other functions of the module, or NULL.
static bool run_options(LLVMValueRef function, const linearize_options *options,
                        lin_ir_summaries *summaries, linearize_report *into) {
  linearize_options here = options == NULL ? linearize_default_options() : *options;
  if (LLVMIsDeclaration(function) || !(here.any_target || lin_ir_is_gpu(function)))
    return false;
  linearize_report ignored = {0};
  if (into == NULL) {
    into = &ignored;
    here.quiet = true;
  }
  lin_arena arena = {0};
  const char *wrong = lin_ir_read_attributes(&arena, function, &here);
  lin_ir_job job = {&arena, function, &here, summaries, into, into->num_remarks};
  const bool is_late = lin_ir_is_late();
  bool changed = wrong == NULL && !is_late && lin_ir_run_steps(&job);
  if (wrong != NULL)
    report(&arena, function, LINEARIZE_ERROR, "WrongOption", wrong, into);
  else if (is_late)
    report(&arena, function, LINEARIZE_MISSED, "TooLate", "left alone: " LIN_IR_LATE, into);
  lin_arena_release(&arena);
  linearize_report_release(&ignored);
  return changed;
}

bool linearize_function(LLVMValueRef function, const linearize_options *options,
                        linearize_report *report) {
  return run_options(function, options, NULL, report);
}

bool linearize_module(LLVMModuleRef module, const linearize_options *options,
                      linearize_report *report) {
  bool changed = false;
  lin_arena arena = {0};
  lin_ir_summaries *summaries = lin_ir_summaries_new(&arena);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    changed |= run_options(function, options, summaries, report);
  lin_arena_release(&arena);
  return changed;
}

bool linearize_count(LLVMModuleRef module, bool passes) { return lin_ir_count(module, passes); }

bool linearize_mark_points(LLVMModuleRef module) { return lin_ir_mark_points(module); }

bool linearize_find_points(LLVMValueRef function, const linearize_options *options,
                           linearize_report *report) {
  const linearize_options usual = linearize_default_options();
  linearize_report ignored = {0};
  const linearize_options *here = options == NULL ? &usual : options;
  const bool changed = lin_ir_is_gpu(function) && !lin_ir_is_late() &&
                       lin_ir_unwanted(function, here->except) == NULL &&
                       lin_ir_find_points(function, here, report == NULL ? &ignored : report);
  linearize_report_release(&ignored);
  return changed;
}

bool linearize_regroup_threads(LLVMModuleRef module, const linearize_options *options,
                               linearize_report *report) {
  const linearize_options usual = linearize_default_options();
  linearize_report ignored = {0};
  const linearize_options *here = options == NULL ? &usual : options;
  bool changed = strncmp(LLVMGetTarget(module), "nvptx", 5) == 0 &&
                 lin_ir_regroup(module, here, report == NULL ? &ignored : report);
  linearize_report_release(&ignored);
  return changed;
}

size_t linearize_find_nests(LLVMValueRef function, const linearize_options *options,
                            void (*found)(LLVMBasicBlockRef header, void *context), void *context) {
  linearize_options here = options == NULL ? linearize_default_options() : *options;
  if (LLVMIsDeclaration(function) || !(here.any_target || lin_ir_is_gpu(function)))
    return 0;
  here.quiet = true;
  size_t count = 0;
  lin_arena arena = {0};
  linearize_report ignored = {0};
  lin_ir_job job = {&arena, function, &here, NULL, &ignored, 0};
  if (lin_ir_read_attributes(&arena, function, &here) == NULL && here.merge_loops)
    count = lin_ir_find_nests(&job, found, context);
  lin_arena_release(&arena);
  linearize_report_release(&ignored);
  return count;
}

// ---- looking

static lin_analysis *analyse(lin_arena *arena, LLVMValueRef function) {
  lin_ir_read_options options = {0};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  return lin_shape_build(arena, f->graph).analysis;
}

// "a -> b (branch, jump out)"
static int print_edge(char *text, size_t size, const lin_analysis *a, lin_edge edge) {
  const char *kinds[3] = {"", "", ""};
  int count = 0;
  for (unsigned kind = LIN_BRANCH; kind <= LIN_JUMP_OUT; kind *= 2)
    if ((a->kinds[edge] & kind) != 0)
      kinds[count++] = lin_edge_kind_name(kind);
  return snprintf(text, size, "%s -> %s (%s%s%s%s%s)", a->graph->name[a->graph->source[edge]],
                  a->graph->name[a->graph->destination[edge]], kinds[0], count > 1 ? ", " : "",
                  count > 1 ? kinds[1] : "", count > 2 ? ", " : "", count > 2 ? kinds[2] : "");
}

char *linearize_print_unstructured(LLVMValueRef function) {
  if (LLVMIsDeclaration(function))
    return lin_ir_copy_text("");
  lin_arena arena = {0};
  lin_analysis *a = analyse(&arena, function);
  size_t size = strlen(a->graph->title) + 64;
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0)
      size += 4 + (size_t)print_edge(NULL, 0, a, edge);
  char *text = malloc(size);
  if (text == NULL)
    abort();
  char *end = text + snprintf(text, size, "%s: %u unstructured edge%s\n", a->graph->title,
                              a->num_unstructured, a->num_unstructured == 1 ? "" : "s");
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++) {
    if (a->kinds[edge] == 0)
      continue;
    end += sprintf(end, "  ");
    end += print_edge(end, size - (size_t)(end - text), a, edge);
    end += sprintf(end, "\n");
  }
  lin_arena_release(&arena);
  return text;
}

char *linearize_print_passes(void) {
  size_t size = 1;
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++)
    size += strlen(pass->name) + strlen(pass->does) + strlen(": \n");
  char *text = malloc(size), *end = text;
  if (text == NULL)
    abort();
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++)
    end += sprintf(end, "%s: %s\n", pass->name, pass->does);
  return text;
}

bool linearize_verify(LLVMValueRef function, char **message) {
  if (LLVMIsDeclaration(function))
    return true;
  lin_arena arena = {0};
  lin_analysis *a = analyse(&arena, function);
  lin_edge edge = 0;
  while (edge < a->graph->num_edges && a->kinds[edge] == 0)
    edge++;
  bool good = edge == a->graph->num_edges;
  if (!good && message != NULL) {
    const char *format = "function '%s': unstructured edge ";
    int head = snprintf(NULL, 0, format, a->graph->title);
    int tail = print_edge(NULL, 0, a, edge);
    *message = malloc((size_t)(head + tail) + 1);
    if (*message == NULL)
      abort();
    sprintf(*message, format, a->graph->title);
    print_edge(*message + head, (size_t)tail + 1, a, edge);
  }
  lin_arena_release(&arena);
  return good;
}
