#define _POSIX_C_SOURCE 200809L // open_memstream
#include "instrument.h"

#include "copy.h"
#include "describe.h"
#include "gpu/nvptx.h"
#include "slots.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/calls.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/occupancy.h"
#include "llvm/ask/spaces.h"
#include "llvm/read/live.h"
#include "llvm/read/registers.h"

#include <stdlib.h>
#include <string.h>

// As many counters are in registers, whatever else there is: with them counting costs 1.09 times
// the time in the mean over bench, though half of its kernels lose warps; with 8 it is 1.12, with
// as many as cost no warps 1.26, for what is in local memory goes there and back. (`scripts/bench
// counting --run`, an H100)
enum { MOST_IN_REGISTERS = 24 };

typedef struct kernel {
  lin_arena *arena;
  LLVMValueRef function;
  const lin_count_description *description;
  LLVMBuilderRef builder;
  LLVMTypeRef word, pointer; // to local memory
  lin_ir_slots slots;
  LLVMValueRef *slot; // [slots.in_registers] where these are
  LLVMValueRef writer;

  // The function at hand: the kernel, or a copy of what it calls.
  const lin_ir_function *f;
  const lin_counters *counters;
  LLVMValueRef first;  // instruction of the program
  LLVMValueRef memory; // where the counters are that are in memory, if any
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

// Seen by the driver, and one of several where the kernel is one of several (a template's).
static LLVMValueRef add_variable(const kernel *k, const char *prefix, LLVMValueRef value) {
  LLVMModuleRef module = LLVMGetGlobalParent(k->function);
  LLVMValueRef variable = LLVMAddGlobalInAddressSpace(
      module, LLVMTypeOf(value), join(k->arena, prefix, k->function), LIN_IR_GLOBAL);
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

// Where a counter is, for instructions that follow.
static LLVMValueRef find(const kernel *k, uint32_t counter) {
  if (counter < k->slots.in_registers)
    return k->slot[counter];
  LLVMValueRef index = LLVMConstInt(k->word, counter - k->slots.in_registers, false);
  return LLVMBuildGEP2(k->builder, k->word, k->memory, &index, 1, "");
}

// Local memory is accessed as volatile, or LLVM would make registers of it after all.
static LLVMValueRef load(const kernel *k, uint32_t counter, LLVMValueRef at) {
  LLVMValueRef value = LLVMBuildLoad2(k->builder, k->word, at, "");
  LLVMSetVolatile(value, counter >= k->slots.in_registers);
  return value;
}

static void store(const kernel *k, uint32_t counter, LLVMValueRef at, LLVMValueRef value) {
  LLVMSetVolatile(LLVMBuildStore(k->builder, value, at), counter >= k->slots.in_registers);
}

static void increase(const kernel *k, uint32_t counter, LLVMValueRef by) {
  LLVMValueRef at = find(k, counter);
  store(k, counter, at, LLVMBuildAdd(k->builder, load(k, counter, at), by, ""));
}

static LLVMValueRef call_intrinsic(const kernel *k, const char *name) {
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(
      LLVMGetGlobalParent(k->function), LLVMLookupIntrinsicID(name, strlen(name)), NULL, 0);
  return LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(function), function, NULL, 0, "");
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

// 1 for the first of the threads that enter a block together, 0 for the others.
static LLVMValueRef is_first(const kernel *k) {
  LLVMValueRef together = call_intrinsic(k, LIN_NVVM_ACTIVEMASK),
               before = call_intrinsic(k, LIN_NVVM_LANES_BELOW);
  LLVMValueRef both = LLVMBuildAnd(k->builder, together, before, "");
  LLVMValueRef zero = LLVMConstInt(k->word, 0, false);
  LLVMValueRef is = LLVMBuildICmp(k->builder, LLVMIntEQ, both, zero, "");
  return LLVMBuildZExt(k->builder, is, k->word, "");
}

static void count_ways(const kernel *k) {
  const lin_graph *graph = k->f->graph;
  const lin_counters *c = k->counters;
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
    if (c->of_pass[b] != LIN_NONE) {
      go_to_start(k, b);
      increase(k, c->of_pass[b], is_first(k));
    }
  }
}

// ---- the ends

static void write_before(const kernel *k, LLVMValueRef at) {
  uint32_t count = k->slots.in_registers;
  LLVMValueRef *value = LIN_ARRAY(k->arena, LLVMValueRef, count + 1);
  LLVMPositionBuilderBefore(k->builder, at);
  for (uint32_t i = 0; i < count; i++)
    value[i] = load(k, i, find(k, i));
  value[count] = k->memory;
  LLVMBuildCall2(k->builder, LLVMGlobalGetValueType(k->writer), k->writer, value,
                 count + (k->slots.in_memory > 0), "");
}

static void write_at_ends(const kernel *k) {
  const bool is_kernel = k->f->function == k->function;
  for (lin_block b = 0; b < k->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(k->f->block[b]); at != NULL;
         at = LLVMGetNextInstruction(at))
      if ((is_kernel && LLVMIsAReturnInst(at) != NULL) || lin_ir_ends_thread(at))
        write_before(k, at);
}

// ---- functions

static void add_slots(kernel *k) {
  LLVMValueRef zero = LLVMConstInt(k->word, 0, false);
  k->slot = LIN_ARRAY(k->arena, LLVMValueRef, k->slots.in_registers);
  LLVMPositionBuilderBefore(k->builder, k->first);
  if (k->slots.in_memory > 0) {
    LLVMValueRef array =
        LLVMBuildAlloca(k->builder, LLVMArrayType2(k->word, k->slots.in_memory), "");
    k->memory = LLVMBuildAddrSpaceCast(k->builder, array, k->pointer, "");
  }
  for (uint32_t i = 0; i < k->slots.in_registers; i++)
    k->slot[i] = LLVMBuildAlloca(k->builder, k->word, "");
  for (uint32_t i = 0; i < k->description->num_counters; i++)
    store(k, i, find(k, i), zero);
}

// Calls of what is counted become calls of the copies, which use no memory if no counter is there.
static void redirect_calls(const kernel *k, const lin_numbers *number, const LLVMValueRef *copy) {
  LLVMValueRef memory = k->memory != NULL ? k->memory : LLVMGetPoison(k->pointer);
  for (lin_block b = 0; b < k->f->graph->num_blocks; b++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(k->f->block[b]), next; at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      LLVMValueRef function = lin_ir_called_by(at);
      uint32_t i = function == NULL ? LIN_NONE : lin_numbers_find(number, function);
      if (i != LIN_NONE)
        lin_ir_call_copy(at, copy[i], memory);
    }
}

// Copies are made of functions as they are, before any of them counts.
static void count_functions(kernel *k, const lin_ir_counted *counted) {
  const lin_ir_read_options options = {.force = true};
  const uint32_t count = k->description->num_functions;
  LLVMValueRef *copy = LIN_ARRAY(k->arena, LLVMValueRef, count);
  lin_numbers number = {0};
  for (uint32_t i = 1; i < count; i++) {
    copy[i] = lin_ir_copy_function(counted->function[i]->function, k->pointer);
    lin_numbers_add(k->arena, &number, counted->function[i]->function, i);
  }
  for (uint32_t i = 0; i < count; i++) {
    k->f = i == 0 ? counted->function[0] : lin_ir_read(k->arena, copy[i], &options);
    k->counters = k->description->function[i].counters;
    k->first = LLVMGetFirstInstruction(k->f->block[0]);
    if (i == 0)
      add_slots(k);
    else
      k->memory = LLVMGetLastParam(copy[i]);
    count_ways(k);
    write_at_ends(k);
    redirect_calls(k, &number, copy);
  }
}

// Registers of a thread: what it needs at least without counters, and with how many it can still be
// launched in thread blocks as large as without.
//
//     sm_90: need 41: in blocks of 1024 threads, which may have 64 registers each
//            need 70: of 768, with 80 registers
typedef struct registers {
  uint32_t need, limit;
} registers;

static registers find_registers(const lin_ir_function *f) {
  static const uint32_t warps_of_block[] = {32, 24, 16, 12, 8};
  const uint32_t need = lin_ir_most_live(f);
  for (unsigned i = 0; i < sizeof warps_of_block / sizeof *warps_of_block; i++) {
    const uint32_t limit = lin_ir_registers(f->function, warps_of_block[i]);
    if (need <= limit)
      return (registers){need, limit};
  }
  return (registers){need, lin_ir_registers(f->function, 1)};
}

// Registers that ptxas takes beside live values. (`scripts/bench counting --registers`)
enum { REGISTERS_BESIDE = 10 };

static uint32_t min(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Counters are numbered so that those come first that are increased most, as far as that was
// guessed. Functions that are called find all in memory, as do threads that end there; nor is
// ptxas told then how many registers there are.
static lin_ir_slots divide(const lin_ir_counted *counted, registers r) {
  const lin_count_description *d = counted->description;
  uint32_t in_registers = min(d->function[0].counters->count, MOST_IN_REGISTERS);
  if (d->num_functions > 1)
    in_registers =
        min(in_registers,
            r.limit > r.need + REGISTERS_BESIDE ? r.limit - r.need - REGISTERS_BESIDE : 0);
  if (d->num_functions > 1 && counted->may_end_inside)
    in_registers = 0;
  return (lin_ir_slots){in_registers, d->num_counters - in_registers};
}

static bool calls_nothing(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      LLVMValueRef called = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
      if (called != NULL && LLVMIsAInlineAsm(called) == NULL && LLVMGetIntrinsicID(called) == 0)
        return false;
    }
  return true;
}

static void count_kernel(LLVMValueRef function, bool passes) {
  lin_arena arena = {0};
  LLVMModuleRef module = LLVMGetGlobalParent(function);
  LLVMContextRef context = LLVMGetModuleContext(module);
  lin_ir_counted counted = lin_ir_describe(&arena, function, passes);
  const registers r = find_registers(counted.function[0]);
  if (calls_nothing(function))
    lin_ir_limit_registers(function, r.limit);
  kernel k = {.arena = &arena,
              .function = function,
              .description = counted.description,
              .builder = LLVMCreateBuilderInContext(context),
              .word = LLVMInt32TypeInContext(context),
              .pointer = LLVMPointerTypeInContext(context, LIN_IR_LOCAL),
              .slots = divide(&counted, r)};
  k.writer = lin_ir_slot_writer(module, add_buffer(&k),
                                join(&arena, "__linearize_write_", function), k.slots);
  add_text(&k);
  count_functions(&k, &counted);
  LLVMDisposeBuilder(k.builder);
  lin_arena_release(&arena);
}

static bool is_plain(LLVMValueRef function) {
  static const char suffix[] = LIN_COUNT_PLAIN_SUFFIX;
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  return length >= sizeof suffix && strcmp(name + length + 1 - sizeof suffix, suffix) == 0;
}

bool lin_ir_count(LLVMModuleRef module, bool passes) {
  if (strncmp(LLVMGetTarget(module), "nvptx", 5) != 0)
    return false;
  bool changed = false;
  lin_arena arena = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f) || !lin_ir_is_kernel(f) || is_plain(f) ||
        LLVMGetNamedGlobal(module, join(&arena, LIN_COUNT_VARIABLE_PREFIX, f)) != NULL)
      continue;
    count_kernel(f, passes);
    changed = true;
  }
  lin_arena_release(&arena);
  return changed;
}
