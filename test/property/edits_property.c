// edits_property [first_seed] [count]
//
// Do edits keep what threads do? On random graphs, one in nine a loop that threads leave by a flag,
// one in nine of branches with two arms, with made-up instructions (front/made_up.h) each pass of
// driver/passes.h proposes its edits, and they are made (front/edit.h). Then
//   1. threads come to the same blocks in the same order as before, but for tests that are folded,
//      which they ask in another order;
//   2. of counted edges (each thread's way through the graph) the edited graph has the counts that
//      threads have on their ways through it, where edits say all of them; else what enters a block
//      leaves it;
//   3. a copy shares the memory that the block does, and all together share what they did; strips
//   and
//      stages are flagged, and who has voted;
//   4. edits that are printed and read again make the same graph, and its shape is good.
// The last line is `N edits of M graphs, F failed`.
#define _POSIX_C_SOURCE 200809L

#include "driver/passes.h"
#include "front/made_up.h"
#include "graph/text.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 24, MOST_STEPS = 400, MOST_BLOCKS = 24 };

// ---- a thread on its way

typedef struct walk {
  lin_block seen[MOST_STEPS];
  uint32_t num_seen;
  bool ended; // else it was stopped
} walk;

typedef struct world {
  const made_up *code; // of the graph before
  const lin_graph *graph;
  const lin_edits *edits; // NULL: none are made
  const lin_edit **fold;  // [blocks before] that folds the block, or NULL
  uint64_t *taken;        // [edges of graph]
} world;

typedef struct thread {
  const world *w;
  uint64_t number;
  uint32_t *visits;   // [blocks before]
  uint32_t *strip;    // [edits] iterations of the strip at hand
  uint32_t decision;  // of the block with which a strip ends
  lin_block at, from; // of the graph; of the one before
} thread;

// The edit that adds a block, and which of its blocks it is.
static const lin_edit *edit_of(const world *w, lin_block block, uint32_t *which, uint32_t *index) {
  uint32_t added = w->code->graph->num_blocks;
  for (*index = 0; *index < w->edits->count; ++*index) {
    const lin_edit *edit = &w->edits->edit[*index];
    if (block < added + lin_edit_adds(edit)) {
      *which = block - added;
      return edit;
    }
    added += lin_edit_adds(edit);
  }
  abort();
}

// The block of before that a block is, LIN_NONE for one that is nothing of it.
static lin_block origin(const world *w, lin_block block) {
  uint32_t which, index;
  if (block < w->code->graph->num_blocks)
    return block;
  const lin_edit *edit = edit_of(w, block, &which, &index);
  if (edit->kind == LIN_EDIT_VOTE)
    return which < 2 ? LIN_NONE : edit->from[which - 2];
  return edit->kind == LIN_EDIT_STRIP || edit->kind == LIN_EDIT_CUT ? LIN_NONE : edit->block;
}

// Which successor a thread takes of a block as it was before. A folded test says the same whenever
// it is asked in one iteration.
static uint32_t decide(const thread *t, lin_block block) {
  const made_up *code = t->w->code;
  const lin_graph *graph = code->graph;
  const lin_edit *fold = t->w->fold[block];
  uint32_t degree = lin_out_degree(graph, block);
  lin_block known = t->from == LIN_NONE || fold != NULL
                        ? LIN_NONE
                        : code->front.next_from(code->front.context, block, t->from);
  for (uint32_t i = 0; i < degree && known != LIN_NONE; i++)
    if (graph->destination[graph->first_edge[block] + i] == known)
      return i;
  uint32_t visits = t->visits[fold != NULL ? fold->block : block];
  return (uint32_t)(made_up_number(code->seed, t->number, block, visits) % degree);
}

static bool leaves(const thread *t, const lin_edit *fold, uint32_t test) {
  const lin_graph *graph = t->w->code->graph;
  lin_block block = fold->from[test], next = fold->from[test + 1 < fold->count ? test + 1 : 0];
  return graph->destination[graph->first_edge[block] + decide(t, block)] != next;
}

static uint32_t choose_in_fold(const thread *t, const lin_edit *fold, lin_block at) {
  for (uint32_t i = 0; i < fold->count; i++) {
    if (at == fold->block && leaves(t, fold, i))
      return 0;
    if (at != fold->block && (i == 0 ? at >= t->w->code->graph->num_blocks : at == fold->from[i]))
      return i + 1 == fold->count || leaves(t, fold, i) ? 0 : 1;
  }
  return 1;
}

