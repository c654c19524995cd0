// 1. The function is read: its graph, what its instructions mean to others.
// 2. How often threads and warps come to its blocks, counted or guessed.
// 3. Fragments that are worth it; those in loops of which merging saves more, and those in which
//    others could notice, are left out, with a remark.
// 4. Marks with keys (keys.h).
#include "find.h"

#include "again.h"
#include "choose/nests.h"
#include "counts/profile.h"
#include "gpu/costs.h"
#include "graph/split.h"
#include "graph/unite.h"
#include "keys.h"
#include "linearize/shape.h"
#include "memory.h"
#include "notice.h"
#include "refuse.h"
#include "regroup/fragments.h"
#include "regroup/guess.h"
#include "llvm/ask/kernels.h"
#include "llvm/ask/occupancy.h"
#include "llvm/ask/questions.h"
#include "llvm/ask/target.h"
#include "llvm/ask/versions.h"
#include "llvm/read/awaited.h"
#include "llvm/read/live.h"
#include "llvm/read/sharing.h"
#include "llvm/tell/message.h"

#include <llvm-c/Target.h>

#include <string.h>

typedef struct finder {
  lin_ir_places at;
  const linearize_options *options; // is_uniform, most_trips, with `context`; changing; quiet
  const lin_counts *counts;         // of a profile, or NULL: it says nothing of warps
  linearize_report *report;
  lin_traffic flow;
} finder;

// ---- fronts

// Where a branch leads to a loop, and nowhere else is the loop entered, a place is missing: in
// front of the loop, and behind the branch. A block of the graph stands for it, a *front*, which
// the function gets if threads are to be regrouped there; if it is known how often threads come
// there.
//
//     b ──▶ loop ⟲           b ──▶ front ──▶ loop ⟲
//     └──▶ c ◀─┘      ==>    └──▶ c ◀──────────┘

// The edge by which a loop is entered, if there is one; else LIN_NONE.
static lin_edge entering(const lin_graph *graph, const lin_loops *loops, lin_block header) {
  lin_edge found = LIN_NONE;
  for (LIN_IN_EDGES(graph, header, i)) {
    const lin_edge edge = graph->in_edge[i];
    if (lin_loop_around(loops, graph, edge) != 0)
      continue;
    if (found != LIN_NONE)
      return LIN_NONE;
    found = edge;
  }
  return found;
}

static lin_graph *add_fronts(finder *d, const lin_graph *graph) {
  const lin_order *order = lin_order_build(d->at.arena, graph);
  bool *on = LIN_ARRAY(d->at.arena, bool, graph->num_edges);
  lin_traffic_launches launches = {.count = 0};
  const uint32_t num_loops = d->counts == NULL ? 0 : order->loops->num_loops;
  if (num_loops > 0)
    launches = lin_traffic_find_launches(d->at.arena, order->graph, d->counts);
  for (uint32_t loop = 1; loop < num_loops; loop++) {
    const lin_block header = order->loops->header[loop];
    const lin_edge edge = entering(order->graph, order->loops, header);
    if (edge == LIN_NONE || order->loops->irreducible[loop] ||
        lin_out_degree(order->graph, order->graph->source[edge]) < 2 ||
        !lin_traffic_knows_entries(&launches, order->graph, order->graph->source[edge], header))
      continue;
    const lin_block from = order->origin[order->graph->source[edge]],
                    to = order->origin[order->graph->destination[edge]];
    LLVMValueRef what = lin_ir_asked_by(LLVMGetBasicBlockTerminator(d->at.f->block[from]));
    if (what == NULL || lin_ir_follows_index(what))
      continue; // mostly a bound
    for (LIN_OUT_EDGES(graph, from, out))
      on[out] |= graph->destination[out] == to;
  }
  d->at.first_front = graph->num_blocks;
  return lin_graph_split_edges(d->at.arena, graph, on);
}

static uint32_t bits_of(void *context, lin_block head, lin_block branch) {
  const finder *d = context;
  return lin_ir_key_bits(&d->at, head, branch);
}

static bool counts(void *context, lin_block head, lin_block branch, uint32_t *step) {
  const finder *d = context;
  return lin_ir_key_counts(&d->at, head, branch, step);
}

// ---- who could notice

