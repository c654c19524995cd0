#include "cuts.h"

#include "again.h"
#include "llvm/edit/split.h"

// ---- halves

static bool is_place(LLVMValueRef at) {
  lin_ir_point point;
  return lin_ir_is_point(at, &point) || lin_ir_is_plain_barrier(at);
}

lin_ir_halves lin_ir_cut_halves(lin_arena *arena, LLVMValueRef function) {
  lin_ir_halves halves = {0};
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (is_place(at)) {
        halves.second = LIN_ROOM(arena, halves.second, halves.count, &halves.capacity);
        halves.second[halves.count++] = lin_ir_split_before(LLVMGetNextInstruction(at), "");
        break; // the rest stands in the next block
      }
  return halves;
}

void lin_ir_merge_halves(const lin_ir_halves *halves) {
  for (uint32_t i = halves->count; i-- > 0;)
    lin_ir_merge_into_former(halves->second[i]);
}

// ---- plan

// What stands in front of the branch at the end of a block.
static LLVMValueRef last_of(LLVMBasicBlockRef block) {
  return LLVMGetPreviousInstruction(LLVMGetBasicBlockTerminator(block));
}

static uint8_t what_ends(LLVMBasicBlockRef block) {
  LLVMValueRef last = last_of(block);
  lin_ir_point point;
  if (last == NULL || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(block)) != 1)
    return LIN_PLAIN;
  return lin_ir_is_point(last, &point)   ? LIN_POINT
         : lin_ir_is_plain_barrier(last) ? LIN_BARRIER
                                         : LIN_PLAIN;
}

// Blocks in which a thread neither waits for others nor depends on who is there.
static bool *find_alone(lin_arena *arena, const lin_ir_function *f, const lin_order *order) {
  lin_ir_summaries *summaries = lin_ir_summaries_new(arena);
  bool *is_alone = LIN_ARRAY(arena, bool, order->graph->num_blocks);
  for (lin_block b = 0; b < order->graph->num_blocks; b++) {
    uint32_t effects = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(f, order, b)); at != NULL;
         at = LLVMGetNextInstruction(at))
      effects |= lin_ir_effects(summaries, at);
    is_alone[b] = (effects & (LIN_WAITS | LIN_CROSS_LANE)) == 0;
  }
  return is_alone;
}

lin_ir_plan lin_ir_plan_cuts(lin_arena *arena, LLVMValueRef function, const lin_numbers *homes) {
  const lin_ir_read_options options = {.force = true};
  lin_ir_plan plan = {.f = lin_ir_read(arena, function, &options)};
  plan.order = lin_order_build(arena, plan.f->graph);
  const lin_graph *graph = plan.order->graph;
  plan.dominators = lin_dominators_build(arena, graph, 0);
  const lin_postdominators *postdominators = lin_postdominators_build(arena, graph);
  uint8_t *what = LIN_ARRAY(arena, uint8_t, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    what[b] = what_ends(lin_ir_block(plan.f, plan.order, b));
  plan.same = lin_ir_find_same(arena, plan.f, plan.order, postdominators, homes);
  plan.stations =
      lin_stations_find(arena, graph, plan.order->loops, plan.dominators, postdominators, what,
                        plan.same.parts, find_alone(arena, plan.f, plan.order));
  return plan;
}

lin_ir_cuts lin_ir_planned_cuts(lin_arena *arena, const lin_ir_plan *plan, uint32_t station) {
  const lin_graph *graph = plan->order->graph;
  const lin_stations *s = plan->stations;
  const bool all = station == LIN_NONE;
  lin_ir_cuts cuts = {
      .cut = LIN_ARRAY(arena, lin_ir_station_cut, graph->num_blocks + graph->num_edges)};
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (all ? s->station_of[b] != LIN_NONE : s->station_of[b] == station)
      cuts.cut[cuts.count++].before = lin_ir_block(plan->f, plan->order, b);
  for (lin_edge e = 0; e < graph->num_edges; e++) {
    uint32_t landing = s->landing_of[e];
    if (landing != LIN_NONE &&
        (all || (s->landing[landing].from <= station && station < s->landing[landing].to)))
      cuts.cut[cuts.count++].before = lin_ir_block(plan->f, plan->order, graph->source[e]);
  }
  return cuts;
}

// ---- cuts

typedef struct maker {
  lin_arena *arena;
  const lin_ir_emitter *e;
  const lin_ir_plan *plan;
  lin_ir_cuts cuts;
  uint32_t capacity;
} maker;

static void add(maker *m, lin_ir_station_cut cut) {
  m->cuts.cut = LIN_ROOM(m->arena, m->cuts.cut, m->cuts.count, &m->capacity);
  m->cuts.cut[m->cuts.count++] = cut;
}

static void cut_at_end(maker *m, lin_block block) {
  LLVMBasicBlockRef before = lin_ir_block(m->plan->f, m->plan->order, block);
  LLVMValueRef last = last_of(before);
  lin_ir_station_cut cut = {.kind = LIN_CUT_BARRIER,
                            .station = m->plan->stations->station_of[block],
                            .before = before,
                            .behind = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(before), 0)};
  if (lin_ir_is_point(last, &cut.point)) {
    cut.kind = LIN_CUT_POINT;
    LLVMPositionBuilderBefore(m->e->builder, last);
    lin_ir_store(m->e, LLVMBuildFreeze(m->e->builder, cut.point.key, ""), m->cuts.key);
    lin_ir_copy_place(last, LLVMGetPreviousInstruction(last));
    cut.point.mark = cut.point.key = NULL;
  }
  LLVMInstructionEraseFromParent(last);
  add(m, cut);
}