// The same in the edited graph.
static uint32_t choose(thread *t) {
  const world *w = t->w;
  uint32_t which = 0, index = 0;
  bool is_new = t->at >= w->code->graph->num_blocks;
  if (lin_out_degree(w->graph, t->at) == 1)
    return 0;
  if (w->edits == NULL)
    return decide(t, t->at);
  const lin_edit *edit = is_new ? edit_of(w, t->at, &which, &index) : NULL;
  if (is_new && edit->kind == LIN_EDIT_FOLD)
    return choose_in_fold(t, edit, t->at);
  if (is_new && edit->kind == LIN_EDIT_STRIP) // X asks what the loop's end has asked
    return t->decision;
  if (is_new && edit->kind == LIN_EDIT_VOTE) // D1 and D2 ask what D has asked
    return which < 2 ? t->decision : decide(t, edit->from[which - 2]);
  if (is_new)
    return decide(t, edit->block);
  if (w->fold[t->at] != NULL)
    return choose_in_fold(t, w->fold[t->at], t->at);
  t->decision = decide(t, t->at);
  for (index = 0; index < w->edits->count; index++) {
    edit = &w->edits->edit[index];
    if (edit->kind == LIN_EDIT_VOTE && edit->block == t->at) // whether it agrees with others
      return (uint32_t)(made_up_number(w->code->seed, t->number, index, t->visits[t->at]) % 2);
    if (edit->kind != LIN_EDIT_STRIP || edit->to != t->at)
      continue;
    const lin_graph *graph = w->code->graph;
    bool stays = graph->destination[graph->first_edge[t->at] + t->decision] == edit->block;
    if (!stays || ++t->strip[index] < edit->length) {
      t->strip[index] = stays ? t->strip[index] : 0;
      return t->decision;
    }
    t->strip[index] = 0;
    return 1 - t->decision;
  }
  return t->decision;
}

static walk go(lin_arena *arena, const world *w, uint32_t number) {
  walk result = {.num_seen = 0};
  uint32_t blocks = w->code->graph->num_blocks, edits = w->edits == NULL ? 0 : w->edits->count;
  thread t = {.w = w,
              .number = number,
              .visits = LIN_ARRAY(arena, uint32_t, blocks),
              .strip = LIN_ARRAY(arena, uint32_t, edits),
              .from = LIN_NONE};
  for (uint32_t steps = 0; steps < 8 * MOST_STEPS && result.num_seen < MOST_STEPS; steps++) {
    lin_block here = origin(w, t.at);
    bool is_test = here != LIN_NONE && w->fold[here] != NULL;
    if (here != LIN_NONE && (!is_test || t.at == w->fold[here]->block))
      t.visits[here]++;
    if (here != LIN_NONE && !is_test)
      result.seen[result.num_seen++] = here;
    result.ended = lin_out_degree(w->graph, t.at) == 0;
    if (result.ended)
      break;
    lin_edge edge = w->graph->first_edge[t.at] + choose(&t);
    w->taken[edge]++;
    t.from = here == LIN_NONE ? t.from : here;
    t.at = w->graph->destination[edge];
  }
  return result;
}

static bool same_walk(const walk *a, const walk *b) {
  uint32_t count = a->num_seen < b->num_seen ? a->num_seen : b->num_seen;
  if (a->ended && b->ended && a->num_seen != b->num_seen)
    return false;
  return memcmp(a->seen, b->seen, count * sizeof *a->seen) == 0;
}

// ---- what has to hold

static const char *compare_text(lin_arena *arena, const lin_graph *graph, const lin_edits *edits,
                                const lin_graph *after) {
  char *text = NULL, *one = NULL, *other = NULL;
  size_t length, line, one_length, other_length;
  const char *error;
  FILE *file = open_memstream(&text, &length);
  lin_edit_print(file, graph, edits);
  fclose(file);
  lin_edits *again = lin_edit_parse(arena, graph, text, length, &line, &error);
  if (again != NULL) {
    file = open_memstream(&one, &one_length);
    lin_text_print(file, after);
    fclose(file);
    file = open_memstream(&other, &other_length);
    lin_text_print(file, lin_edit_apply(arena, graph, again));
    fclose(file);
  }
  bool good = again != NULL && one_length == other_length && strcmp(one, other) == 0;
  free(text);
  free(one);
  free(other);
  return good ? NULL : "printed and read, the edits are others";
}