// Of blocks of `f`: which may come behind the point; and to which not all threads of the block
// come, or not at the same time as others who wait: those that don't stand on all ways from the
// entry, and those of the point's loop.
static void find_behind(const finder *d, lin_block head, bool *is_behind, bool *is_apart) {
  const lin_analysis *a = d->at.analysis;
  const lin_graph *graph = a->graph;
  const uint32_t loop = lin_loops_outermost(a->loops, head);
  bool *seen = LIN_ARRAY(d->at.arena, bool, graph->num_blocks);
  lin_block *stack = LIN_ARRAY(d->at.arena, lin_block, graph->num_blocks);
  uint32_t count = 0;
  stack[count++] = head;
  while (count > 0) {
    const lin_block at = stack[--count];
    for (LIN_OUT_EDGES(graph, at, edge)) {
      const lin_block to = graph->destination[edge];
      if (!seen[to])
        stack[count++] = to;
      seen[to] = true;
    }
  }
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    const lin_block own = d->at.order->origin[b];
    if (own >= d->at.f->graph->num_blocks)
      continue;
    is_behind[own] = seen[b];
    is_apart[own] = !lin_tree_contains(a->postdominators->tree, b, 0) ||
                    (loop != 0 && lin_loop_contains(a->loops, loop, b));
  }
}

static const char *find_notice(const finder *d, const lin_fragment *fragment) {
  bool *is_behind = LIN_ARRAY(d->at.arena, bool, d->at.f->graph->num_blocks);
  bool *is_apart = LIN_ARRAY(d->at.arena, bool, d->at.f->graph->num_blocks);
  find_behind(d, fragment->place, is_behind, is_apart);
  return lin_ir_find_notice(d->at.f, is_behind, is_apart);
}

// ---- remarks

static uint64_t percent(double part, double all) {
  return part > 0 ? (uint64_t)(100 * part / all + 0.5) : 0;
}

static void tell(const finder *d, const lin_fragment *fragment, const char *notice) {
  const lin_block block = lin_ir_own_block(&d->at, fragment->place);
  const bool is_passed = notice == NULL, is_counted = d->counts != NULL;
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, is_passed ? "threads are to be regrouped here"
                           : "threads aren't regrouped here, which would pay");
  for (uint32_t i = 0; i < fragment->count; i++) {
    lin_ir_say(&m, i > 0                 ? ", "
                   : fragment->loop != 0 ? ", by how often they will go around the loop at "
                                         : ", by what they will do at ");
    lin_ir_say_place(&m, d->at.f, lin_ir_own_block(&d->at, fragment->branch[i]));
  }
  lin_ir_say(&m, ": warps execute about ");
  lin_ir_say_number(&m, "Saved", percent(fragment->saved, fragment->total));
  lin_ir_say(&m, "%% less%s, and ", is_counted ? "" : ", if guesses are right");
  lin_ir_say_number(&m, "Rounds", percent(fragment->rounds + fragment->fewer, fragment->total));
  lin_ir_say(&m, "%% more to regroup");
  if (!is_passed)
    lin_ir_say(&m, "; %s", notice);
  lin_ir_send_near(d->report, d->at.f, is_passed ? LINEARIZE_PASSED : LINEARIZE_MISSED,
                   is_passed ? "RegroupChosen" : "RegroupRefused", block,
                   lin_ir_terminator_of(&d->at, fragment->place), &m);
}

static void tell_function(const finder *d, const char *name, const char *text, const char *reason) {
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "%s%s", text, reason);
  lin_ir_send(d->report, d->at.f, LINEARIZE_MISSED, name, LIN_NONE, &m);
}

// ---- the function

// Nobody has counted: branches on the index alone are taken for bounds.
static void expect_bounds(lin_ir_function *f) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    LLVMValueRef what = lin_ir_asked_by(LLVMGetBasicBlockTerminator(f->block[b]));
    if (what != NULL && lin_ir_follows_index(what))
      f->graph->flags[b] |= LIN_UNIFORM;
  }
}

