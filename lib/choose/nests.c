// 1. What each loop has in it: who waits, polls, may not be guarded; whether it may part threads.
// 2. Inner loops first: of the loops directly in a loop, which may be merged with it, and which of
//    these gains most. That one is merged; for the loop around, the two are one loop then.
#include "nests.h"

#include "gpu/costs.h"
#include "gpu/target.h"
#include "linearize/spans.h"
#include "nest_counts.h"
#include "trip_counts.h"

// What follows is fitted, on times of an H200 (bench/results/h200-2026-11-24-calibrate.txt), and
// confirmed on a half of the kernels that it wasn't fitted to: `scripts/calibrate --cubins FOLDER`,
// then `--run`.
//
// How many iterations the thread of a warp needs that needs most, for each that one needs in the
// mean: of the inner loop, each time that they come to it; and of both together, until all are
// done.
#define SPREAD 5.0
#define DRIFT 1.6
// The part of a warp's instructions that has to be gained.
#define LEAST_GAIN 0.1
// The same by counts. They say how far apart threads are, and nothing of what else an iteration of
// the merged loop takes: moves of all that it carries, loads that no unrolled iteration hides, and
// what other warps would have done meanwhile. On an H100 it costs up to half of the speed (an
// insertion sort 0.90 times as fast, a primality test 0.77). So half has to be gained: a choice
// that is meant to be cautious, and no fit.
#define LEAST_COUNTED_GAIN 0.5
#define HUGE_GAIN 1e300
// Iterations; strips are tried by powers of two.
enum { LONGEST_STRIP = 16 };

typedef struct contents {
  lin_block refused, waits, polls; // the first block, LIN_NONE: none
  lin_block stores;                // to memory in which threads may meet, the first
  lin_sharing sharing;
  bool parts;            // a branch that leaves the loop may part threads
  uint32_t ends, leaves; // edges that go around, edges that leave
  uint32_t end_leaves;   // of these, from a block that also goes around
  bool is_strip, has_strip;
} contents;

typedef struct nester {
  const lin_analysis *a;
  const lin_nest_options *options;
  lin_nests *nests;
  contents *contents; // [num_loops]
  lin_trip_counts *trips;
  lin_nest_counts *counts; // NULL: nobody counted
  uint32_t *first, *next;  // [num_loops] of the loops directly in a loop; LIN_NONE at the end
} nester;

// ---- step 1

static void note(lin_block *first, lin_block block, uint32_t flags) {
  if (flags != 0 && block < *first)
    *first = block;
}

static void count_edges(nester *n, uint32_t loop, lin_block block) {
  const lin_graph *graph = n->a->graph;
  contents *c = &n->contents[loop];
  uint32_t around = 0, leaving = 0;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    around += graph->destination[edge] == n->a->loops->header[loop];
    leaving += !lin_loop_contains(n->a->loops, loop, graph->destination[edge]);
  }
  c->ends += around;
  c->leaves += leaving;
  c->end_leaves += around > 0 ? leaving : 0;
  c->parts |= leaving > 0 && lin_may_part(graph, block, n->options->divergence_known);
}

static void add_to_loops(nester *n, lin_block block) {
  const lin_graph *graph = n->a->graph;
  const lin_loops *loops = n->a->loops;
  uint32_t flags = graph->flags[block];
  uint32_t own = loops->loop_of[block];
  if (loops->header[own] == block && (flags & LIN_STRIP) != 0) {
    n->contents[own].is_strip = true;
    n->contents[loops->tree->parent[own]].has_strip = true;
  }
  for (uint32_t loop = own; loop != 0; loop = loops->tree->parent[loop]) {
    contents *c = &n->contents[loop];
    note(&c->refused, block, flags & LIN_REFUSED);
    note(&c->waits, block, flags & (LIN_WAITS | LIN_CROSS_LANE | LIN_MAY_SPIN));
    note(&c->polls, block, flags & LIN_POLLS);
    if (graph->sharing != NULL) {
      lin_sharing s = graph->sharing[block];
      note(&c->stores, block, (s.stores | s.atomics) & s.meets);
      c->sharing = lin_share(c->sharing, s);
    }
    count_edges(n, loop, block);
  }
}

