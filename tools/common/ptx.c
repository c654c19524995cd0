// 1. Each function is lifted (lib/lift), and its registers become values.
// 2. Variables, which lifting only declares, get what the PTX says (ptx_variables.h).
// 3. Debug locations become those of the source (ptx_lines.h).
#include "ptx.h"

#include "child.h"
#include "command_line.h"
#include "lift/lift.h"
#include "module.h"
#include "programs.h"
#include "ptx_lines.h"
#include "ptx_variables.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lift_functions(const char *name, const lin_ptx_module *ptx, lin_lift *lift) {
  uint32_t num_lifted = 0;
  for (uint32_t i = 0; i < ptx->num_functions; i++) {
    uint32_t line;
    const char *reason = lin_lift_function(lift, i, &line);
    num_lifted += reason == NULL;
    if (reason != NULL)
      fprintf(stderr, "%s: %s:%" PRIu32 ": function %s is left out: %s\n", tool_name, name, line,
              ptx->function[i].name, reason);
  }
  if (num_lifted == 0 && ptx->num_functions > 0)
    tool_die(1, "%s: none of its functions can be lifted", name);
}

// Has the module say what it is compiled for.
static void set_target(const char *name, lin_lift *lift) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  const char *reason;
  LLVMTargetMachineRef machine = lin_lift_machine(lift, &reason);
  if (machine == NULL)
    tool_die(1, "%s: %s", name, reason);
  LLVMDisposeTargetMachine(machine);
}

static void run_passes(const char *name, LLVMModuleRef module) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, "function(sroa,dce)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (error != NULL)
    tool_die_of_llvm(name, LLVMGetErrorMessage(error));
}

LLVMModuleRef tool_lift_module(const char *name, const char *text, size_t length) {
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *ptx = lin_ptx_module_read(&arena, text, length, &error);
  if (ptx == NULL)
    tool_die(1, "%s:%" PRIu32 ": %s", name, error.line, error.message);
  lin_lift *lift = lin_lift_new(&arena, ptx, name, LLVMContextCreate());
  lift_functions(name, ptx, lift);
  set_target(name, lift);
  LLVMModuleRef module = lin_lift_module(lift);
  tool_define_variables(&arena, ptx, module);
  run_passes(name, module);
  tool_use_source_lines(module);
  lin_arena_release(&arena);
  return module;
}

LLVMModuleRef tool_module_of(const char *name, const char *bytes, size_t length,
                             const tool_choice *choice) {
  if (tool_is_program(bytes, length)) {
    const tool_held *held = tool_hold_ptx(name, bytes, length, choice);
    return tool_lift_module(held->name, held->text, held->length);
  }
  if (lin_ptx_is_module(bytes, length))
    return tool_lift_module(name, bytes, length);
  return tool_parse_module(name, LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, length, name));
}

LLVMModuleRef tool_read_module(const char *path, const char *name, const tool_choice *choice) {
  size_t length;
  char *bytes = tool_read_input(path, &length);
  LLVMModuleRef module = tool_module_of(name, bytes, length, choice);
  free(bytes);
  return module;
}