// Whether the edits say how all counts move: copies that ask again only share them.
static bool say_all(const lin_edits *edits) {
  for (uint32_t i = 0; i < edits->count; i++)
    if (edits->edit[i].kind == LIN_EDIT_STRIP || edits->edit[i].kind == LIN_EDIT_VOTE ||
        (edits->edit[i].kind == LIN_EDIT_COPY && edits->edit[i].to == LIN_NONE))
      return false;
  return true;
}

static const char *compare_counts(const lin_graph *after, const lin_edits *edits,
                                  const uint64_t *taken) {
  for (lin_edge edge = 0; edge < after->num_edges && say_all(edits); edge++)
    if (after->weight[edge] != taken[edge])
      return "a count is not what threads do";
  for (lin_block block = 1; block < after->num_blocks; block++) {
    uint64_t in = 0, out = 0;
    for (LIN_IN_EDGES(after, block, i))
      in += after->weight[after->in_edge[i]];
    for (LIN_OUT_EDGES(after, block, edge))
      out += after->weight[edge];
    if (lin_out_degree(after, block) > 0 && in != out)
      return "what enters a block doesn't leave it";
  }
  return NULL;
}

// Each block shares an object of its own, by its number.
static void set_sharing(lin_arena *arena, lin_graph *graph) {
  graph->sharing = LIN_ARRAY(arena, lin_sharing, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    graph->sharing[block].loads = 1u << block % 32;
}

static const char *compare_sharing(const world *before, const world *after) {
  lin_sharing old = {0}, new = {0};
  for (lin_block block = 0; block < before->graph->num_blocks; block++)
    old = lin_share(old, before->graph->sharing[block]);
  for (lin_block block = 0; block < after->graph->num_blocks; block++) {
    lin_block from = origin(after, block);
    uint32_t loads = after->graph->sharing[block].loads;
    new = lin_share(new, after->graph->sharing[block]);
    uint32_t which, index;
    if (from == LIN_NONE && edit_of(after, block, &which, &index)->kind == LIN_EDIT_CUT)
      from = edit_of(after, block, &which, &index)->block; // it is a part of that
    if (from == LIN_NONE ? loads != 0
                         : after->fold[from] == NULL && loads != before->graph->sharing[from].loads)
      return "a block shares other memory";
  }
  return old.loads == new.loads ? NULL : "other memory is shared";
}

static const char *check_flags(const lin_graph *before, const lin_graph *after,
                               const lin_edits *edits) {
  lin_block added = before->num_blocks;
  for (uint32_t i = 0; i < edits->count; i++) {
    const lin_edit *edit = &edits->edit[i];
    if (edit->kind == LIN_EDIT_CUT && ((after->flags[edit->block] & LIN_STAGE) == 0 ||
                                       (after->flags[edit->to] & LIN_TWO_SIDED) == 0))
      return "a stage isn't flagged";
    if (edit->kind == LIN_EDIT_STRIP && (after->flags[edit->block] & LIN_STRIP) == 0)
      return "a strip isn't flagged";
    enum { AGREED = LIN_AGREED | LIN_UNIFORM };
    for (uint32_t k = 0; edit->kind == LIN_EDIT_VOTE && k < edit->count + 2; k++)
      if (k != 1 && (after->flags[added + k] & AGREED) != AGREED)
        return "what has voted isn't flagged";
    if (edit->kind == LIN_EDIT_VOTE && (after->flags[edit->block] & AGREED) != AGREED)
      return "a vote isn't flagged";
    added += lin_edit_adds(edit);
  }
  return NULL;
}

static const char *check_edits(lin_arena *arena, const made_up *code, const lin_edits *edits,
                               lin_graph **result) {
  lin_graph *before = (lin_graph *)code->graph;
  const lin_edit **fold = LIN_ARRAY(arena, const lin_edit *, before->num_blocks);
  for (uint32_t i = 0; i < edits->count; i++)
    for (uint32_t k = 0; edits->edit[i].kind == LIN_EDIT_FOLD && k < edits->edit[i].count; k++)
      fold[edits->edit[i].from[k]] = &edits->edit[i];
  world old = {code, before, NULL, fold, LIN_ARRAY(arena, uint64_t, before->num_edges)};
  walk *walks = LIN_ARRAY(arena, walk, THREADS);
  bool all_end = true;
  for (uint32_t i = 0; i < THREADS; i++) {
    walks[i] = go(arena, &old, i);
    all_end &= walks[i].ended;
  }
  for (lin_edge edge = 0; edge < before->num_edges; edge++)
    before->weight[edge] = (uint32_t)old.taken[edge];
  set_sharing(arena, before);
  lin_graph *after = *result = lin_edit_apply(arena, before, edits);
  lin_block wrong;
  if (lin_graph_check(after, &wrong) != NULL)
    return "the edited graph has no good shape";
  world new = {code, after, edits, fold, LIN_ARRAY(arena, uint64_t, after->num_edges)};
  for (uint32_t i = 0; i < THREADS; i++) {
    walk now = go(arena, &new, i);
    if (!same_walk(&walks[i], &now))
      return "a thread comes to other blocks";
  }
  const char *reason = compare_sharing(&old, &new);
  if (reason == NULL)
    reason = check_flags(before, after, edits);
  if (reason == NULL && all_end)
    reason = compare_counts(after, edits, new.taken);
  return reason != NULL ? reason : compare_text(arena, before, edits, after);
}

typedef struct totals {
  uint32_t graphs, edits[LIN_MOST_PASSES], failed;
} totals;

static void report(totals *t, uint64_t seed, const lin_pass *pass, const lin_graph *graph,
                   const lin_edits *edits, const char *reason) {
  printf("seed %llu, %s: %s\n", (unsigned long long)seed, pass->name, reason);
  lin_text_print(stdout, graph);
  lin_edit_print(stdout, graph, edits);
  t->failed++;
}

static void try_pass(totals *t, lin_arena *arena, uint64_t seed, uint32_t number,
                     lin_graph **graph) {
  const lin_pass *pass = &lin_passes[number];
  static const lin_mode modes[] = {LIN_MODE_NEEDED, LIN_MODE_IRREDUCIBLE, LIN_MODE_MERGE_LOOPS,
                                   LIN_MODE_INTERLEAVE};
  lin_options options = {.policy = {.divergence_known = seed % 2 == 0,
                                    .lock_step = seed / 2 % 2 == 0,
                                    .regardless = seed % 5 > 0,
                                    .votes = true},
                         .level = 4};
  for (uint32_t i = 0; i < 4; i++) {
    lin_result result;
    made_up code;
    options.policy.mode = modes[i];
    if (pass->propose == NULL || !pass->is_wanted(&options.policy))
      continue;
    made_up_front(&code, *graph, seed);
    if (!lin_ok(lin_linearize(arena, *graph, &options, &result)))
      return;
    lin_edits *edits = pass->propose(arena, &code.front, &result, &options.policy);
    if (edits->count == 0)
      continue;
    const lin_graph *before = *graph;
    const char *reason = check_edits(arena, &code, edits, graph);
    t->edits[number] += edits->count;
    if (reason != NULL)
      report(t, seed, pass, before, edits, reason);
  }
}

static lin_graph *make_graph(lin_arena *arena, uint64_t seed) {
  if (seed % 9 == 0)
    return random_flag_loop(arena, seed);
  if (seed % 9 > 1)
    return random_graph(arena, seed, 3, MOST_BLOCKS);
  lin_graph *graph = random_two_sided(arena, seed);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    graph->flags[block] &= ~(uint32_t)(LIN_STAGE | LIN_TWO_SIDED); // a pass will do that
  return graph;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  totals t = {0};
  for (uint64_t seed = first; seed < first + 10 * count && t.failed < 10; seed++) {
    lin_arena arena = {0};
    lin_graph *graph = make_graph(&arena, seed);
    for (uint32_t number = 0; lin_passes[number].name != NULL; number++)
      try_pass(&t, &arena, seed, number, &graph);
    lin_arena_release(&arena);
    t.graphs++;
  }
  uint32_t all = 0;
  for (uint32_t i = 0; lin_passes[i].name != NULL; i++) {
    if (lin_passes[i].propose == NULL)
      continue;
    printf("%s: %u\n", lin_passes[i].name, t.edits[i]);
    all += t.edits[i];
    if (t.edits[i] == 0 && count >= 100) {
      printf("no edits of that pass were tried\n");
      t.failed++;
    }
  }
  printf("%u edits of %u graphs, %u failed\n", all, t.graphs, t.failed);
  return t.failed == 0 ? 0 : 1;
}
