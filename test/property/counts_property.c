// counts_property FILE.ll ...
//
// Do counts of edges survive edits of LLVM IR? Each function of some modules is counted: threads go
// through it at random, but where a test is known they go where it leads. Each pass of
// driver/passes.h that proposes edits has them made, and the function is read again. Then
//   1. each of its blocks has counts: one of those that the edits make ends as it does;
//   2. what enters a block leaves it;
//   3. as many threads return as before.
// Each violation is printed with its function; the last line is `N edits, F failed`.
#include "counts/carried.h"
#include "driver/passes.h"
#include "random_graph.h"
#include "llvm/edit/edits.h"
#include "llvm/edit/unreachable.h"
#include "llvm/read/answers.h"

#include <llvm-c/IRReader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, MOST_STEPS = 2000 };

static lin_edge choose(const lin_front *front, const lin_graph *graph, lin_block at, lin_block from,
                       uint64_t *state) {
  lin_block known = from == LIN_NONE ? LIN_NONE : front->next_from(front->context, at, from);
  lin_edge edge = graph->first_edge[at];
  if (known == LIN_NONE)
    return edge + (lin_edge)(random_next(state) % lin_out_degree(graph, at));
  while (graph->destination[edge] != known)
    edge++;
  return edge;
}

// Adds a thread's way to the counts, if it ends.
static void go(lin_graph *counts, const lin_front *front, uint64_t seed) {
  static lin_edge way[MOST_STEPS];
  uint32_t length = 0;
  lin_block at = 0, from = LIN_NONE;
  while (lin_out_degree(counts, at) > 0 && length < MOST_STEPS) {
    way[length] = choose(front, counts, at, from, &seed);
    from = at;
    at = counts->destination[way[length++]];
  }
  for (uint32_t i = 0; i < length && lin_out_degree(counts, at) == 0; i++)
    counts->weight[way[i]]++;
}

static uint64_t entering(const lin_graph *graph, lin_block block) {
  uint64_t sum = 0;
  for (LIN_IN_EDGES(graph, block, i))
    sum += graph->weight[graph->in_edge[i]];
  return sum;
}

static uint64_t returning(const lin_graph *graph) {
  uint64_t sum = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    sum += lin_out_degree(graph, block) == 0 ? entering(graph, block) : 0;
  return sum;
}

static const char *check(const lin_graph *graph, const lin_block *was, uint64_t returned,
                         lin_block *wrong) {
  for (*wrong = 0; *wrong < graph->num_blocks; ++*wrong) {
    uint64_t leaving = 0;
    for (LIN_OUT_EDGES(graph, *wrong, edge))
      leaving += graph->weight[edge];
    if (was[*wrong] == LIN_NONE)
      return "no block of before ends as it does";
    if (*wrong > 0 && lin_out_degree(graph, *wrong) > 0 && entering(graph, *wrong) != leaving)
      return "what enters it doesn't leave it";
  }
  *wrong = 0;
  return returning(graph) == returned ? NULL : "not all threads return";
}

typedef struct totals {
  uint32_t edits[LIN_MOST_PASSES], failed;
} totals;

static lin_ir_function *read_function(lin_arena *arena, LLVMValueRef function) {
  lin_ir_read_options options = {0};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  return lin_ir_has_unreachable(arena, f) ? lin_ir_drop_unreachable(arena, f, &options) : f;
}

static void try_pass(totals *t, lin_arena *arena, LLVMValueRef function, uint32_t number,
                     lin_mode mode) {
  lin_options options = {
      .policy = {.mode = mode, .regardless = true, .votes = true, .divergence_known = true},
      .level = 4};
  const lin_pass *pass = &lin_passes[number];
  lin_ir_function *f = read_function(arena, function);
  lin_result result;
  if (pass->propose == NULL || f->refused != NULL || !pass->is_wanted(&options.policy))
    return;
  lin_ir_read_effects(f, lin_ir_summaries_new(arena));
  if (!lin_ok(lin_linearize(arena, f->graph, &options, &result)))
    return;
  const lin_front *front = lin_ir_answers(arena, f);
  lin_edits *edits = pass->propose(arena, front, &result, &options.policy);
  if (edits->count == 0)
    return;
  uint32_t blocks = f->graph->num_blocks;
  memset(f->graph->weight, 0, f->graph->num_edges * sizeof *f->graph->weight);
  for (uint64_t thread = 0; thread < THREADS; thread++)
    go(f->graph, front, 0x9e3779b97f4a7c15 * (thread + 1));
  uint64_t returned = returning(f->graph);
  lin_carried_counts counts = {.graph = f->graph};
  for (uint32_t i = 0; i < edits->count; i++)
    blocks += lin_edit_adds(&edits->edit[i]);
  const LLVMValueRef *end = lin_ir_apply(arena, f, front, &result, edits);
  f = read_function(arena, function);
  const lin_block *was = lin_ir_match(arena, f, end, blocks);
  lin_counts_move(arena, &counts, edits, f->graph, was);
  lin_block wrong;
  const char *reason = check(counts.graph, was, returned, &wrong);
  t->edits[number] += edits->count;
  t->failed += reason != NULL;
  if (reason != NULL)
    printf("%s, %s, block %s: %s\n", f->graph->title, pass->name, f->graph->name[wrong], reason);
}

static void try_function(totals *t, LLVMValueRef function) {
  static const lin_mode modes[] = {LIN_MODE_NEEDED, LIN_MODE_IRREDUCIBLE, LIN_MODE_MERGE_LOOPS,
                                   LIN_MODE_INTERLEAVE};
  lin_arena arena = {0};
  for (uint32_t mode = 0; mode < 4; mode++)
    for (uint32_t number = 0; lin_passes[number].name != NULL; number++)
      try_pass(t, &arena, function, number, modes[mode]);
  lin_arena_release(&arena);
}

static bool try_file(totals *t, const char *path) {
  LLVMContextRef context = LLVMContextCreate();
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef module;
  char *message;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
      LLVMParseIRInContext(context, buffer, &module, &message)) {
    printf("%s: %s\n", path, message);
    return false;
  }
  for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
       function = LLVMGetNextFunction(function))
    if (!LLVMIsDeclaration(function))
      try_function(t, function);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return true;
}

int main(int argc, char **argv) {
  totals t = {0};
  uint32_t all = 0;
  for (int i = 1; i < argc; i++)
    if (!try_file(&t, argv[i]))
      return 1;
  for (uint32_t i = 0; lin_passes[i].name != NULL; i++) {
    if (lin_passes[i].propose == NULL)
      continue;
    printf("%s: %u\n", lin_passes[i].name, t.edits[i]);
    t.failed += t.edits[i] == 0;
    all += t.edits[i];
  }
  printf("%u edits, %u failed\n", all, t.failed);
  return t.failed == 0 ? 0 : 1;
}
