#include "stages.h"

#include "move.h"
#include "llvm/ask/occupancy.h"
#include "llvm/read/live.h"

#include <assert.h>
#include <string.h>

// Warps that run beside each other, and those that hide everything.
enum { SCHEDULERS = 4, MANY_WARPS = 32 };

// The arms of a branch, and where they are cut.
struct lin_ir_two_sided {
  lin_ir_pieces arm[2];
  lin_cuts turns;
};

// ---- which branches

typedef struct finder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *a;
  const lin_ir_occupancy *occupancy;
  const lin_block *preorder; // of dominators
  lin_block *inside;         // [num_blocks] of the branch that is looked at
  lin_ir_cutter *cutter;
  const uint32_t *live_out; // [blocks of f] NULL until it is needed
} finder;

static bool is_around_one(const finder *l, const lin_two_sided *branch, const bool *taken) {
  uint32_t count =
      lin_interleave_inside(l->a, l->preorder, branch->branch, branch->meeting, l->inside);
  for (uint32_t i = 0; i < count; i++)
    if (taken[l->inside[i]])
      return true;
  return false;
}

// While one warp waits, the others of its scheduler do their work, which is about as much.
static uint64_t hidden_cycles(const lin_two_sided *branch, uint32_t warps) {
  uint64_t others = (warps - 1) / SCHEDULERS;
  return warps < MANY_WARPS ? others * branch->cost : UINT64_MAX;
}

// Of so many that a thread may have.
static uint32_t registers_left(finder *l, const lin_two_sided *branch, uint32_t registers) {
  if (l->live_out == NULL)
    l->live_out = lin_ir_live_out(l->arena, l->f);
  uint32_t taken = l->live_out[l->order->origin[branch->branch]];
  return registers > taken ? registers - taken : 0;
}

static bool gains(finder *l, const lin_two_sided *branch, const lin_row row[2], uint32_t warps,
                  uint32_t registers, lin_cuts *turns) {
  lin_setting setting = {.hidden = hidden_cycles(branch, warps),
                         .registers = registers_left(l, branch, registers)};
  return lin_schedule(row, &setting, turns) && turns->gain > 0;
}

// The most warps, fewer than there are, with which it would gain; 0: with no number.
static uint32_t most_warps(finder *l, const lin_two_sided *branch, const lin_row row[2]) {
  uint32_t warps = l->occupancy->warps < MANY_WARPS ? l->occupancy->warps : MANY_WARPS;
  lin_cuts turns;
  for (warps--; warps > 0; warps = (warps - 1) / SCHEDULERS * SCHEDULERS) // hide less each time
    if (gains(l, branch, row, warps, lin_ir_registers(l->f->function, warps), &turns))
      return warps;
  return 0;
}

// `warps`: with how many it would be worth it, if there are too many.
static bool choose_turns(finder *l, const lin_two_sided *branch, lin_ir_two_sided *found,
                         uint32_t *warps) {
  *warps = 0;
  for (uint32_t i = 0; i < 2; i++)
    found->arm[i] = lin_ir_find_pieces(l->cutter, branch->arm[i], branch->meeting);
  if (found->arm[0].num_cuts == 0 || found->arm[1].num_cuts == 0)
    return false;
  lin_row row[2];
  for (uint32_t i = 0; i < 2; i++)
    row[i] = lin_ir_time_arm(l->arena, l->f, &found->arm[i].arm);
  lin_setting setting = {.hidden = 0, .registers = UINT32_MAX};
  if (l->occupancy->regardless)
    return lin_schedule(row, &setting, &found->turns);
  if (gains(l, branch, row, l->occupancy->warps, l->occupancy->registers, &found->turns))
    return true;
  *warps = most_warps(l, branch, row);
  return false;
}