static bool read_function(finder *d, LLVMValueRef function) {
  const linearize_options *options = d->options;
  const lin_ir_read_options read = {.force = options->force};
  d->at.f = lin_ir_read(d->at.arena, function, &read);
  if (d->at.f->refused != NULL || lin_ir_target(function)->sm < 70)
    return false;
  lin_ir_summaries *summaries = lin_ir_summaries_new(d->at.arena);
  lin_ir_read_effects(d->at.f, summaries);
  lin_ir_read_awaited(d->at.f, summaries);
  if (options->merge_loops && !options->force)
    lin_ir_read_sharing(d->at.arena, d->at.f);
  if (options->is_uniform != NULL)
    lin_ir_read_uniform(d->at.f, options->is_uniform, options->context);
  if (options->most_trips != NULL)
    lin_ir_read_trips(d->at.f, options->most_trips, options->context);
  const char *ignored;
  if (options->profile != NULL)
    lin_profile_apply(d->at.arena, options->profile, d->at.f->graph, &ignored);
  else
    expect_bounds(d->at.f);
  const lin_shape shape = lin_shape_of_united(
      d->at.arena, add_fronts(d, lin_graph_unite_returns(d->at.arena, d->at.f->graph)));
  d->at.order = shape.order;
  d->at.analysis = shape.analysis;
  d->at.number = lin_ir_number_blocks(d->at.arena, d->at.f, d->at.order);
  return true;
}

// How often, and what has to be gained; false: nobody knows.
static bool find_flow(finder *d, lin_bound *bound) {
  const char *reason = "it is no file of counts: count with -linearize-count-passes";
  *bound = LIN_BOUND_COUNTED;
  if (d->counts != NULL &&
      lin_traffic_count(d->at.arena, d->at.analysis->graph, d->counts, &d->flow, &reason)) {
    for (lin_block b = 0; b < d->at.analysis->graph->num_blocks; b++)
      if (lin_ir_is_front(&d->at, b))
        lin_traffic_count_front(d->at.analysis->graph, b, &d->flow);
    return true;
  }
  if (d->options->profile != NULL) {
    tell_function(d, "NoCounts", "the profile doesn't say whether to regroup threads: ", reason);
    return false;
  }
  bool exact;
  uint32_t threads = lin_ir_block_threads(d->at.f->function, &exact);
  threads = threads == 0 ? LIN_USUAL_BLOCK : threads;
  const bool known = d->options->is_uniform != NULL;
  const lin_joins *joins = lin_joins_find(d->at.arena, d->at.analysis, known, /*lock_step=*/false);
  const lin_ways *ways = lin_ways_apart(d->at.arena, d->at.analysis, joins,
                                        lin_ways_find(d->at.arena, joins->compiled, joins));
  d->flow = lin_traffic_guess(d->at.arena, d->at.analysis, joins, ways,
                              (threads + LIN_WARP - 1) / LIN_WARP);
  *bound = LIN_BOUND_GUESSED;
  return true;
}

// Addresses that depend on the thread's index, by arithmetic alone, are near each other in threads
// side by side.
static uint32_t *find_scattered(finder *d) {
  const lin_graph *graph = d->at.analysis->graph;
  uint32_t *scattered = LIN_ARRAY(d->at.arena, uint32_t, graph->num_blocks);
  lin_numbers of_index = {0};
  for (lin_block b = 0; b < graph->num_blocks; b++) {
    if (d->at.order->origin[b] >= d->at.f->graph->num_blocks)
      continue;
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(d->at.f, d->at.order, b));
         at != NULL; at = LLVMGetNextInstruction(at)) {
      bool is_of_index = lin_ir_index_dimension(at) >= 0;
      for (int i = 0; i < LLVMGetNumOperands(at); i++)
        is_of_index |= lin_numbers_find(&of_index, LLVMGetOperand(at, (unsigned)i)) != LIN_NONE;
      if (!is_of_index)
        continue;
      if (lin_ir_is_computed(at) || lin_ir_index_dimension(at) >= 0)
        lin_numbers_add(d->at.arena, &of_index, at, 0);
      const bool loads = LLVMIsALoadInst(at) != NULL, stores = LLVMIsAStoreInst(at) != NULL;
      if ((loads || stores) &&
          lin_numbers_find(&of_index, LLVMGetOperand(at, stores ? 1 : 0)) != LIN_NONE)
        scattered[b]++;
    }
  }
  return scattered;
}

// Of variables in memory, which may move or not, as many as could.
static uint32_t words_in_memory(const finder *d) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(d->at.f->function));
  uint64_t bytes = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->at.f->function));
       at != NULL; at = LLVMGetNextInstruction(at))
    if (LLVMIsAAllocaInst(at) != NULL)
      bytes += LLVMABISizeOfType(layout, LLVMGetAllocatedType(at));
  return (uint32_t)(bytes < 4 * LIN_MOST_MEMORY ? bytes / 4 : LIN_MOST_MEMORY);
}