// ---- step 2

static void find_verdict(nester *n, uint32_t loop) {
  const lin_loops *loops = n->a->loops;
  uint32_t outer = loops->tree->parent[loop];
  const contents *inside = &n->contents[loop], *around = &n->contents[outer];
  lin_nest *nest = &n->nests->nest[loop];
  lin_block polls = n->options->lock_step ? around->polls : inside->polls;
  bool is_foreign =
      around->waits != LIN_NONE && (n->a->graph->flags[around->waits] & LIN_FOREIGN) != 0;
  *nest = (lin_nest){.verdict = LIN_NEST_MERGED, .block = loops->header[loop]};
  if (inside->is_strip)
    nest->verdict = LIN_NEST_NONE;
  else if (loops->irreducible[loop] || loops->irreducible[outer])
    nest->verdict = LIN_NEST_IRREDUCIBLE;
  else if (around->refused != LIN_NONE)
    *nest = (lin_nest){.verdict = LIN_NEST_REFUSED, .block = around->refused};
  else if (around->waits != LIN_NONE)
    *nest =
        (lin_nest){.verdict = is_foreign ? LIN_NEST_CALLS : LIN_NEST_WAITS, .block = around->waits};
  else if (polls != LIN_NONE)
    *nest = (lin_nest){.verdict = LIN_NEST_POLLS, .block = polls};
  else if (!inside->parts)
    nest->verdict = LIN_NEST_UNIFORM;
  else if (n->options->counts_ended && n->counts == NULL && !n->options->regardless)
    nest->verdict = LIN_NEST_UNKNOWN;
}

// What an iteration of the merged loop takes, and how many of them there are for each of `outer`.
typedef struct merged_iteration {
  double cost, count;
} merged_iteration;

// Strips of `strip` iterations; the last one of a thread is half full.
static merged_iteration estimate_strips(double trips, double inner, double around, uint32_t strip) {
  merged_iteration merged = {.count = (trips + (strip - 1) / 2.0) / strip};
  merged.count = merged.count < 1 ? 1 : merged.count;
  double none = 1 - 1 / merged.count; // of a warp's threads begins or ends its inner loop
  for (int threads = 1; threads < LIN_WARP; threads *= 2)
    none *= none;
  double iteration = strip == 1 ? inner : strip * (inner + LIN_COST_OF_COUNTING);
  merged.cost =
      iteration + LIN_GUARDED_PARTS * (LIN_COST_OF_TEST + LIN_COST_OF_SET) + around * (1 - none);
  return merged;
}

// Strips are of loops that have one edge around and one that leaves them, of the same block.
static uint32_t longest_strip(const nester *n, uint32_t loop) {
  const contents *inside = &n->contents[loop];
  return inside->ends == 1 && inside->leaves == 1 && inside->end_leaves == 1 ? LONGEST_STRIP : 1;
}

// The same by counts.
static lin_nest_weight weigh(nester *n, uint32_t loop, uint32_t outer) {
  lin_nest *nest = &n->nests->nest[loop];
  const lin_nest_weight weight =
      lin_nest_counts_weigh(n->counts, loop, outer, longest_strip(n, loop));
  const double iterations = n->counts->warps[outer] > 1 ? n->counts->warps[outer] : 1;
  nest->before = weight.before / iterations;
  nest->after = weight.after / iterations;
  nest->saved = weight.before - weight.after;
  nest->strip = weight.strip;
  return weight;
}