lin_ir_stages *lin_ir_find_stages(lin_arena *arena, const lin_ir_function *f,
                                  const lin_order *order, const lin_analysis *analysis,
                                  const lin_two_sided *branches, uint32_t count,
                                  const lin_ir_occupancy *occupancy) {
  lin_ir_stages *stages = LIN_NEW(arena, lin_ir_stages);
  *stages = (lin_ir_stages){
      .f = f,
      .branch = LIN_ARRAY(arena, LLVMBasicBlockRef, count),
      .stage = LIN_ARRAY(arena, LLVMBasicBlockRef, 2 * LIN_MOST_CUTS * (size_t)count),
      .hidden = LIN_ARRAY(arena, lin_ir_hidden, count),
      .arms = LIN_ARRAY(arena, lin_ir_two_sided, count),
  };
  const lin_block *preorder = lin_tree_preorder(arena, analysis->dominators);
  finder look = {.arena = arena,
                 .f = f,
                 .order = order,
                 .a = analysis,
                 .occupancy = occupancy,
                 .preorder = preorder,
                 .inside = LIN_ARRAY(arena, lin_block, analysis->graph->num_blocks),
                 .cutter = lin_ir_cutter_new(arena, f, order, analysis, preorder)};
  bool *taken = LIN_ARRAY(arena, bool, analysis->graph->num_blocks); // D of what is cut
  for (uint32_t i = 0; i < count; i++) {
    lin_block branch = order->origin[branches[i].branch];
    uint32_t warps;
    if (is_around_one(&look, &branches[i], taken))
      continue;
    if (choose_turns(&look, &branches[i], &stages->arms[stages->num_branches], &warps)) {
      taken[branches[i].branch] = true;
      stages->branch[stages->num_branches++] = f->block[branch];
    } else if (warps > 0) {
      stages->hidden[stages->num_hidden++] = (lin_ir_hidden){branch, warps};
    }
  }
  return stages;
}

// ---- cutting

// The head of a block, its phis and `first`, becomes a block before it, that is returned. `before`:
// the one that was cut off last, or NULL.
static LLVMBasicBlockRef split_head(lin_arena *arena, const lin_ir_function *f,
                                    const lin_ir_cut *at, LLVMBasicBlockRef before) {
  const lin_graph *graph = f->graph;
  LLVMBasicBlockRef block = f->block[at->block];
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "linearize.stage");
  LLVMPositionBuilderAtEnd(builder, head);
  while (LLVMIsAPHINode(LLVMGetFirstInstruction(block)))
    lin_ir_move_instruction(arena, builder, LLVMGetFirstInstruction(block));
  for (uint32_t i = 0; i < at->num_first; i++)
    lin_ir_move_instruction(arena, builder, at->first[i]);
  if (before != NULL)
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(before), 0, head);
  for (LIN_IN_EDGES(graph, at->block, i)) {
    lin_edge edge = graph->in_edge[i];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->block[graph->source[edge]]);
    if (before == NULL)
      LLVMSetSuccessor(branch, edge - graph->first_edge[graph->source[edge]], head);
  }
  LLVMBuildBr(builder, block);
  LLVMDisposeBuilder(builder);
  return head;
}

// The cuts that are made, each with what comes before those that aren't.
static uint32_t join_cuts(lin_arena *arena, const lin_ir_two_sided *arms, uint32_t arm,
                          lin_ir_cut *made) {
  const lin_ir_pieces *pieces = &arms->arm[arm];
  const uint32_t *after = arms->turns.after[arm];
  uint32_t num_made = 0;
  lin_ir_cut left = {.block = LIN_NONE};
  for (uint32_t i = 0; i < pieces->num_cuts && num_made < arms->turns.num_cuts; i++) {
    lin_ir_cut cut = pieces->cut[i];
    if (cut.block == left.block && left.num_first > 0) {
      LLVMValueRef *first = LIN_ARRAY(arena, LLVMValueRef, left.num_first + cut.num_first);
      memcpy(first, left.first, left.num_first * sizeof(LLVMValueRef));
      memcpy(first + left.num_first, cut.first, cut.num_first * sizeof(LLVMValueRef));
      cut.first = first;
      cut.num_first += left.num_first;
    }
    left = cut;
    if (after[num_made] != i)
      continue;
    made[num_made++] = cut;
    left.num_first = 0;
  }
  return num_made;
}

static void make_cuts(lin_arena *arena, lin_ir_stages *stages, const lin_ir_cut *cuts,
                      uint32_t count) {
  const lin_ir_function *f = stages->f;
  LLVMBasicBlockRef head = NULL;
  bool begins = false; // what is left of the block begins a stage
  for (uint32_t i = 0; i < count; i++) {
    if (cuts[i].num_first > 0) {
      head = split_head(arena, f, &cuts[i], head);
      if (begins)
        stages->stage[stages->num_stages++] = head;
    }
    begins = true;
    if (i + 1 < count && cuts[i + 1].block == cuts[i].block)
      continue;
    stages->stage[stages->num_stages++] = f->block[cuts[i].block];
    head = NULL;
    begins = false;
  }
}

void lin_ir_cut_arms(lin_arena *arena, lin_ir_stages *stages) {
  for (uint32_t i = 0; i < stages->num_branches; i++)
    for (uint32_t arm = 0; arm < 2; arm++) {
      lin_ir_cut cuts[LIN_MOST_CUTS];
      uint32_t count = join_cuts(arena, &stages->arms[i], arm, cuts);
      assert(count <= LIN_MOST_CUTS);
      make_cuts(arena, stages, cuts, count);
    }
}
