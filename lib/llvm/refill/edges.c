// Where edges lead, once all values go through slots (refill.h has the picture).
//
// 1. Blocks of init that finish needs, too, are copied for it.
// 2. Edges into the loop, around it and out of it, and returns, lead to new blocks.
// 3. These are filled.
#include "state.h"

#include "llvm/ask/versions.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>

enum { SHUFFLE_FROM = 0 }; // the lane that fetches: the first one is always there

typedef struct edges {
  lin_ir_refiller *r;
  LLVMBasicBlockRef *finish; // [num_blocks] by which a block is known to finish
  LLVMBasicBlockRef look, looked, try, fetch, one, all, ready, fetched, rest, steps, count, again,
      done;
} edges;

static LLVMValueRef flag_of(const edges *c, bool is_set) {
  return LLVMConstInt(c->r->e.flag, is_set, false);
}

static LLVMValueRef load_flag(const edges *c, LLVMValueRef slot) {
  return LLVMBuildLoad2(c->r->e.builder, c->r->e.flag, slot, "");
}

// ---- step 1 ------------------------------------------------------------------------------------

// No value of another block is used, and there are no phis.
static void copy_block(const edges *c, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  const lin_ir_emitter *e = &c->r->e;
  lin_numbers number = {0};
  LLVMValueRef *copy = NULL;
  uint32_t room = 0;
  lin_ir_go_on(e, to);
  for (LLVMValueRef at = LLVMGetFirstInstruction(from); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    LLVMValueRef made = LLVMInstructionClone(at);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(made); i++) {
      LLVMValueRef operand = LLVMGetOperand(made, i);
      const uint32_t known =
          LLVMIsAInstruction(operand) == NULL ? LIN_NONE : lin_numbers_find(&number, operand);
      if (known == LIN_NONE)
        continue;
      assert(copy != NULL); // it has a number
      LLVMSetOperand(made, i, copy[known]);
    }
    LLVMInsertIntoBuilder(e->builder, made);
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(at)); // not the builder's
    copy = LIN_ROOM(c->r->arena, copy, (uint32_t)number.count, &room);
    copy[number.count] = made;
    lin_numbers_add(c->r->arena, &number, at, (uint32_t)number.count);
  }
}

static void copy_shared(edges *c) {
  const lin_refill_plan *p = c->r->plan;
  const lin_ir_function *f = c->r->f;
  c->finish = LIN_ARRAY(c->r->arena, LLVMBasicBlockRef, f->graph->num_blocks);
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    if (!p->is_finish[b])
      continue;
    c->finish[b] = f->block[b];
    if (!p->is_init[b])
      continue;
    c->finish[b] = lin_ir_new_block(&c->r->e, "linearize.finish");
    copy_block(c, f->block[b], c->finish[b]);
  }
}

// ---- step 2 ------------------------------------------------------------------------------------

static void set_successor(const edges *c, LLVMBasicBlockRef block, lin_edge edge,
                          LLVMBasicBlockRef to) {
  const lin_graph *g = c->r->f->graph;
  LLVMSetSuccessor(LLVMGetBasicBlockTerminator(block), edge - g->first_edge[g->source[edge]], to);
}

// The item ends at a return.
static void end_item(const edges *c, LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (LLVMIsAReturnInst(end) == NULL)
    return;
  LLVMPositionBuilderBefore(c->r->e.builder, end);
  LLVMBuildStore(c->r->e.builder, flag_of(c, false), c->r->busy);
  LLVMBuildBr(c->r->e.builder, to);
  LLVMInstructionEraseFromParent(end);
}

// A lane that leaves the loop notes by which exit, and waits for the next look.
static LLVMBasicBlockRef *make_stubs(const edges *c) {
  const lin_ir_emitter *e = &c->r->e;
  const uint32_t count = c->r->plan->num_exits;
  LLVMBasicBlockRef *stub = LIN_ARRAY(c->r->arena, LLVMBasicBlockRef, count);
  for (uint32_t i = 0; i < count; i++) {
    stub[i] = lin_ir_new_block(e, "linearize.leave");
    lin_ir_go_on(e, stub[i]);
    LLVMBuildStore(e->builder, flag_of(c, false), c->r->busy);
    lin_ir_store(e, lin_ir_word(e, i + 1), c->r->exit);
    LLVMBuildBr(e->builder, c->again);
  }
  return stub;
}

