#include "remarks.h"

#include "common/command_line.h"
#include "common/sources.h"
#include "plugin/pipeline.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

static const char *copy(lin_arena *arena, const char *text) {
  return tool_utf8(arena, text, strlen(text));
}

static void hear(void *context, const lin_pipeline_remark *said) {
  static const char *const kinds[] = {[LIN_PIPELINE_PASSED] = "passed",
                                      [LIN_PIPELINE_MISSED] = "missed",
                                      [LIN_PIPELINE_ANALYSIS] = "analysis",
                                      [LIN_PIPELINE_WARNING] = "warning"};
  report_remarks *all = context;
  if (said->kind == LIN_PIPELINE_ERROR)
    tool_die(1, "%s: %s", all->file, said->message);
  if (said->name[0] == '\0') // LLVM's own
    return;
  all->remark = LIN_ROOM(all->arena, all->remark, all->count, &all->capacity);
  all->remark[all->count] = (report_remark){.kind = kinds[said->kind],
                                            .name = copy(all->arena, said->name),
                                            .function = copy(all->arena, said->function),
                                            .block = copy(all->arena, said->block),
                                            .text = copy(all->arena, said->message),
                                            .number = all->count,
                                            .region = said->region};
  all->count++;
}

static void ignore(void *context, const char *function) {
  (void)context;
  (void)function;
}

// Of the module's target, as opt has it; NULL for one that LLVM wasn't asked for.
static LLVMTargetMachineRef create_machine(LLVMModuleRef module) {
  LLVMTargetRef target;
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  if (LLVMGetTargetFromTriple(LLVMGetTarget(module), &target, NULL))
    return NULL;
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(target, LLVMGetTarget(module), "", "", LLVMCodeGenLevelDefault,
                              LLVMRelocDefault, LLVMCodeModelDefault);
  if (LLVMGetDataLayoutStr(module)[0] == '\0') {
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(module, layout);
    LLVMDisposeTargetData(layout);
  }
  return machine;
}

static int by_function(const void *left, const void *right) {
  const report_remark *a = left, *b = right;
  int order = strcmp(a->function, b->function);
  return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

uint32_t report_first_remark(const report_remarks *remarks, const char *function) {
  uint32_t low = 0, high = remarks->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (strcmp(remarks->remark[middle].function, function) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < remarks->count && strcmp(remarks->remark[low].function, function) == 0;
  return found ? low : remarks->count;
}

report_remarks report_run_passes(lin_arena *arena, LLVMModuleRef module, const char *passes,
                                 const char *file) {
  report_remarks all = {.arena = arena, .file = file};
  const lin_pipeline_listener ear = {hear, ignore, &all};
  LLVMTargetMachineRef machine = create_machine(module);
  lin_pipeline_run(module, machine, "no-op-module", passes, &ear);
  if (machine != NULL)
    LLVMDisposeTargetMachine(machine);
  if (all.count > 0)
    qsort(all.remark, all.count, sizeof *all.remark, by_function);
  return all;
}
