#include "lifted.h"

#include "lift/contract.h"
#include "lift/lift.h"
#include "lift/lines.h"
#include "lift/splice.h"
#include "versions/format.h"
#include "llvm/ask/target.h"
#include "llvm/versions/names.h"

#include <llvm-c/Core.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  lin_arena arena;
  const lin_ptx_module *ptx;
  const lin_lifted_options *options;
  const lin_lifted_listener *listener;
  bool *is_lifted, *is_changed; // [functions]
  bool has_copies;              // functions that the module didn't have
  lin_arena told_arena;         // of `lines`
  lin_lift_lines lines;         // of the function that was told of last
  uint32_t told;
} work;

// Whether a symbol ends as those of versions do, or of copies that count (llvm/count/copy.cpp), as
// LLVM writes these.
static bool is_end_of_copy(const char *end) {
  static const char *const ends[] = {LIN_VERSIONS_FUNCTION_INFIX, "_$_counted"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (strncmp(end, ends[i], strlen(ends[i])) == 0)
      return true;
  return false;
}

// The function that `name` is a copy of, or num_functions: none. Symbols may be the beginning of
// others, so it is the longest that fits.
static uint32_t find_original(const work *w, const char *name) {
  uint32_t found = w->ptx->num_functions;
  size_t longest = 0;
  for (uint32_t i = 0; i < w->ptx->num_functions; i++) {
    const char *own = w->ptx->function[i].name;
    const size_t length = strlen(own);
    if (length >= longest && strncmp(name, own, length) == 0 && is_end_of_copy(name + length)) {
      found = i;
      longest = length;
    }
  }
  return found;
}

// Remarks of a function come one after the other.
static const lin_lift_lines *lines_of(work *w, uint32_t function) {
  if (w->told != function || w->lines.body == NULL) {
    lin_arena_release(&w->told_arena);
    w->told_arena = (lin_arena){0};
    w->told = function;
    w->lines = lin_lift_lines_read(
        &w->told_arena, lin_ptx_body_read(&w->told_arena, w->ptx, &w->ptx->function[function]));
  }
  return &w->lines;
}

// The .loc on a line of the PTX, or of what is inlined from another file, the one that calls it in
// the function's own, where there is one.
static uint32_t find_loc(work *w, uint32_t function, uint32_t line) {
  const lin_lift_lines *lines = lines_of(w, function);
  const uint32_t found = lin_lift_loc_on(lines, line);
  uint32_t loc = found;
  while (loc != LIN_NONE && lines->body->loc[loc].own.file != lines->body->loc[0].own.file)
    loc = lines->caller[loc];
  return loc == LIN_NONE ? found : loc;
}

// Writes the source's place for each line of the PTX that a message names, `app.ptx:57` or
// `line 57`, but for blocks, which are quoted. Returns the new message, in the arena.
static const char *name_sources(lin_arena *arena, work *w, uint32_t function,
                                lin_ptx_remark *remark) {
  const char *slash = strrchr(w->options->name, '/');
  const char *file = slash == NULL ? w->options->name : slash + 1, *message = remark->message;
  const size_t length = strlen(file), size = 4 * strlen(message) + 1024;
  char *made = lin_arena_bytes(arena, size);
  size_t used = 0;
  uint32_t brief = remark->brief;
  for (const char *at = message; *at != '\0' && used + 512 < size;) {
    const bool is_place = strncmp(at, file, length) == 0 && at[length] == ':';
    const bool is_line = strncmp(at, "line ", 5) == 0 && at > message && at[-1] != '\'';
    char *end = NULL;
    const unsigned long line =
        is_place || is_line ? strtoul(at + (is_place ? length + 1 : 5), &end, 10) : 0;
    const uint32_t loc = line > 0 ? find_loc(w, function, (uint32_t)line) : LIN_NONE;
    const char *source =
        loc == LIN_NONE ? NULL : lin_ptx_file(w->ptx, w->lines.body->loc[loc].own.file);
    if (source == NULL) {
      made[used++] = *at++;
    } else {
      slash = strrchr(source, '/');
      used += (size_t)snprintf(made + used, 512, "%.480s:%u", slash == NULL ? source : slash + 1,
                               (unsigned)w->lines.body->loc[loc].own.line);
      at = end;
    }
    if ((size_t)(at - message) <= brief)
      remark->brief = (uint32_t)used;
  }
  made[used] = '\0';
  return made;
}

static void tell(void *context, const lin_pipeline_remark *said) {
  static const lin_ptx_remark_kind kinds[] = {[LIN_PIPELINE_PASSED] = LIN_PTX_PASSED,
                                              [LIN_PIPELINE_MISSED] = LIN_PTX_MISSED,
                                              [LIN_PIPELINE_ANALYSIS] = LIN_PTX_ANALYSIS,
                                              [LIN_PIPELINE_WARNING] = LIN_PTX_WARNING};
  work *w = context;
  if (said->kind == LIN_PIPELINE_ERROR) {
    w->listener->failed(w->listener->context, said->message);
    return;
  }
  if (strcmp(said->name, "NoSuchKernel") == 0) // of what is lifted; who asks knows the module
    return;
  uint32_t function = lin_ptx_find_function(w->ptx, said->function);
  if (function == w->ptx->num_functions)
    function = find_original(w, said->function);
  if (function == w->ptx->num_functions)
    return;
  lin_ptx_remark remark = {.kind = kinds[said->kind],
                           .name = said->name,
                           .function = said->function,
                           .block = said->block[0] == '\0' ? NULL : said->block,
                           .line = said->line != 0 ? said->line : w->ptx->function[function].line,
                           .message = said->message,
                           .brief = (uint32_t)said->brief,
                           .gain = said->gain,
                           .executed = said->executed,
                           .cost = said->cost};
  uint32_t loc = remark.block == NULL ? LIN_NONE : find_loc(w, function, remark.line);
  if (loc != LIN_NONE) {
    remark.source = lin_ptx_file(w->ptx, w->lines.body->loc[loc].own.file);
    remark.source_line = w->lines.body->loc[loc].own.line;
  }
  lin_arena arena = {0};
  remark.message = name_sources(&arena, w, function, &remark);
  w->listener->remark(w->listener->context, &remark);
  lin_arena_release(&arena);
}

static void note_change(void *context, const char *function) {
  work *w = context;
  uint32_t i = lin_ptx_find_function(w->ptx, function);
  if (i < w->ptx->num_functions)
    w->is_changed[i] = true;
  w->has_copies |= i == w->ptx->num_functions;
}

static void lift_functions(work *w, lin_lift *lift) {
  for (uint32_t i = 0; i < w->ptx->num_functions; i++) {
    if (w->options->is_left != NULL && w->options->is_left[i])
      continue;
    uint32_t line;
    const char *reason = lin_lift_function(lift, i, &line);
    w->is_lifted[i] = reason == NULL;
    if (reason != NULL)
      w->listener->left(w->listener->context, w->ptx->function[i].name, line, reason);
  }
}

// Versions that the module has already get none of their own. Symbols alone tell what they are.
static void mark_versions(work *w, LLVMModuleRef module) {
  static const char infix[] = LIN_VERSIONS_FUNCTION_INFIX;
  for (uint32_t i = 0; i < w->ptx->num_functions; i++) {
    const char *name = w->ptx->function[i].name, *end = strstr(name, infix);
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (end == NULL || function == NULL || LLVMIsDeclaration(function))
      continue;
    const char *kernel = lin_arena_text(&w->arena, name, (size_t)(end - name));
    const size_t size = lin_versions_variable(NULL, 0, kernel) + 1;
    char *variable = lin_arena_bytes(&w->arena, size);
    lin_versions_variable(variable, size, kernel);
    if (LLVMGetNamedGlobal(module, variable) != NULL)
      lin_ir_mark_version(function, end + sizeof infix - 1);
  }
}

// It is written for GPUs that the module names, and choices are made for those that will run it.
static void set_target(const work *w, LLVMModuleRef module) {
  char target[16];
  snprintf(target, sizeof target, "sm_%u", (unsigned)w->options->sm);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (w->options->sm != 0 && !LLVMIsDeclaration(f))
      lin_ir_set_target(f, target);
}

// Whether there is anything to be written.
static bool has_work(const work *w) {
  if (w->has_copies)
    return true;
  for (uint32_t i = 0; i < w->ptx->num_functions; i++)
    if (w->is_lifted[i] && (w->options->all || w->is_changed[i]))
      return true;
  return false;
}

static void splice_copies(work *w, const lin_ptx_module *written, lin_ptx_patch *patch) {
  for (uint32_t i = 0; i < written->num_functions; i++) {
    const char *name = written->function[i].name;
    if (lin_ptx_find_function(w->ptx, name) < w->ptx->num_functions)
      continue;
    const uint32_t original = find_original(w, name);
    if (original < w->ptx->num_functions)
      lin_lift_splice_copy(lines_of(w, original), name, written, patch);
  }
}

// The code generator isn't asked for what nobody wants written.
static void drop_unchanged(const work *w, LLVMModuleRef module) {
  for (uint32_t i = 0; i < w->ptx->num_functions && !w->options->all; i++) {
    LLVMValueRef function = LLVMGetNamedFunction(module, w->ptx->function[i].name);
    if (function != NULL && !w->is_changed[i] && !LLVMIsDeclaration(function))
      lin_pipeline_drop_body(function);
  }
}

static bool write_back(work *w, LLVMModuleRef module, LLVMTargetMachineRef machine,
                       lin_ptx_patch *patch) {
  LLVMMemoryBufferRef buffer;
  char *message;
  drop_unchanged(w, module);
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
      lin_lift_splice(lines_of(w, i), written, patch);
  if (written != NULL) {
    splice_copies(w, written, patch);
    lin_lift_splice_variables(w->ptx, written, patch);
  }
  LLVMDisposeMemoryBuffer(buffer);
  return written != NULL;
}

static bool run(work *w, LLVMContextRef context, lin_ptx_patch *patch) {
  lin_lift *lift = lin_lift_new(&w->arena, w->ptx, w->options->name, context);
  LLVMModuleRef module = lin_lift_module(lift);
  lift_functions(w, lift);
  mark_versions(w, module);
  const char *reason;
  LLVMTargetMachineRef machine = lin_lift_machine(lift, &reason);
  set_target(w, module);
  bool is_good = true;
  if (machine == NULL) {
    w->listener->left(w->listener->context, NULL, 0, reason);
  } else {
    lin_pipeline_listener ear = {tell, note_change, w};
    is_good = lin_pipeline_run(module, machine, "function(sroa)", "no-op-module", &ear) == 0;
    lin_lift_keep_contracted(module);
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
  lin_arena_release(&w.told_arena);
  lin_arena_release(&w.arena);
  return is_good;
}