static void lead_on(const edges *c, lin_edge edge, LLVMBasicBlockRef const *stub) {
  const lin_ir_refiller *r = c->r;
  const lin_refill_plan *p = r->plan;
  const lin_block from = r->f->graph->source[edge], to = r->f->graph->destination[edge],
                  header = r->loops->header[p->loop];
  const bool is_in = lin_loop_contains(r->loops, p->loop, from);
  if (to == header)
    set_successor(c, r->f->block[from], edge, is_in ? c->count : c->ready);
  else if (is_in && !lin_loop_contains(r->loops, p->loop, to))
    set_successor(c, r->f->block[from], edge, stub[p->number[to]]);
  else if (p->is_finish[from])
    set_successor(c, c->finish[from], edge, c->finish[to]);
}

static void lead_all(const edges *c) {
  const lin_ir_refiller *r = c->r;
  const lin_graph *g = r->f->graph;
  LLVMBasicBlockRef *stub = make_stubs(c);
  // The loop's end is elsewhere now, and what was said of it is wrong.
  const unsigned loop = LLVMGetMDKindIDInContext(r->e.context, "llvm.loop", 9);
  for (lin_edge e = 0; e < g->num_edges; e++) {
    if (lin_loop_around(r->loops, g, e) == r->plan->loop)
      LLVMSetMetadata(LLVMGetBasicBlockTerminator(r->f->block[g->source[e]]), loop, NULL);
    lead_on(c, e, stub);
  }
  for (lin_block b = 0; b < g->num_blocks; b++) {
    if (r->plan->is_finish[b])
      end_item(c, c->finish[b], c->looked);
    if (r->plan->is_init[b])
      end_item(c, r->f->block[b], c->fetched);
  }
}

// ---- step 3 ------------------------------------------------------------------------------------

// Blocks that come late find the counter used up.
static void end_prologue(const edges *c) {
  const lin_ir_refiller *r = c->r;
  const lin_ir_emitter *e = &r->e;
  lin_ir_go_on(e, r->prologue);
  LLVMValueRef taken = lin_ir_load(e, r->counter);
  LLVMSetAlignment(taken, 4);
  LLVMSetOrdering(taken, LLVMAtomicOrderingMonotonic);
  lin_ir_set_device_scope(e->context, taken);
  LLVMValueRef some = lin_ir_ballot(e, r->members, lin_ir_below(e, taken, r->items));
  LLVMBuildCondBr(e->builder, lin_ir_is(e, some, 0), c->done, c->look);
}

static void build_look(const edges *c, LLVMValueRef *is_busy, LLVMValueRef *idle) {
  const lin_ir_refiller *r = c->r;
  const lin_ir_emitter *e = &r->e;
  lin_ir_go_on(e, c->look);
  *is_busy = load_flag(c, r->busy);
  *idle = lin_ir_ballot(e, r->members, lin_ir_not(e, *is_busy));
  LLVMValueRef leave =
      LLVMBuildSwitch(e->builder, lin_ir_load(e, r->exit), c->looked, r->plan->num_exits);
  for (uint32_t i = 0; i < r->plan->num_exits; i++)
    LLVMAddCase(leave, lin_ir_word(e, i + 1), c->finish[r->plan->exit[i]]);
}

// Whether to fetch, to go on, or to return: the same for all lanes.
static void build_choice(const edges *c, LLVMValueRef idle, LLVMValueRef num_idle) {
  const lin_ir_refiller *r = c->r;
  const lin_ir_emitter *e = &r->e;
  LLVMValueRef nobody = lin_ir_compare(e, LLVMIntEQ, idle, r->members);
  LLVMBuildCondBr(e->builder, load_flag(c, r->more), c->try, c->rest);
  lin_ir_go_on(e, c->try);
  LLVMValueRef enough =
      lin_ir_compare(e, LLVMIntUGE, num_idle, lin_ir_word(e, r->plan->idle_lanes));
  LLVMBuildCondBr(e->builder, lin_ir_or(e, enough, nobody), c->fetch, c->steps);
  lin_ir_go_on(e, c->rest);
  LLVMBuildCondBr(e->builder, nobody, c->done, c->steps);
  lin_ir_go_on(e, c->done);
  LLVMBuildRetVoid(e->builder);
}

