#define _POSIX_C_SOURCE 200809L // open_memstream
#include "instrument.h"

#include "describe.h"
#include "slots.h"
#include "llvm/ask/kernels.h"

#include <stdlib.h>
#include <string.h>

// Registers of a thread that counters may take. As a rule a kernel has fewer counters; where it has
// many, warps that no longer fit cost more than what is rarely increased does in local memory. With all
// in registers heartwall (207 counters) takes 255 and spills, mcx (73) 153 in place of 58; with 24 they
// take 90 and 108: `ptxas -v` of bench/kernels for sm_90, ptxas 13.0.
enum { MOST_IN_REGISTERS = 24 };

typedef struct kernel {
  lin_arena *arena;
  LLVMValueRef function;
  const lin_ir_function *f;
  const lin_count_description *description;
  LLVMBuilderRef builder;
  LLVMTypeRef word;
  LLVMValueRef first; // instruction of the program
  lin_ir_slots slots;
  LLVMValueRef *slot;  // [num_counters] where each counter is
  LLVMValueRef memory; // where those are that are in memory, if any
  LLVMValueRef writer;
} kernel;

// ---- what a module gets

static const char *join(lin_arena *arena, const char *prefix, LLVMValueRef function) {
  size_t length, front = strlen(prefix);
  const char *name = LLVMGetValueName2(function, &length);
  char *text = lin_arena_bytes(arena, front + length + 1);
  memcpy(text, prefix, front);
  memcpy(text + front, name, length);
  return text;
}

enum { GLOBAL_SPACE = 1, LOCAL_SPACE = 5 };

// Seen by the driver, and one of several where the kernel is one of several (a template's).
static LLVMValueRef add_variable(const kernel *k, const char *prefix, LLVMValueRef value) {
  LLVMModuleRef module = LLVMGetGlobalParent(k->function);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(
      module, LLVMTypeOf(value), join(k->arena, prefix, k->function), GLOBAL_SPACE);
  LLVMSetInitializer(variable, value);
  bool is_only = LLVMGetLinkage(k->function) == LLVMExternalLinkage;
  LLVMSetLinkage(variable, is_only ? LLVMExternalLinkage : LLVMWeakAnyLinkage);
  return variable;
}

static LLVMValueRef add_buffer(const kernel *k) {
  LLVMContextRef context = LLVMGetTypeContext(k->word);
  LLVMValueRef fields[] = {LLVMConstInt(LLVMInt64TypeInContext(context), 0, false),
                           LLVMConstInt(k->word, 0, false), LLVMConstInt(k->word, 1, false)};
  LLVMValueRef variable = add_variable(k, LIN_COUNT_VARIABLE_PREFIX,
                                       LLVMConstStructInContext(context, fields, 3, false));
  LLVMSetExternallyInitialized(variable, true);
  return variable;
}

static void add_text(const kernel *k) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    abort();
  lin_count_write(file, k->description);
  fclose(file);
  LLVMContextRef context = LLVMGetTypeContext(k->word);
  LLVMValueRef value = LLVMConstStringInContext2(context, text, length, false);
  LLVMSetGlobalConstant(add_variable(k, LIN_COUNT_TEXT_PREFIX, value), true);
  free(text);
}

// ---- increments

// Local memory is accessed as volatile, or LLVM would make registers of it after all.
static LLVMValueRef load(const kernel *k, uint32_t counter) {
  LLVMValueRef value = LLVMBuildLoad2(k->builder, k->word, k->slot[counter], "");
  LLVMSetVolatile(value, counter >= k->slots.in_registers);
  return value;
}

static void store(const kernel *k, uint32_t counter, LLVMValueRef value) {
  LLVMSetVolatile(LLVMBuildStore(k->builder, value, k->slot[counter]),
                  counter >= k->slots.in_registers);
}

static void increase(const kernel *k, uint32_t counter, LLVMValueRef by) {
  LLVMValueRef sum = LLVMBuildAdd(k->builder, load(k, counter), by, "");
  store(k, counter, sum);
}

// In the entry, behind what makes the counters.
static void go_to_start(const kernel *k, lin_block block) {
  LLVMValueRef at = block == 0 ? k->first : LLVMGetFirstInstruction(k->f->block[block]);
  while (LLVMIsAPHINode(at) != NULL)
    at = LLVMGetNextInstruction(at);
  LLVMPositionBuilderBefore(k->builder, at);
}

static void go_to_end(const kernel *k, lin_block block) {
  LLVMPositionBuilderBefore(k->builder, LLVMGetBasicBlockTerminator(k->f->block[block]));
}

static LLVMValueRef is_case(const kernel *k, LLVMValueRef terminator, unsigned successor) {
  return LLVMBuildICmp(k->builder, LLVMIntEQ, LLVMGetOperand(terminator, 0),
                       lin_ir_case(terminator, successor), "");
}

// Whether a branch or a switch takes its successor number `successor`.
static LLVMValueRef is_taken(const kernel *k, LLVMValueRef terminator, unsigned successor) {
  if (LLVMIsABranchInst(terminator) != NULL) {
    LLVMValueRef condition = LLVMGetCondition(terminator);
    return successor == 0 ? condition : LLVMBuildNot(k->builder, condition, "");
  }
  if (successor > 0)
    return is_case(k, terminator, successor);
  LLVMValueRef any = LLVMConstInt(LLVMInt1TypeInContext(LLVMGetTypeContext(k->word)), 0, false);
  for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++)
    any = LLVMBuildOr(k->builder, any, is_case(k, terminator, i), "");
  return LLVMBuildNot(k->builder, any, "");
}

