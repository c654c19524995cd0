#include "input.h"

#include "common/command_line.h"
#include "common/module.h"
#include "simt/decode.h"

#include <llvm-c/Core.h>

#include <string.h>

const simt_program *tool_read_program(lin_arena *arena, const char *file,
                                      const simt_launch *launch) {
  LLVMMemoryBufferRef buffer;
  char *message;
  if (strcmp(file, "-") == 0 ? LLVMCreateMemoryBufferWithSTDIN(&buffer, &message)
                             : LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message))
    tool_die_of_llvm(file, message);
  LLVMModuleRef module = tool_parse_module(file, buffer);
  const char *error;
  const simt_program *program =
      simt_decode(arena, module, launch->kernel, launch->model == SIMT_VOLTA, &error);
  if (program == NULL)
    tool_die(1, "%s: kernel %s: %s", file, launch->kernel, error);
  tool_release_module(module);
  return program;
}
