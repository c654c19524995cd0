// driver_property [first_seed] [count]
//
// Does the driver (driver/driver.h) do with a front end what front_end.h says? One of graphs, with
// made-up instructions (front/made_up.h), is all that it has here: edits are made of the graph, and
// so is what a plan makes of it. For random graphs, in each mode:
//   1. `changing` comes before each change, `tell` behind each plan that is written, `finish` once
//      and last, if anything but blocks that nothing reaches was changed;
//   2. a function that is refused, or unwanted, stays as it is, and somebody is told if it would
//   not;
//   3. the graph keeps a good shape; in mode paper nothing unstructured is left, but where
//   something
//      is refused, and the second time there is nothing to do.
// The last line is `N changes of M functions, F failed`.
#include "driver/driver.h"
#include "front/made_up.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 20 };

typedef struct function {
  lin_arena *arena;
  uint64_t seed;
  const lin_graph *graph; // as it is
  made_up *code;          // of the graph as it was read
  const char *refused;
  bool is_unwanted;
  bool announced;                    // the next change
  bool written;                      // nobody has been told of it
  bool refuses, is_left;             // regions; the function
  uint32_t changes, drops, finished; // changes: drops, too
  const char *wrong;                 // the first thing that was, or NULL
} function;

static void expect(function *f, bool condition, const char *wrong) {
  if (!condition && f->wrong == NULL)
    f->wrong = wrong;
}

// ---- reading

enum { MADE_BY_EDITS = LIN_STRIP | LIN_STAGE | LIN_TWO_SIDED };