// Each idle lane takes the item of its rank among them, as far as there are items.
static void build_fetch(const edges *c, LLVMValueRef is_busy, LLVMValueRef idle,
                        LLVMValueRef num_idle) {
  const lin_ir_refiller *r = c->r;
  const lin_ir_emitter *e = &r->e;
  lin_ir_go_on(e, c->fetch);
  LLVMValueRef lane = lin_ir_special(e, LIN_NVPTX_LANEID, -1);
  lin_ir_store(e, lin_ir_word(e, 0), r->base);
  LLVMBuildCondBr(e->builder, lin_ir_is(e, lane, SHUFFLE_FROM), c->one, c->all);
  lin_ir_go_on(e, c->one);
  LLVMValueRef first = LLVMBuildAtomicRMW(e->builder, LLVMAtomicRMWBinOpAdd, r->counter, num_idle,
                                          LLVMAtomicOrderingMonotonic, /*singleThread=*/false);
  lin_ir_set_device_scope(e->context, first);
  lin_ir_store(e, first, r->base);
  LLVMBuildBr(e->builder, c->all);
  lin_ir_go_on(e, c->all);
  first = lin_ir_shuffle(e, r->members, lin_ir_load(e, r->base), lin_ir_word(e, SHUFFLE_FROM));
  LLVMBuildStore(e->builder, lin_ir_below(e, lin_ir_add(e, first, num_idle), r->items), r->more);
  LLVMValueRef below = lin_ir_call(e, LIN_NVVM_LANES_BELOW, NULL, 0);
  LLVMValueRef rank = lin_ir_count_ones(e, lin_ir_and(e, idle, below));
  LLVMValueRef mine = lin_ir_add(e, first, rank);
  lin_ir_store(e, mine, r->item);
  LLVMValueRef takes =
      LLVMBuildAnd(e->builder, lin_ir_not(e, is_busy), lin_ir_below(e, mine, r->items), "");
  LLVMBuildCondBr(e->builder, takes, r->entry, c->fetched);
  lin_ir_go_on(e, c->ready);
  LLVMBuildStore(e->builder, flag_of(c, true), r->busy);
  LLVMBuildBr(e->builder, c->fetched);
  lin_ir_go_on(e, c->fetched);
  LLVMBuildBr(e->builder, c->again);
}

static void build_steps(const edges *c, LLVMValueRef is_busy) {
  const lin_ir_refiller *r = c->r;
  const lin_ir_emitter *e = &r->e;
  LLVMBasicBlockRef header = r->f->block[r->loops->header[r->plan->loop]];
  lin_ir_go_on(e, c->steps);
  lin_ir_store(e, lin_ir_word(e, 0), r->round);
  LLVMBuildCondBr(e->builder, is_busy, header, c->again);
  lin_ir_go_on(e, c->count);
  LLVMValueRef steps = lin_ir_add(e, lin_ir_load(e, r->round), lin_ir_word(e, 1));
  lin_ir_store(e, steps, r->round);
  LLVMValueRef goes_on = lin_ir_below(e, steps, lin_ir_word(e, r->plan->steps));
  lin_ir_keep_rolled(e, LLVMBuildCondBr(e->builder, goes_on, header, c->again));
  lin_ir_go_on(e, c->again);
  LLVMBuildBr(e->builder, c->look);
}

// ---- all of it ---------------------------------------------------------------------------------

void lin_ir_refill_reroute(lin_ir_refiller *r) {
  const lin_ir_emitter *e = &r->e;
  edges c = {.r = r,
             .look = lin_ir_new_block(e, "linearize.look"),
             .looked = lin_ir_new_block(e, "linearize.looked"),
             .try = lin_ir_new_block(e, "linearize.try"),
             .fetch = lin_ir_new_block(e, "linearize.fetch"),
             .one = lin_ir_new_block(e, "linearize.one"),
             .all = lin_ir_new_block(e, "linearize.all"),
             .ready = lin_ir_new_block(e, "linearize.ready"),
             .fetched = lin_ir_new_block(e, "linearize.fetched"),
             .rest = lin_ir_new_block(e, "linearize.rest"),
             .steps = lin_ir_new_block(e, "linearize.steps"),
             .count = lin_ir_new_block(e, "linearize.count"),
             .again = lin_ir_new_block(e, "linearize.again"),
             .done = lin_ir_new_block(e, "linearize.done")};
  LLVMValueRef is_busy, idle;
  copy_shared(&c);
  lead_all(&c);
  end_prologue(&c);
  build_look(&c, &is_busy, &idle);
  lin_ir_go_on(e, c.looked);
  lin_ir_store(e, lin_ir_word(e, 0), r->exit);
  LLVMValueRef num_idle = lin_ir_count_ones(e, idle);
  build_choice(&c, idle, num_idle);
  build_fetch(&c, is_busy, idle, num_idle);
  build_steps(&c, is_busy);
}