static void count_edge(const kernel *k, lin_edge edge, uint32_t counter) {
  const lin_graph *graph = k->f->graph;
  lin_block from = graph->source[edge];
  LLVMValueRef by = LLVMConstInt(k->word, 1, false);
  switch (lin_count_place_of(graph, edge)) {
  case LIN_COUNT_AT_SOURCE:
    go_to_end(k, from);
    break;
  case LIN_COUNT_AT_DESTINATION:
    go_to_start(k, graph->destination[edge]);
    break;
  case LIN_COUNT_IF_TAKEN:
    go_to_end(k, from);
    by =
        is_taken(k, LLVMGetBasicBlockTerminator(k->f->block[from]), edge - graph->first_edge[from]);
    by = LLVMBuildZExt(k->builder, by, k->word, "");
    break;
  }
  increase(k, counter, by);
}

static void count_ways(const kernel *k) {
  const lin_graph *graph = k->f->graph;
  const lin_counters *c = k->description->function[0].counters;
  LLVMValueRef one = LLVMConstInt(k->word, 1, false);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (c->of_edge[edge] != LIN_NONE)
      count_edge(k, edge, c->of_edge[edge]);
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    if (c->of_exit[b] != LIN_NONE) {
      go_to_end(k, b);
      increase(k, c->of_exit[b], one);
    }
    if (c->of_block[b] != LIN_NONE) {
      go_to_start(k, b);
      increase(k, c->of_block[b], one);
    }
  }
}

// ---- the ends

static void write_before(const kernel *k, LLVMValueRef at) {
  uint32_t count = k->slots.in_registers;
  LLVMValueRef *value = LIN_ARRAY(k->arena, LLVMValueRef, count + 1);
  LLVMPositionBuilderBefore(k->builder, at);
  for (uint32_t i = 0; i < count; i++)
    value[i] = load(k, i);
  value[count] = k->memory;
  LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(k->writer), k->writer, value,
                 count + (k->slots.in_memory > 0), "");
}

static void write_at_ends(const kernel *k) {
  for (lin_block b = 0; b < k->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(k->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (LLVMIsAReturnInst(at) != NULL || lin_ir_ends_thread(at))
        write_before(k, at);
}

static void add_slots(kernel *k) {
  uint32_t count = k->description->num_counters;
  LLVMValueRef zero = LLVMConstInt(k->word, 0, false);
  k->slot = LIN_ARRAY(k->arena, LLVMValueRef, count);
  k->first = LLVMGetFirstInstruction(k->f->block[0]);
  LLVMPositionBuilderBefore(k->builder, k->first);
  if (k->slots.in_memory > 0) {
    LLVMTypeRef local = LLVMPointerTypeInContext(LLVMGetTypeContext(k->word), LOCAL_SPACE);
    LLVMValueRef array =
        LLVMBuildAlloca(k->builder, LLVMArrayType2(k->word, k->slots.in_memory), "");
    k->memory = LLVMBuildAddrSpaceCast(k->builder, array, local, "");
  }
  for (uint32_t i = 0; i < count; i++) {
    LLVMValueRef index = LLVMConstInt(k->word, i - k->slots.in_registers, false);
    k->slot[i] = i < k->slots.in_registers
                     ? LLVMBuildAlloca(k->builder, k->word, "")
                     : LLVMBuildGEP2(k->builder, k->word, k->memory, &index, 1, "");
    store(k, i, zero);
  }
}

// Counters are numbered so that those come first that are increased most, as far as that was guessed.
static lin_ir_slots divide(uint32_t num_counters) {
  uint32_t in_registers = num_counters < MOST_IN_REGISTERS ? num_counters : MOST_IN_REGISTERS;
  return (lin_ir_slots){in_registers, num_counters - in_registers};
}

static void count_kernel(LLVMValueRef function) {
  lin_arena arena = {0};
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMContextRef context = LLVMGetModuleContext(module);
  lin_ir_counted counted = lin_ir_describe(&arena, function);
  kernel k = {.arena = &arena,
              .function = function,
              .f = counted.function[0],
              .description = counted.description,
              .builder = LLVMCreateBuilderInContext(context),
              .word = LLVMInt32TypeInContext(context)};
  k.slots = divide(counted.description->num_counters);
  k.writer = lin_ir_slot_writer(module, add_buffer(&k),
                                join(&arena, "__linearize_write_", function), k.slots);
  add_text(&k);
  add_slots(&k);
  count_ways(&k);
  write_at_ends(&k);
  LLVMDisposeBuilder(k.builder);
  lin_arena_release(&arena);
}

bool lin_ir_count(LLVMModuleRef module) {
  if (strncmp(LLVMGetTarget(module), "nvptx", 5) != 0)
    return false;
  bool changed = false;
  lin_arena arena = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !lin_ir_is_kernel(f) ||
        LLVMGetNamedGlobal(module, join(&arena, LIN_COUNT_VARIABLE_PREFIX, f)) != NULL)
      continue;
    count_kernel(f);
    changed = true;
  }
  lin_arena_release(&arena);
  return changed;
}