// Code says nothing of what edits have made of it.
static void keep(function *f, const lin_graph *graph, lin_code *code) {
  lin_graph *read = LIN_NEW(f->arena, lin_graph);
  *read = *graph;
  read->flags = LIN_ARRAY(f->arena, uint32_t, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    read->flags[block] = graph->flags[block] & ~(uint32_t)MADE_BY_EDITS;
  f->graph = read;
  f->code = LIN_NEW(f->arena, made_up);
  made_up_front(f->code, read, f->seed);
  *code = (lin_code){.graph = read,
                     .front = &f->code->front,
                     .refused = f->refused,
                     .refused_at = LIN_NONE,
                     .is_unwanted = f->is_unwanted};
}

static void read(void *context, lin_code *code) {
  function *f = context;
  expect(f, !f->written, "nobody was told of a plan");
  keep(f, f->graph, code);
}

static void read_effects(void *context) { (void)context; }
static void read_uniform(void *context) { (void)context; }

static bool has_many_registers(void *context) { return ((function *)context)->seed % 3 == 0; }

// ---- changing

static void changing(void *context) { ((function *)context)->announced = true; }

static void change(function *f) {
  expect(f, f->announced, "nobody was told of a change");
  expect(f, f->refused == NULL && !f->is_unwanted, "a refused function was changed");
  expect(f, f->finished == 0, "a change comes after the last touches");
  f->announced = false;
  f->changes++;
}

static bool drop_unreachable(void *context, lin_code *code) {
  function *f = context;
  const lin_order *order = lin_order_build(f->arena, f->graph);
  if (order->graph->num_blocks == f->graph->num_blocks)
    return false;
  changing(context);
  change(f);
  f->drops++;
  keep(f, order->graph, code);
  return true;
}

static const lin_block *apply(void *context, const lin_result *result, const lin_edits *edits,
                              lin_code *code) {
  function *f = context;
  (void)result;
  change(f);
  const lin_graph *edited = lin_edit_apply(f->arena, f->graph, edits);
  const lin_order *order = lin_order_build(f->arena, edited);
  keep(f, order->graph, code);
  return order->origin;
}

static void write(void *context, const lin_result *result) {
  function *f = context;
  change(f);
  expect(f, result->flow != NULL, "there is no plan to be written");
  f->graph = result->flow->graph;
  f->written = true;
}

static void finish(void *context) {
  function *f = context;
  expect(f, f->changes > 0 && !f->written, "the last touches come too early");
  f->finished++;
}

// ---- telling

static void tell_left(void *context, const lin_driver *driver) {
  function *f = context;
  f->is_left = true;
  expect(f, driver->code.refused != NULL || driver->code.is_unwanted, "it is left for no reason");
}

static void tell_over_budget(void *context, const lin_driver *driver, uint64_t work,
                             uint64_t most) {
  (void)driver;
  expect(context, work > most, "it is within the budget");
}

static void tell_bad(void *context, lin_status status) {
  (void)status;
  expect(context, false, "the graph has no good shape");
}

static void tell_before(void *context, const lin_driver *driver) {
  (void)driver;
  expect(context, !((function *)context)->written, "something was written before");
}

static void tell_hidden(void *context, const lin_edits *edits) {
  expect(context, edits->num_hidden > 0, "no arms are hidden");
}

static void tell_edits(void *context, const lin_former *former, const lin_edits *edits) {
  const function *f = context;
  expect(context, edits->count > 0 && former->num_blocks == f->graph->num_blocks,
         "edits are told of too late");
}

static void tell_settled(void *context, const lin_former *former, const lin_edits *edits,
                         const uint32_t *names, uint32_t num_names) {
  (void)edits, (void)num_names;
  expect(context, former->minimal != NULL && names != NULL, "regions have no numbers");
}

static void tell(void *context, const lin_driver *driver) {
  function *f = context;
  expect(f, f->written == (driver->result.num_regions > 0), "what was written is not what is told");
  f->written = false;
  f->refuses |= driver->result.refusals.count > 0;
}

static const lin_front_end end_of_graphs = {.read = read,
                                            .read_effects = read_effects,
                                            .read_uniform = read_uniform,
                                            .has_many_registers = has_many_registers,
                                            .changing = changing,
                                            .drop_unreachable = drop_unreachable,
                                            .apply = apply,
                                            .write = write,
                                            .finish = finish,
                                            .tell_left = tell_left,
                                            .tell_over_budget = tell_over_budget,
                                            .tell_bad = tell_bad,
                                            .tell_before = tell_before,
                                            .tell_hidden = tell_hidden,
                                            .tell_edits = tell_edits,
                                            .tell_settled = tell_settled,
                                            .tell = tell};

// ---- one function

static bool drive(function *f, lin_mode mode) {
  lin_front_end end = end_of_graphs;
  end.context = f;
  lin_asked asked = {.mode = {mode},
                     .num_modes = 1,
                     .level = 4,
                     .policy = {.regardless = true, .most_nested = 1, .force = f->seed % 2 == 0}};
  return lin_drive(f->arena, &end, &asked);
}

static uint32_t count_unstructured(lin_arena *arena, const lin_graph *graph) {
  return lin_shape_build(arena, graph).analysis->num_unstructured;
}

static const char *try_mode(lin_arena *arena, uint64_t seed, lin_mode mode, uint32_t *changes) {
  lin_block wrong;
  lin_graph *graph = random_graph(arena, seed, 3, MOST_BLOCKS);
  function f = {.arena = arena,
                .seed = seed,
                .graph = graph,
                .refused = seed % 16 == 1 ? "nobody can read it" : NULL,
                .is_unwanted = seed % 16 == 2};
  bool changed = drive(&f, mode);
  *changes += f.changes;
  expect(&f, changed == (f.changes > 0), "it doesn't say whether it has changed anything");
  expect(&f, lin_graph_check(f.graph, &wrong) == NULL, "what comes out has no good shape");
  expect(&f, f.finished == (f.changes > f.drops), "the last touches are not made once");
  if (mode != LIN_MODE_PAPER || f.refuses)
    return f.wrong;
  bool is_left = f.refused != NULL || f.is_unwanted;
  uint32_t left = count_unstructured(arena, f.graph);
  expect(&f, is_left ? f.is_left == (left > 0) : left == 0, "unstructured edges are left");
  f.finished = 0;
  expect(&f, !drive(&f, mode), "there is something to do the second time");
  return f.wrong;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  uint32_t changes = 0, functions = 0, failed = 0;
  for (uint64_t seed = first; seed < first + count && failed < 10; seed++)
    for (lin_mode mode = LIN_MODE_NEEDED; mode <= LIN_MODE_LIMIT_DEPTH; mode++) {
      lin_arena arena = {0};
      const char *wrong = try_mode(&arena, seed, mode, &changes);
      if (wrong != NULL)
        printf("seed %llu, mode %d: %s\n", (unsigned long long)seed, (int)mode, wrong);
      failed += wrong != NULL;
      functions++;
      lin_arena_release(&arena);
    }
  printf("%u changes of %u functions, %u failed\n", changes, functions, failed);
  return failed == 0 && changes > 0 ? 0 : 1;
}