// Chooses the length of strips, too.
static merged_iteration estimate(nester *n, uint32_t loop, uint32_t outer) {
  lin_nest *nest = &n->nests->nest[loop];
  const lin_trip_counts *t = n->trips;
  double trips = t->entered[loop] * t->trips[loop], inner = t->cost[loop];
  double around = t->cost[outer] - trips * inner;
  around = around < 0 ? 0 : around;
  uint32_t most = n->a->graph->most_trips[n->a->loops->header[loop]];
  double spread = most != 0 && SPREAD * t->trips[loop] > most ? most / t->trips[loop] : SPREAD;
  nest->before = around + (spread < 1 ? 1 : spread) * trips * inner;
  merged_iteration best = estimate_strips(trips, inner, around, nest->strip = 1);
  for (uint32_t strip = 2; strip <= longest_strip(n, loop); strip *= 2) {
    merged_iteration iteration = estimate_strips(trips, inner, around, strip);
    if (iteration.count * iteration.cost < best.count * best.cost) {
      best = iteration;
      nest->strip = strip;
    }
  }
  nest->after = DRIFT * best.count * best.cost;
  return best;
}

// What merging gains: loops that were stripped for it go first.
static double gain(const nester *n, uint32_t loop) {
  const lin_nest *nest = &n->nests->nest[loop];
  return n->contents[loop].has_strip ? HUGE_GAIN : nest->before - nest->after;
}

static bool is_worth_it(const nester *n, uint32_t loop) {
  const lin_nest *nest = &n->nests->nest[loop];
  const double least = n->counts != NULL ? LEAST_COUNTED_GAIN : LEAST_GAIN;
  return n->options->regardless || (n->contents[loop].has_strip && n->counts == NULL) ||
         (nest->after < nest->before && nest->after <= (1 - least) * nest->before);
}

// Merges the best of the loops directly in `outer`.
static void merge_best(nester *n, uint32_t outer) {
  uint32_t best = LIN_NONE;
  merged_iteration iteration = {0}, here = {0};
  lin_nest_weight weight = {0}, of_best = {0};
  if (n->counts != NULL)
    lin_nest_counts_begin(n->counts, outer);
  for (uint32_t loop = n->first[outer]; loop != LIN_NONE; loop = n->next[loop]) {
    lin_nest *nest = &n->nests->nest[loop];
    find_verdict(n, loop);
    if (n->counts == NULL)
      here = estimate(n, loop, outer);
    if (nest->verdict != LIN_NEST_MERGED)
      continue;
    if (n->counts != NULL)
      weight = weigh(n, loop, outer);
    if (!is_worth_it(n, loop)) {
      nest->verdict = LIN_NEST_DEAR;
    } else if (lin_shared_objects(n->contents[outer].sharing) != 0) {
      nest->verdict = LIN_NEST_SHARES;
      nest->block = n->contents[outer].stores;
    } else if (best != LIN_NONE && gain(n, best) >= gain(n, loop)) {
      nest->verdict = LIN_NEST_SIBLING;
    } else {
      if (best != LIN_NONE)
        n->nests->nest[best].verdict = LIN_NEST_SIBLING;
      best = loop;
      iteration = here;
      of_best = weight;
    }
  }
  if (best == LIN_NONE)
    return;
  n->nests->merged[best] = true;
  n->contents[outer].parts = true;
  if (n->counts != NULL) {
    lin_nest_counts_merge(n->counts, best, outer, &of_best);
    return;
  }
  n->trips->trips[outer] *= iteration.count;
  n->trips->cost[outer] = iteration.cost;
}

lin_nests *lin_nests_find(lin_arena *arena, const lin_analysis *analysis,
                          const lin_nest_options *options) {
  const lin_loops *loops = analysis->loops;
  uint32_t count = loops->num_loops, blocks = analysis->graph->num_blocks;
  lin_nests *nests = LIN_NEW(arena, lin_nests);
  nests->nest = LIN_ARRAY(arena, lin_nest, count);
  nests->merged = LIN_ARRAY(arena, bool, count);
  nester n = {.a = analysis,
              .options = options,
              .nests = nests,
              .contents = LIN_ARRAY(arena, contents, count),
              .trips = lin_trip_counts_build(arena, analysis),
              .counts = lin_nest_counts_new(arena, analysis),
              .first = LIN_ARRAY(arena, uint32_t, count),
              .next = LIN_ARRAY(arena, uint32_t, count)};
  for (uint32_t loop = 0; loop < count; loop++) {
    n.contents[loop] =
        (contents){.refused = LIN_NONE, .waits = LIN_NONE, .polls = LIN_NONE, .stores = LIN_NONE};
    n.first[loop] = n.next[loop] = LIN_NONE;
  }
  for (lin_block block = 0; block < blocks; block++)
    add_to_loops(&n, block);
  for (lin_block block = blocks; block-- > 0;) {
    uint32_t loop = loops->loop_of[block];
    if (loop == 0 || loops->header[loop] != block)
      continue;
    merge_best(&n, loop);
    n.next[loop] = n.first[loops->tree->parent[loop]];
    n.first[loops->tree->parent[loop]] = loop;
  }
  return nests;
}