// `more`: beside those that live at the block's end.
static uint32_t *find_words(const finder *d, uint32_t more) {
  const lin_graph *graph = d->at.analysis->graph;
  const uint32_t *live = lin_ir_live_out(d->at.arena, d->at.f);
  uint32_t *words = LIN_ARRAY(d->at.arena, uint32_t, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (lin_ir_own_block(&d->at, b) < d->at.f->graph->num_blocks)
      words[b] = live[lin_ir_own_block(&d->at, b)] + more;
  return words;
}

// As lin_ir_limit_registers has it.
static uint32_t most_registers(LLVMValueRef function) {
  bool exact;
  const uint32_t threads = lin_ir_block_threads(function, &exact);
  return lin_ir_registers(function,
                          (threads == 0 ? LIN_LARGEST_BLOCK : threads + LIN_WARP - 1) / LIN_WARP);
}

// By counts, what is saved in each outermost loop if loops in it are merged; NULL: none are.
static double *find_merging(const finder *d) {
  const lin_loops *loops = d->at.analysis->loops;
  if (!d->options->merge_loops || d->counts == NULL)
    return NULL;
  lin_graph *graph = d->at.order->graph;
  graph->visits = lin_traffic_visits(d->at.arena, &d->flow, graph->num_blocks);
  const lin_nest_options options = {.divergence_known = d->options->is_uniform != NULL};
  const lin_nests *nests = lin_nests_find(d->at.arena, d->at.analysis, &options);
  double *saved = LIN_ARRAY(d->at.arena, double, loops->num_loops);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++)
    if (nests->merged[loop])
      saved[lin_tree_ancestor(loops->tree, loop, 1)] += nests->nest[loop].saved;
  return saved;
}

static bool find_in(finder *d) {
  lin_bound bound;
  uint32_t count;
  if (!find_flow(d, &bound))
    return false;
  if (d->options->regardless)
    bound = LIN_BOUND_NONE;
  const uint32_t live = lin_ir_most_live(d->at.f);
  // Where guesses decide registers are no fewer than could be, either.
  const bool guessed = d->flow.is_guessed;
  const lin_sites sites = {
      .analysis = d->at.analysis,
      .flow = &d->flow,
      .scattered = find_scattered(d),
      .words = find_words(d, words_in_memory(d)),
      .live = find_words(d, guessed ? words_in_memory(d) : 0),
      .target = lin_ir_target(d->at.f->function),
      .registers = live == UINT32_MAX ? 0 : live + LIN_REGISTERS_BESIDE,
      .most_registers = guessed ? UINT32_MAX : most_registers(d->at.f->function),
      .bits = bits_of,
      .counts = counts,
      .context = d,
  };
  lin_fragment *fragment = lin_fragments_find(d->at.arena, &sites, bound, &count);
  uint32_t left = 0;
  const double *merging = find_merging(d);
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t loop = lin_loops_outermost(d->at.analysis->loops, fragment[i].place);
    const char *notice = lin_ir_refuse_function(d->at.arena, d->at.f);
    notice = notice != NULL ? notice : find_notice(d, &fragment[i]);
    if (merging != NULL && loop != 0 &&
        bound.times * merging[loop] > lin_fragment_gain(&fragment[i]))
      notice = "loops that are merged save as much, and cost no rounds";
    tell(d, &fragment[i], notice);
    if (notice == NULL)
      fragment[left++] = fragment[i];
  }
  if (left > 0 && d->options->changing != NULL)
    d->options->changing(d->options->context);
  for (uint32_t i = 0; i < left; i++)
    lin_ir_add_key(&d->at, &fragment[i]);
  return left > 0;
}

bool lin_ir_find_points(LLVMValueRef function, const linearize_options *options,
                        linearize_report *report) {
  if (LLVMIsDeclaration(function) || !lin_ir_is_kernel(function))
    return false;
  lin_arena arena = {0};
  finder d = {.at = {.arena = &arena},
              .options = options,
              .counts = lin_profile_launches(options->profile),
              .report = report};
  const bool changed = read_function(&d, function) && find_in(&d);
  lin_arena_release(&arena);
  return changed;
}
