#include "counts.h"

#include "common/leftovers.h"
#include "counts/decode.h"
#include "threads/gather.h"
#include "llvm/count/describe.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

// ---- both

static void start_launch(lin_counts_launch *launch, const tool_input *input) {
  *launch = (lin_counts_launch){
      .kernel = input->program->function[0].name, .times = 1, .sample = 1, .gpu = "simulator"};
  memcpy(launch->grid, input->launch.grid, sizeof launch->grid);
  memcpy(launch->block, input->launch.block, sizeof launch->block);
  if (lin_counts_threads(launch) > UINT32_MAX)
    tool_die(1, "a file of counts has less than 2^32 threads");
}

static void write_launch(lin_counts_launch *launch, const char *name) {
  FILE *file = tool_create(name);
  lin_counts_write(file, &(lin_counts){launch, 1});
  tool_close(file, name);
}

// ---- by what the simulator counts

struct tool_counts {
  lin_arena *arena;
  lin_memory memory;
  lin_counts_launch launch;
  lin_gather *gather;
  uint32_t *
      *block; // [num_functions][num_blocks] of the program: its number in the launch, or LIN_NONE
  uint64_t *vector; // [launch.num_blocks]
};

typedef struct named {
  const char *name;
  uint32_t number;
} named;

static int compare(const void *left, const void *right) {
  return strcmp(((const named *)left)->name, ((const named *)right)->name);
}

// The numbers of a function's blocks, of which the first is `first`.
static uint32_t *number_blocks(lin_arena *arena, const simt_function *f, const lin_graph *graph,
                               uint32_t first) {
  named *all = LIN_ARRAY(arena, named, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    all[b] = (named){graph->name[b], first + b};
  qsort(all, graph->num_blocks, sizeof *all, compare);
  uint32_t *number = LIN_ARRAY(arena, uint32_t, f->graph->num_blocks);
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    named key = {f->graph->name[f->original[b]], 0};
    const named *found = bsearch(&key, all, graph->num_blocks, sizeof *all, compare);
    number[b] = f->is_rest[b] || found == NULL ? LIN_NONE : found->number;
  }
  return number;
}

static uint32_t *find_blocks(lin_arena *arena, const simt_function *f,
                             const lin_count_description *d) {
  uint32_t first = 0;
  for (uint32_t i = 0; i < d->num_functions; i++) {
    const lin_graph *graph = d->function[i].graph;
    if (strcmp(graph->title, f->name) == 0)
      return number_blocks(arena, f, graph, first);
    first += graph->num_blocks;
  }
  return NULL;
}

tool_counts *tool_counts_new(lin_arena *arena, const tool_input *input) {
  const simt_program *p = input->program;
  tool_counts *c = LIN_NEW(arena, tool_counts);
  c->arena = arena;
  start_launch(&c->launch, input);
  LLVMValueRef kernel = LLVMGetNamedFunction(input->module, p->function[0].name);
  const lin_count_description *d = lin_ir_describe(arena, kernel, false).description;
  c->launch.hash = d->hash;
  c->launch.blocks = lin_count_blocks(&c->memory, d);
  c->gather = lin_gather_new(&c->memory, d->num_blocks, NULL);
  if (c->memory.is_out)
    abort();
  c->launch.num_blocks = d->num_blocks;
  c->vector = LIN_ARRAY(arena, uint64_t, d->num_blocks);
  c->block = LIN_ARRAY(arena, uint32_t *, p->num_functions);
  for (uint32_t i = 0; i < p->num_functions; i++)
    c->block[i] = find_blocks(arena, &p->function[i], d);
  return c;
}

static void add_function(tool_counts *c, const simt_vectors *v, uint32_t number,
                         const uint64_t *row) {
  const lin_graph *graph = v->program->function[number].graph;
  for (lin_block b = 0; c->block[number] != NULL && b < graph->num_blocks; b++)
    if (c->block[number][b] != LIN_NONE)
      c->vector[c->block[number][b]] += row[v->first[number] + b];
}

void tool_counts_add(tool_counts *c, const simt_vectors *v) {
  for (uint32_t thread = 0; thread < v->num_rows; thread++) {
    memset(c->vector, 0, c->launch.num_blocks * sizeof *c->vector);
    for (uint32_t i = 0; i < v->program->num_functions; i++)
      add_function(c, v, i, v->count + (size_t)thread * v->num_blocks);
    if (!lin_gather_thread(c->gather, c->vector))
      abort();
  }
}

