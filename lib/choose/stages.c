#include "stages.h"

#include "schedule.h"

// Warps of a multiprocessor that hide everything: on an H200 arms that take turns gain 1.34 and
// 1.47 with 2 warps, and lose up to 0.03 with 64 (bench/results/h200-2026-11-24-beyond.csv,
// `scripts/bench gpu
// --beyond`). 8 still gain, and nobody has measured between.
enum { MANY_WARPS = 32 };

typedef struct finder {
  lin_arena *arena;
  const lin_front *front;
  const lin_order *order;
  const lin_analysis *a;
  const lin_target *target;
  uint32_t warps; // that a multiprocessor will have: they hide what others wait for
  bool regardless;
  const lin_block *preorder; // of dominators
  lin_block *inside;         // [num_blocks] of the branch that is looked at
} finder;

static bool is_around_one(const finder *l, const lin_two_sided *branch, const bool *taken) {
  uint32_t count =
      lin_interleave_inside(l->a, l->preorder, branch->branch, branch->meeting, l->inside);
  for (uint32_t i = 0; i < count; i++)
    if (taken[l->inside[i]])
      return true;
  return false;
}

// ---- which branches

// While one warp waits, the others of its scheduler do their work, which is about as much.
static uint64_t hidden_cycles(const finder *l, const lin_two_sided *branch, uint32_t warps) {
  uint64_t others = (warps - 1) / l->target->schedulers;
  return warps < MANY_WARPS ? others * branch->cost : UINT64_MAX;
}

// Of so many that a thread may have.
static uint32_t registers_left(const finder *l, const lin_two_sided *branch, uint32_t registers) {
  uint32_t taken = l->front->live_behind(l->front->context, l->order->origin[branch->branch]);
  return registers > taken ? registers - taken : 0;
}

static bool gains(const finder *l, const lin_two_sided *branch, const lin_row row[2],
                  uint32_t warps, lin_cuts *turns) {
  uint32_t registers = l->front->registers(l->front->context, warps);
  lin_setting setting = {.hidden = hidden_cycles(l, branch, warps),
                         .registers = registers_left(l, branch, registers),
                         .parting = l->target->latency->parting};
  return lin_schedule(row, &setting, turns) && turns->gain > 0;
}

// The most warps, fewer than there are, with which it would gain; 0: with no number.
static uint32_t most_warps(const finder *l, const lin_two_sided *branch, const lin_row row[2]) {
  uint32_t warps = l->warps < MANY_WARPS ? l->warps : MANY_WARPS;
  uint32_t beside = l->target->schedulers;
  lin_cuts turns;
  for (warps--; warps > 0; warps = (warps - 1) / beside * beside) // hide less each time
    if (gains(l, branch, row, warps, &turns))
      return warps;
  return 0;
}

static lin_arm collect_arm(const finder *l, lin_block first, lin_block meeting) {
  uint32_t capacity = 0, inside_capacity = 0, added = 0;
  lin_arm arm = {.count = 0};
  for (lin_block block = first; block != meeting;) {
    lin_block next = lin_interleave_next(l->a, block);
    uint32_t count = lin_out_degree(l->a->graph, block) > 1
                         ? lin_interleave_inside(l->a, l->preorder, block, next, l->inside)
                         : 0;
    for (uint32_t i = 0; i <= count; i++) {
      arm.block = LIN_ROOM(l->arena, arm.block, arm.count, &capacity);
      arm.inside = LIN_ROOM(l->arena, arm.inside, added, &inside_capacity);
      arm.inside[added++] = i > 0;
      arm.block[arm.count++] = l->order->origin[i == 0 ? block : l->inside[i - 1]];
    }
    block = next;
  }
  return arm;
}

// `warps`: with how many it would be worth it, if there are too many.
static bool choose_turns(const finder *l, const lin_two_sided *branch, lin_pieces pieces[2],
                         lin_cuts *turns, uint32_t *warps) {
  *warps = 0;
  for (uint32_t i = 0; i < 2; i++) {
    lin_arm arm = collect_arm(l, branch->arm[i], branch->meeting);
    pieces[i] = l->front->pieces(l->front->context, &arm);
  }
  if (pieces[0].num_cuts == 0 || pieces[1].num_cuts == 0)
    return false;
  lin_row row[2] = {pieces[0].row, pieces[1].row};
  lin_setting setting = {
      .hidden = 0, .registers = UINT32_MAX, .parting = l->target->latency->parting};
  if (l->regardless)
    return lin_schedule(row, &setting, turns);
  if (gains(l, branch, row, l->warps, turns))
    return true;
  *warps = most_warps(l, branch, row);
  return false;
}

// ---- edits

// The cuts that are made, each with what comes before those of its block that aren't.
static void cut_arm(const lin_pieces *pieces, const lin_cuts *turns, uint32_t arm, lin_block branch,
                    lin_edits *found) {
  const uint32_t *after = turns->after[arm];
  uint32_t num_made = 0, length = 0, cost = 0;
  for (uint32_t i = 0; i < pieces->num_cuts && num_made < turns->num_cuts; i++) {
    const lin_cut *cut = &pieces->cut[i];
    bool goes_on = i > 0 && pieces->cut[i - 1].block == cut->block;
    length = (goes_on ? length : 0) + cut->length;
    cost = (goes_on ? cost : 0) + cut->cost;
    if (after[num_made] != i)
      continue;
    found->edit[found->count++] = (lin_edit){.kind = LIN_EDIT_CUT,
                                             .block = cut->block,
                                             .to = branch,
                                             .rest = LIN_NONE,
                                             .exit = LIN_NONE,
                                             .length = length,
                                             .cost = cost,
                                             .place = cut->place};
    num_made++;
    length = cost = 0;
  }
}

lin_edits *lin_stages_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                           const lin_policy *policy) {
  const lin_order *order = shape->order;
  const lin_analysis *analysis = shape->analysis;
  lin_edits *found = LIN_NEW(arena, lin_edits);
  if (front->pieces == NULL)
    return found;
  lin_two_sided *branches;
  uint32_t blocks = analysis->graph->num_blocks;
  uint32_t count = lin_interleave_find(arena, analysis, policy->divergence_known, &branches);
  finder l = {.arena = arena,
              .front = front,
              .order = order,
              .a = analysis,
              .target = policy->gpu != NULL ? policy->gpu : lin_target_find(0),
              .warps = policy->warps > 0 ? policy->warps : front->most_warps(front->context),
              .regardless = policy->regardless,
              .preorder = lin_tree_preorder(arena, analysis->dominators),
              .inside = LIN_ARRAY(arena, lin_block, blocks)};
  found->edit = LIN_ARRAY(arena, lin_edit, 2 * LIN_MOST_CUTS * (size_t)count);
  found->hidden = LIN_ARRAY(arena, lin_hidden, count);
  bool *taken = LIN_ARRAY(arena, bool, blocks); // D of what is cut
  for (uint32_t i = 0; i < count; i++) {
    lin_block branch = order->origin[branches[i].branch];
    lin_pieces pieces[2];
    lin_cuts turns;
    uint32_t warps;
    if (is_around_one(&l, &branches[i], taken))
      continue;
    bool cuts = choose_turns(&l, &branches[i], pieces, &turns, &warps);
    taken[branches[i].branch] = cuts;
    for (uint32_t arm = 0; arm < 2 && cuts; arm++)
      cut_arm(&pieces[arm], &turns, arm, branch, found);
    if (warps > 0)
      found->hidden[found->num_hidden++] = (lin_hidden){branch, warps};
  }
  return found;
}