bool *lin_nests_seeds(lin_arena *arena, const lin_analysis *analysis, const lin_nests *nests) {
  const lin_graph *graph = analysis->graph;
  const lin_loops *loops = analysis->loops;
  bool *seed = LIN_ARRAY(arena, bool, graph->num_edges);
  bool *is_outermost = LIN_ARRAY(arena, bool, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (nests->merged[loop] && !nests->merged[loops->tree->parent[loop]])
      is_outermost[loops->tree->parent[loop]] = true;
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    seed[edge] = is_outermost[lin_loop_around(loops, graph, edge)];
  return seed;
}

void lin_nests_keep(const lin_analysis *analysis, const lin_regions *regions, lin_nests *nests) {
  const lin_loops *loops = analysis->loops;
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++) {
    uint32_t loop = loops->loop_of[block]; // of loops that contain each other, the outer one first
    if (loops->header[loop] != block || !nests->merged[loop])
      continue;
    lin_block header = lin_merged_header(loops, nests->merged, loop);
    nests->merged[loop] = lin_region_of_blocks(regions, block, header) != LIN_NONE;
  }
}

const char *lin_nest_name(lin_nest_verdict verdict) {
  static const char *const names[] = {
      [LIN_NEST_NONE] = "LoopNotMerged",        [LIN_NEST_MERGED] = "LoopMerged",
      [LIN_NEST_IRREDUCIBLE] = "LoopNotMerged", [LIN_NEST_REFUSED] = "LoopNotMerged",
      [LIN_NEST_WAITS] = "LoopNotMerged",       [LIN_NEST_POLLS] = "LoopNotMerged",
      [LIN_NEST_CALLS] = "LoopNotMerged",       [LIN_NEST_SHARES] = "LoopNotMerged",
      [LIN_NEST_UNIFORM] = "LoopUniform",       [LIN_NEST_DEAR] = "LoopTooDear",
      [LIN_NEST_UNKNOWN] = "LoopNotCounted",    [LIN_NEST_SIBLING] = "LoopBesideMerged",
  };
  return names[verdict];
}

const char *lin_nest_text(lin_nest_verdict verdict) {
  static const char *const texts[] = {
      [LIN_NEST_NONE] = "no loop around it",
      [LIN_NEST_MERGED] = "",
      [LIN_NEST_IRREDUCIBLE] = "a loop with several entries",
      [LIN_NEST_REFUSED] = "a block may not stand behind a guard",
      [LIN_NEST_WAITS] = "threads wait for each other, or depend on who runs with them",
      [LIN_NEST_CALLS] = "it calls code that isn't here, in which threads may wait for others",
      [LIN_NEST_POLLS] = "it polls memory",
      [LIN_NEST_SHARES] =
          ("it stores to memory of which other threads of the warp may load what they need, and "
           "merged they are no longer in the same iteration of the outer loop; if none needs "
           "another's, the option 'force' merges it"),
      [LIN_NEST_UNIFORM] = "all threads of a warp leave the inner loop together",
      [LIN_NEST_DEAR] = "it gains too little",
      [LIN_NEST_UNKNOWN] =
          "the profile is of the function before regions were linearized, or threads regrouped",
      [LIN_NEST_SIBLING] = "another inner loop gains more",
  };
  return texts[verdict];
}