// The blocks whose edges to `landing` lead to it, each once.
static LLVMBasicBlockRef *sources_of(const maker *m, uint32_t landing, uint32_t *count) {
  const lin_graph *graph = m->plan->order->graph;
  const lin_stations *s = m->plan->stations;
  lin_block to = s->landing[landing].block;
  LLVMBasicBlockRef *from = LIN_ARRAY(m->arena, LLVMBasicBlockRef, lin_in_degree(graph, to));
  *count = 0;
  for (LIN_IN_EDGES(graph, to, i)) {
    lin_edge edge = graph->in_edge[i];
    if (s->landing_of[edge] != landing)
      continue;
    LLVMBasicBlockRef block = lin_ir_block(m->plan->f, m->plan->order, graph->source[edge]);
    bool is_known = false;
    for (uint32_t j = 0; j < *count; j++)
      is_known = is_known || from[j] == block;
    if (!is_known)
      from[(*count)++] = block;
  }
  return from;
}

static void cut_edges(maker *m, uint32_t number) {
  const lin_landing *landing = &m->plan->stations->landing[number];
  uint32_t count;
  LLVMBasicBlockRef *from = sources_of(m, number, &count),
                    to = lin_ir_block(m->plan->f, m->plan->order, landing->block),
                    before = lin_ir_split_edges(to, from, count, ".exit");
  for (uint32_t station = landing->from; station < landing->to; station++) {
    LLVMBasicBlockRef behind = lin_ir_split_before(LLVMGetBasicBlockTerminator(before), "");
    add(m, (lin_ir_station_cut){
               .kind = LIN_CUT_EXIT, .station = station, .before = before, .behind = behind});
    before = behind;
  }
}

// All returns become one, with a block in front.
static void cut_ends(maker *m) {
  const lin_ir_emitter *e = m->e;
  LLVMBasicBlockRef before = lin_ir_new_block(e, "linearize.end"),
                    behind = lin_ir_new_block(e, "linearize.return");
  lin_ir_go_on(e, before);
  LLVMBuildBr(e->builder, behind);
  lin_ir_go_on(e, behind);
  LLVMBuildRetVoid(e->builder);
  for (lin_block b = 0; b < m->plan->order->graph->num_blocks; b++) {
    if (!m->plan->stations->is_end[b])
      continue;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(lin_ir_block(m->plan->f, m->plan->order, b));
    LLVMPositionBuilderBefore(e->builder, end);
    LLVMBuildBr(e->builder, before);
    LLVMInstructionEraseFromParent(end);
  }
  add(m, (lin_ir_station_cut){.kind = LIN_CUT_EXIT, .before = before, .behind = behind});
}

static void sort(maker *m) {
  const uint32_t stations = m->plan->stations->num_stations, count = m->cuts.count;
  lin_ir_station_cut *sorted = LIN_ARRAY(m->arena, lin_ir_station_cut, count);
  m->cuts.first = LIN_ARRAY(m->arena, uint32_t, stations + 1);
  uint32_t done = 0;
  for (uint32_t station = 0; station < stations; station++) {
    m->cuts.first[station] = done;
    for (int kind = LIN_CUT_POINT; kind <= LIN_CUT_EXIT; kind++)
      for (uint32_t i = 0; i < count; i++)
        if (m->cuts.cut[i].station == station && m->cuts.cut[i].kind == (lin_cut_kind)kind)
          sorted[done++] = m->cuts.cut[i];
  }
  m->cuts.first[stations] = done;
  m->cuts.cut = sorted;
}

lin_ir_cuts lin_ir_make_cuts(lin_arena *arena, const lin_ir_emitter *e, const lin_ir_plan *plan,
                             LLVMValueRef key) {
  maker m = {arena, e, plan, {.stations = plan->stations, .same = plan->same, .key = key}, 0};
  for (uint32_t i = 0; i < plan->stations->num_landings; i++)
    cut_edges(&m, i);
  if (plan->stations->has_ends)
    cut_ends(&m);
  for (lin_block b = 0; b < plan->order->graph->num_blocks; b++)
    if (plan->stations->station_of[b] != LIN_NONE)
      cut_at_end(&m, b);
  sort(&m);
  return m.cuts;
}
