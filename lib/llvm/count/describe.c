#include "describe.h"

#include "cycles.h"
#include "llvm/read/read.h"

#include <stdio.h>
#include <string.h>

// ---- where counters are

static bool names_exit(const char *text, size_t length) {
  for (size_t i = 0; i + 4 <= length; i++)
    if (memcmp(text + i, "exit", 4) == 0)
      return true;
  return false;
}

bool lin_ir_ends_thread(LLVMValueRef at) {
  LLVMValueRef called = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
  size_t length = 0;
  if (called == NULL)
    return false;
  if (LLVMIsAInlineAsm(called) != NULL) {
    const char *text = LLVMGetInlineAsmAsmString(called, &length);
    return names_exit(text, length);
  }
  const char *name = LLVMGetValueName2(called, &length);
  return length == strlen("llvm.nvvm.exit") && memcmp(name, "llvm.nvvm.exit", length) == 0;
}

// What is not known to be a branch, a switch or a return has ways that no counter can stand on.
static bool has_plain_ways(LLVMBasicBlockRef block) {
  switch (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(block))) {
  case LLVMBr:
  case LLVMSwitch:
  case LLVMRet:
  case LLVMUnreachable:
    return true;
  default:
    return false;
  }
}

// Whether threads may leave a block elsewhere than by its edges, and come back from all calls.
static bool has_other_ends(const lin_ir_function *f) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    if (!has_plain_ways(f->block[b]))
      return true;
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (lin_ir_ends_thread(at))
        return true;
  }
  return false;
}

// The way to a switch's default is taken if none of its cases is.
static const bool *find_dear(lin_arena *arena, const lin_ir_function *f) {
  bool *is_dear = LIN_ARRAY(arena, bool, f->graph->num_edges);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    if (lin_out_degree(f->graph, b) > 2)
      is_dear[f->graph->first_edge[b]] = true;
  return is_dear;
}

static lin_counters *choose_counters(lin_arena *arena, const lin_ir_function *f) {
  return has_other_ends(f) ? lin_counters_of_blocks(arena, f->graph)
                           : lin_counters_choose(arena, f->graph, find_dear(arena, f));
}

static void renumber(uint32_t *counter, uint32_t count, uint32_t first) {
  for (uint32_t i = 0; i < count; i++)
    if (counter[i] != LIN_NONE)
      counter[i] += first;
}

// ---- places

static const char *place_of(lin_arena *arena, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    unsigned line = LLVMGetDebugLocLine(at), length = 0;
    const char *file = line > 0 ? LLVMGetDebugLocFilename(at, &length) : NULL;
    if (file == NULL || length == 0)
      continue;
    size_t size = length + sizeof ":4294967295";
    char *text = lin_arena_bytes(arena, size);
    snprintf(text, size, "%.*s:%u", (int)length, file, line);
    return text;
  }
  return "";
}

static const char *const *places_of(lin_arena *arena, const lin_ir_function *f) {
  const char **places = LIN_ARRAY(arena, const char *, f->graph->num_blocks);
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    places[b] = place_of(arena, f->block[b]);
  return places;
}

// ---- all

static void add_function(lin_arena *arena, lin_ir_counted *counted, LLVMValueRef function) {
  lin_count_description *d = counted->description;
  lin_ir_read_options options = {.force = true};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  lin_counters *counters = choose_counters(arena, f);
  renumber(counters->of_edge, f->graph->num_edges, d->num_counters);
  renumber(counters->of_exit, f->graph->num_blocks, d->num_counters);
  renumber(counters->of_block, f->graph->num_blocks, d->num_counters);
  counted->function[d->num_functions] = f;
  d->function[d->num_functions++] =
      (lin_counted_function){f->graph, lin_ir_cycles(arena, f), places_of(arena, f), counters};
  d->num_counters += counters->count;
  d->num_blocks += f->graph->num_blocks;
}

lin_ir_counted lin_ir_describe(lin_arena *arena, LLVMValueRef kernel) {
  lin_ir_counted counted = {.description = LIN_NEW(arena, lin_count_description),
                            .function = LIN_ARRAY(arena, lin_ir_function *, 1)};
  counted.description->function = LIN_ARRAY(arena, lin_counted_function, 1);
  add_function(arena, &counted, kernel);
  counted.description->hash = lin_count_hash(counted.description);
  return counted;
}