// How often warps entered the blocks, and would have at least.
static void add_passes(tool_counts *c, const simt_machine *machine) {
  const simt_program *p = machine->program;
  const uint32_t num_blocks = c->launch.num_blocks;
  lin_arena arena = {0};
  c->launch.passes = LIN_ARRAY(c->arena, uint64_t, num_blocks);
  c->launch.passes_at_most = LIN_ARRAY(c->arena, uint64_t, num_blocks);
  for (uint32_t i = 0; i < p->num_functions; i++) {
    const uint32_t own = p->function[i].graph->num_blocks;
    simt_counts *counts = LIN_ARRAY(&arena, simt_counts, own);
    simt_metrics_of_module(machine->metrics, p, i, counts);
    for (lin_block b = 0; c->block[i] != NULL && b < own; b++) {
      const uint32_t to = c->block[i][b];
      if (to == LIN_NONE)
        continue;
      c->launch.passes[to] += counts[b].entries;
      c->launch.passes_at_most[to] += counts[b].entries - counts[b].reentries;
    }
  }
  lin_arena_release(&arena);
}

void tool_counts_write(tool_counts *c, const simt_machine *machine, const char *name) {
  add_passes(c, machine);
  lin_gather_end(c->gather, &c->launch);
  write_launch(&c->launch, name);
  lin_memory_release(&c->memory);
}

// ---- by the kernel's own counters

struct tool_counters {
  lin_arena *arena;
  const lin_count_description *description;
  lin_counts_launch launch;
  uint32_t buffer; // of the machine's objects
};

static const char *with_prefix(lin_arena *arena, const char *prefix, const char *kernel) {
  size_t front = strlen(prefix), length = strlen(kernel);
  char *name = lin_arena_bytes(arena, front + length + 1);
  memcpy(name, prefix, front);
  memcpy(name + front, kernel, length);
  return name;
}

static const lin_count_description *read_description(lin_arena *arena, LLVMModuleRef module,
                                                     const char *kernel) {
  LLVMValueRef global =
      LLVMGetNamedGlobal(module, with_prefix(arena, LIN_COUNT_TEXT_PREFIX, kernel));
  LLVMValueRef value = global == NULL ? NULL : LLVMGetInitializer(global);
  if (value == NULL || LLVMIsAConstantDataArray(value) == NULL || !LLVMIsConstantString(value))
    return NULL;
  size_t length;
  const char *text = LLVMGetAsString(value, &length);
  return lin_count_parse(arena, text, length);
}

static simt_object *find_variable(lin_arena *arena, simt_machine *machine, const char *kernel) {
  const char *name = with_prefix(arena, LIN_COUNT_VARIABLE_PREFIX, kernel);
  for (uint32_t i = 0; i < machine->program->num_globals; i++)
    if (strcmp(machine->global.object[i].name, name) == 0)
      return &machine->global.object[i];
  return NULL;
}

tool_counters *tool_counters_new(lin_arena *arena, const char *file, const tool_input *input,
                                 simt_machine *machine) {
  tool_counters *c = LIN_NEW(arena, tool_counters);
  start_launch(&c->launch, input);
  c->arena = arena;
  c->description = read_description(arena, input->module, c->launch.kernel);
  if (c->description == NULL || find_variable(arena, machine, c->launch.kernel) == NULL)
    tool_die(1, "%s: kernel %s has no counters: compile it with -mllvm -linearize-count", file,
             input->launch.kernel);
  uint64_t slots = lin_count_slots(&c->launch);
  c->buffer = machine->global.count;
  simt_object *buffer = simt_machine_buffer(
      machine, "counters", slots * c->description->num_counters * sizeof(uint32_t));
  memset(buffer->written, 1, buffer->size);
  lin_count_variable value = {buffer->address, (uint32_t)slots, 1};
  simt_object *variable = find_variable(arena, machine, c->launch.kernel); // a buffer may move it
  memcpy(variable->bytes, &value, sizeof value);
  memset(variable->written, 1, sizeof value);
  return c;
}

void tool_counters_write(tool_counters *c, const simt_machine *machine, const char *name) {
  lin_memory memory = {0};
  const simt_object *buffer = &machine->global.object[c->buffer];
  uint32_t *counters = LIN_ARRAY(c->arena, uint32_t, buffer->size / sizeof(uint32_t));
  memcpy(counters, buffer->bytes, buffer->size);
  if (!lin_count_decode(c->arena, &memory, c->description, counters, lin_count_slots(&c->launch),
                        NULL, &c->launch))
    abort();
  write_launch(&c->launch, name);
  lin_memory_release(&memory);
}
