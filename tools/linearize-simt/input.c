#include "input.h"

#include "common/command_line.h"
#include "common/module.h"
#include "simt/decode.h"

#include <llvm-c/Core.h>

#include <string.h>

tool_input tool_read_program(lin_arena *arena, const char *file, const simt_launch *launch) {
  LLVMMemoryBufferRef buffer;
  char *message;
  if (strcmp(file, "-") == 0 ? LLVMCreateMemoryBufferWithSTDIN(&buffer, &message)
                             : LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message))
    tool_die_of_llvm(file, message);
  tool_input input = {.module = tool_parse_module(file, buffer)};
  const char *error;
  input.program =
      simt_decode(arena, input.module, launch->kernel, launch->model == SIMT_VOLTA, &error);
  if (input.program == NULL)
    tool_die(1, "%s: kernel %s: %s", file, launch->kernel, error);
  return input;
}
