#define _POSIX_C_SOURCE 200809L // open_memstream
#include "input.h"

#include "common/ptx.h"
#include "kernels.h"
#include "simt/decode.h"
#include "llvm/ask/lifted.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

static const char *needs_of(lin_arena *arena, LLVMValueRef kernel) {
  char *text;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    abort();
  tool_print_parameters(file, arena, kernel);
  fflush(file);
  if (lin_ir_was_ptx(kernel) && strstr(text, "u64:") != NULL)
    fputs("; for a u64 that is a pointer, buf:TYPE:COUNT", file);
  fclose(file);
  const char *copy = lin_arena_text(arena, text, length);
  free(text);
  return length == 0 ? "none" : copy;
}

// Functions go by their titles in messages.
static void set_titles(lin_arena *arena, simt_program *program) {
  for (uint32_t i = 0; i < program->num_functions; i++)
    program->function[i].title = tool_title(arena, program->function[i].name);
}

// In PTX a pointer is a number of 64 bits.
static void allow_pointers(simt_program *program, LLVMValueRef kernel) {
  for (uint32_t i = 0; lin_ir_was_ptx(kernel) && i < program->num_parameters; i++) {
    simt_parameter *p = &program->parameter[i];
    p->is_pointer |= p->width == 64 && p->by_value_size == 0;
  }
}

tool_input tool_read_program(lin_arena *arena, const char *file, const tool_options *options) {
  const tool_choice choice = {"--kernel", options->kernel};
  tool_input input = {.module = tool_read_module(file, file, &choice), .launch = options->launch};
  LLVMValueRef kernel = tool_find_kernel(arena, file, input.module, options->kernel);
  size_t length;
  const char *symbol = LLVMGetValueName2(kernel, &length);
  input.launch.kernel = tool_title(arena, symbol);
  input.needs = needs_of(arena, kernel);
  input.was_ptx = lin_ir_was_ptx(kernel);
  if (!options->has_model)
    input.launch.model = tool_model_of(kernel);
  const char *error;
  simt_program *program =
      simt_decode(arena, input.module, symbol, input.launch.model == SIMT_VOLTA, &error);
  if (program == NULL)
    tool_die(1, "%s: kernel %s: %s", file, input.launch.kernel, error);
  allow_pointers(program, kernel);
  set_titles(arena, program);
  input.program = program;
  return input;
}
