// linearize-simt: runs GPU kernels on the CPU and counts what warps execute.
#include "annotate.h"
#include "arguments.h"
#include "common/leftovers.h"
#include "common/module.h"
#include "counts.h"
#include "input.h"
#include "progress.h"
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

typedef struct run {
  tool_input input;
  const simt_program *program;
  simt_machine *machine;
  tool_arguments arguments;
} run;

// Who wants basic-block vectors, as thread blocks end.
typedef struct listeners {
  FILE *vectors, *warps, *inputs, *lanes; // or NULL, and so is:
  tool_counts *counts;                    // of --counts
} listeners;

static void listen(void *context, const simt_vectors *vectors, uint64_t first_thread) {
  listeners *l = context;
  if (l->vectors != NULL)
    simt_vectors_write(vectors, l->vectors, first_thread);
  if (l->counts != NULL)
    tool_counts_add(l->counts, vectors);
}

// Only the first of two modules is listened to, and has counters.
static run execute(lin_arena *arena, const tool_options *options, const char *file,
                   listeners *all) {
  run r = {.input = tool_read_program(arena, file, options)};
  simt_launch launch = r.input.launch;
  launch.progress = tool_progress;
  launch.progress_context = (void *)(uintptr_t)file;
  r.program = r.input.program;
  if (all != NULL) {
    launch.warps = all->warps;
    launch.inputs = all->inputs;
    launch.lanes = all->lanes;
  }
  if (all != NULL && options->counts != NULL)
    all->counts = tool_counts_new(arena, &r.input);
  if (all != NULL && (all->vectors != NULL || all->counts != NULL)) {
    launch.counted = listen;
    launch.counted_context = all;
  }
  r.machine = simt_machine_new(arena, r.program, &launch);
  r.arguments = tool_make_arguments(arena, r.machine, options, r.input.needs);
  tool_counters *counters = NULL;
  if (all != NULL && options->counters != NULL)
    counters = tool_counters_new(arena, file, &r.input, r.machine);
  bool ok = simt_machine_run(r.machine, r.arguments.value, r.arguments.by_value);
  tool_progress_end();
  if (!ok)
    tool_die(1, "%s: %s", file, r.machine->fault);
  if (counters != NULL)
    tool_counters_write(counters, r.machine, options->counters);
  return r;
}

static FILE *create(const char *name, const char *columns) {
  if (name == NULL)
    return NULL;
  FILE *file = tool_create(name);
  fprintf(file, "%s\n", columns);
  return file;
}

static run execute_first(lin_arena *arena, const tool_options *options) {
  listeners all = {.vectors = create(options->vectors, "thread,function,block,entries")};
  all.warps = create(options->warps, "warp,function,block,entries");
  all.inputs = create(options->inputs, "thread,input,line,value");
  all.lanes = create(options->lanes, "lanes,function,block");
  run r = execute(arena, options, options->file, &all);
  const uint32_t *grid = r.machine->launch.grid;
  uint64_t warps = (uint64_t)grid[0] * grid[1] * grid[2] * r.machine->num_warps;
  if (all.lanes != NULL && options->launch.lanes_of >= warps)
    tool_die(2, "--warp %" PRIu64 ": the launch has %" PRIu64 " warps", options->launch.lanes_of,
             warps);
  if (all.lanes != NULL) // the newest leftover first
    tool_close(all.lanes, options->lanes);
  if (all.inputs != NULL)
    tool_close(all.inputs, options->inputs);
  if (all.warps != NULL)
    tool_close(all.warps, options->warps);
  if (all.vectors != NULL)
    tool_close(all.vectors, options->vectors);
  if (all.counts != NULL)
    tool_counts_write(all.counts, r.machine, options->counts);
  return r;
}

static void dump(lin_arena *arena, const run *r, const tool_dump *d) {
  const simt_object *object;
  tool_find_memory(arena, r->machine, &r->arguments, "--dump", d->what, &object);
  FILE *file = tool_create(d->file);
  fwrite(object->bytes, 1, object->size, file);
  tool_close(file, d->file);
}

static void print_memory(lin_arena *arena, const run *r, const char *what) {
  const simt_object *object;
  tool_memory memory = tool_find_memory(arena, r->machine, &r->arguments, "--print", what, &object);
  tool_print_memory(stdout, &memory, object);
}

// ---- comparing ---------------------------------------------------------------------------------

// Ends the program at the first difference: a byte written by one only, or with another value.
static void compare_objects(const tool_options *options, const simt_object *a,
                            const simt_object *b) {
  if (a->size != b->size)
    tool_die(3, "'%s' has %llu bytes in %s and %llu in %s", a->name, (unsigned long long)a->size,
             options->file, (unsigned long long)b->size, options->compare);
  for (uint64_t i = 0; i < a->size; i++) {
    if (a->written[i] == b->written[i] && (!a->written[i] || a->bytes[i] == b->bytes[i]))
      continue;
    tool_die(3, "the modules differ: '%s', byte %llu: %s%02x after %s, %s%02x after %s", a->name,
             (unsigned long long)i, a->written[i] ? "0x" : "unwritten 0x", a->bytes[i],
             options->file, b->written[i] ? "0x" : "unwritten 0x", b->bytes[i], options->compare);
  }
}

static const simt_object *global_named(const simt_machine *machine, const char *name) {
  for (uint32_t i = 0; i < machine->program->num_globals; i++)
    if (strcmp(machine->global.object[i].name, name) == 0)
      return &machine->global.object[i];
  return NULL;
}

// Buffers are made in the same order in both. A global variable that one module doesn't use has
// nothing to be compared with.
static void compare_memory(const tool_options *options, const run *a, const run *b) {
  const simt_memory *first = &a->machine->global, *second = &b->machine->global;
  for (uint32_t i = a->program->num_globals, j = b->program->num_globals; i < first->count;
       i++, j++)
    compare_objects(options, &first->object[i], &second->object[j]);
  for (uint32_t i = 0; i < a->program->num_globals; i++) {
    const simt_object *global = &first->object[i];
    const simt_object *other = global_named(b->machine, global->name);
    if (other != NULL && !global->is_constant)
      compare_objects(options, global, other);
  }
}

static void annotate(const run *first, const run *second) {
  tool_annotate(stdout, first->input.module, first->machine);
  if (second->machine != NULL)
    tool_annotate(stdout, second->input.module, second->machine);
  fputc('\n', stdout);
}

static void release(run *r) {
  if (r->machine != NULL)
    tool_release_module(r->input.module);
}

int main(int argc, char **argv) {
  tool_options options;
  lin_arena arena = {0};
  tool_options_parse(&arena, argc, argv, &options);
  run first = execute_first(&arena, &options), second = {0};
  for (unsigned i = 0; i < options.num_dumps; i++)
    dump(&arena, &first, &options.dump[i]);
  for (unsigned i = 0; i < options.num_prints; i++)
    print_memory(&arena, &first, options.print[i]);
  if (options.compare != NULL) {
    second = execute(&arena, &options, options.compare, NULL);
    compare_memory(&options, &first, &second);
  }
  if (options.annotate)
    annotate(&first, &second);
  tool_report(stdout, &options, first.machine, second.machine, first.input.was_ptx);
  release(&first);
  release(&second);
  lin_arena_release(&arena);
  if (fflush(stdout) != 0)
    tool_die(1, "<stdout>: %s", strerror(errno));
  return 0;
}
