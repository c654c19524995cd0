// The graphs are copies in the arena; of LLVM nothing but the module lives on, if a pass is to ask
// about it.
#include "input.h"

#include "answers.h"
#include "code.h"
#include "common/child.h"
#include "common/module.h"
#include "common/names.h"
#include "common/ptx.h"
#include "counts/profile.h"
#include "graph/text.h"
#include "llvm/read/answers.h"
#include "llvm/read/read.h"
#include "llvm/run/options.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct content {
  const char *name; // of the file, for messages
  char *bytes;
  size_t length;
} content;

static content read_file(const char *name) {
  content c = {.name = strcmp(name, "-") == 0 ? "<stdin>" : name};
  c.bytes = tool_read_input(name, &c.length);
  return c;
}

// By name; if that says nothing: a graph begins with the word `function`, but for comments and
// blank lines, and neither IR nor bitcode does.
static bool is_graph(const content *c) {
  if (tool_ends_with(c->name, ".cfg"))
    return true;
  if (tool_ends_with(c->name, ".ll") || tool_ends_with(c->name, ".bc"))
    return false;
  static const char word[] = "function";
  const char *at = c->bytes, *end = c->bytes + c->length;
  while (at < end && strchr(" \t\r\n#", *at) != NULL && *at != '\0')
    if (*at++ == '#')
      while (at < end && *at != '\n')
        at++;
  return (size_t)(end - at) >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

static void add(tool_input *input, const tool_function *function) {
  input->function = realloc(input->function, (input->num_functions + 1) * sizeof *input->function);
  if (input->function == NULL)
    abort();
  input->function[input->num_functions++] = *function;
}

linearize_profile *tool_profile_read(const tool_options *options) {
  char *message;
  if (options->profile == NULL)
    return NULL;
  linearize_profile *profile = linearize_profile_read(options->profile, &message);
  if (profile == NULL)
    tool_die(1, "%s", message);
  return profile;
}

static void apply_profile(lin_arena *arena, const linearize_profile *profile, tool_input *input) {
  const char *reason;
  for (uint32_t i = 0; profile != NULL && i < input->num_functions; i++) {
    tool_function *f = &input->function[i];
    if (lin_profile_apply(arena, profile, f->graph, &reason) == LIN_PROFILE_FOREIGN)
      f->ignored = reason;
  }
}

static void read_graph(lin_arena *arena, const content *c, const tool_options *options,
                       tool_input *input) {
  lin_text_error error;
  lin_graph *graph = lin_text_parse(arena, c->bytes, c->length, &error);
  if (graph == NULL)
    tool_die(1, "%s:%zu: %s", c->name, error.line, error.message);
  input->divergence_known = true;
  if (options->function == NULL || strcmp(options->function, graph->title) == 0)
    add(input, &(tool_function){.graph = graph,
                                .front = tool_answers(arena, graph),
                                .refused_at = LIN_NONE,
                                .asked = lin_ir_asked(arena, NULL, options->asked)});
}

static void read_module(lin_arena *arena, LLVMModuleRef module, const tool_options *options,
                        tool_input *input) {
  lin_ir_read_options read_options = {.force = options->asked->force};
  lin_ir_summaries *summaries = lin_ir_summaries_new(arena);
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (LLVMIsDeclaration(function) ||
        (options->function != NULL && !tool_is_called(name, options->function)))
      continue;
    lin_ir_function *f = lin_ir_read(arena, function, &read_options);
    lin_ir_read_effects(f, summaries);
    add(input,
        &(tool_function){.graph = f->graph,
                         .front = lin_ir_answers(arena, f),
                         .refused = f->refused,
                         .refused_at = f->refused_at,
                         .asked = lin_ir_asked(arena, function, options->asked),
                         .code = options->step == STEP_PSEUDO ? tool_code_read(f, &input->sources)
                                                              : NULL});
  }
}

static void read_ir(lin_arena *arena, const content *c, const tool_options *options,
                    tool_input *input) {
  const tool_choice choice = {"--function", options->function};
  LLVMModuleRef module = tool_module_of(c->name, c->bytes, c->length, &choice);
  read_module(arena, module, options, input);
  if (options->step == STEP_PASS)
    input->module = module;
  else
    tool_release_module(module);
}

// Makes the edits of a file, of the one graph that there is.
static void make_edits(lin_arena *arena, const tool_options *options, tool_input *input) {
  content c = read_file(options->edits);
  tool_function *f = &input->function[0];
  size_t line;
  const char *error;
  lin_block block;
  const lin_edits *edits = lin_edit_parse(arena, f->graph, c.bytes, c.length, &line, &error);
  if (edits == NULL)
    tool_die(1, "%s:%zu: %s", c.name, line, error);
  f->graph = lin_edit_apply(arena, f->graph, edits);
  error = lin_graph_check(f->graph, &block);
  if (error != NULL)
    tool_die(1, "%s: makes no graph: block %s: %s", c.name, f->graph->name[block], error);
  f->front = tool_answers(arena, f->graph);
  free(c.bytes);
}

// As C++ writes it, where nobody looks for a function by its name any more.
static void name_for_people(lin_arena *arena, tool_input *input) {
  for (uint32_t i = 0; i < input->num_functions; i++) {
    lin_graph *graph = input->function[i].graph;
    char *title = tool_demangle(graph->title);
    if (title != NULL)
      graph->title = lin_arena_text(arena, title, strlen(title));
    free(title);
  }
}

void tool_input_read(lin_arena *arena, const tool_options *options, tool_input *input) {
  *input = (tool_input){.sources = {.arena = arena}};
  content c = read_file(options->file);
  if (is_graph(&c))
    read_graph(arena, &c, options, input);
  else if (options->edits != NULL)
    tool_die(1, "%s: is no graph (.cfg), and --edits is for graphs alone", c.name);
  else
    read_ir(arena, &c, options, input);
  if (options->function != NULL && input->num_functions == 0)
    tool_die(1, "%s: no function '%s' is defined there", c.name, options->function);
  if (options->form != FORM_TEXT && input->num_functions != 1)
    tool_die(1, "%s: a picture shows one function and there are %u; choose with --function", c.name,
             input->num_functions);
  free(c.bytes);
  linearize_profile *profile = tool_profile_read(options);
  apply_profile(arena, profile, input);
  linearize_profile_release(profile);
  if (options->edits != NULL)
    make_edits(arena, options, input);
  if (options->step == STEP_PSEUDO)
    name_for_people(arena, input);
  if (options->with_source)
    tool_read_sources(&input->sources);
}
