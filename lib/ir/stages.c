// 1. Go along the arm, over the blocks that all of its threads come to. A load is pending until
//    something uses it: there a stage has to begin, and nothing is pending any more.
// 2. In each block, what the loads need that don't depend on pending ones can come first, so that
//    all of these loads are under way before the first is waited for.
// 3. As many cuts as both arms have are made: a block's head becomes a block of its own.
#include "stages.h"

#include "effects.h"
#include "numbers.h"

enum { MOST_CUTS = 2, SHARED_SPACE = 3 };

// A stage that is to begin in a block, or with it.
typedef struct cut {
  lin_block block;     // of the function's graph
  LLVMValueRef *first; // [num_first] instructions that come before, and belong to the stage before
  uint32_t num_first;  // 0: the stage begins with the block
} cut;

struct lin_ir_cutter {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *a;
  lin_numbers number;        // of instructions
  const lin_block *preorder; // of dominators
  uint32_t *loaded;          // [instructions] the stage in which it was loaded, + 1
  uint32_t stage;
  cut *cuts; // [num_cuts]
  uint32_t num_cuts;
  cut (*found)[2][MOST_CUTS]; // [branches] of each arm
  uint32_t *num_found;        // [branches] of each of its arms
};

static LLVMBasicBlockRef llvm_block(const lin_ir_cutter *c, lin_block ordered) {
  return c->f->block[c->order->origin[ordered]];
}

// ---- instructions

static bool is_waited_for(LLVMValueRef value) {
  return lin_ir_is_plain_load(value) &&
         LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(value, 0))) != SHARED_SPACE;
}

// Neither reads nor writes memory nor traps, and so may stand anywhere in its block.
static bool is_arithmetic(LLVMValueRef value) {
  return LLVMIsABinaryOperator(value) != NULL || LLVMIsACastInst(value) != NULL ||
         LLVMIsACmpInst(value) != NULL || LLVMIsASelectInst(value) != NULL ||
         LLVMIsAGetElementPtrInst(value) != NULL || LLVMIsAUnaryOperator(value) != NULL ||
         LLVMIsAFreezeInst(value) != NULL || LLVMIsAExtractValueInst(value) != NULL ||
         LLVMIsAExtractElementInst(value) != NULL;
}

static uint32_t number_of(const lin_ir_cutter *c, LLVMValueRef value) {
  return lin_numbers_find(&c->number, value);
}

static bool is_pending(const lin_ir_cutter *c, LLVMValueRef value) {
  uint32_t number = LLVMIsAInstruction(value) != NULL ? number_of(c, value) : LIN_NONE;
  return number != LIN_NONE && c->loaded[number] == c->stage + 1;
}

static bool uses_pending(const lin_ir_cutter *c, LLVMValueRef instruction) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
    if (is_pending(c, LLVMGetOperand(instruction, i)))
      return true;
  return false;
}

static void number_instructions(lin_ir_cutter *c) {
  uint32_t count = 0;
  for (lin_block block = 0; block < c->f->graph->num_blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(c->f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      lin_numbers_add(c->arena, &c->number, at, count++);
  c->loaded = LIN_ARRAY(c->arena, uint32_t, count);
}

// ---- step 2: what can come first in a block

// What is left of a block once its first stages are cut off.
typedef struct rest {
  LLVMValueRef *instruction; // [count] but phis, in order; the terminator is the last
  uint32_t count;
  bool *early; // [count] can be done without waiting
} rest;

static bool depends_on_late(const lin_ir_cutter *c, const rest *r, uint32_t index,
                            const lin_numbers *in) {
  LLVMValueRef value = r->instruction[index];
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
    LLVMValueRef operand = LLVMGetOperand(value, i);
    uint32_t at = LLVMIsAInstruction(operand) != NULL ? lin_numbers_find(in, operand) : LIN_NONE;
    if (at != LIN_NONE && at < index && !r->early[at])
      return true;
  }
  return uses_pending(c, value);
}

// Finds what needn't wait; loads among it become pending. Returns whether there are loads, and sets
// `*waits` to whether something has to wait.
static bool find_early(lin_ir_cutter *c, rest *r, const lin_numbers *in, bool *waits) {
  bool writes = false, loads = false;
  *waits = false;
  for (uint32_t i = 0; i < r->count; i++) {
    LLVMValueRef at = r->instruction[i];
    bool loads_here = is_waited_for(at);
    *waits |= uses_pending(c, at);
    r->early[i] = (is_arithmetic(at) || (loads_here && !writes)) && !depends_on_late(c, r, i, in);
    if (r->early[i] && loads_here) {
      c->loaded[number_of(c, at)] = c->stage + 1;
      loads = true;
    }
    writes |= !is_arithmetic(at) && LLVMIsALoadInst(at) == NULL;
  }
  return loads;
}

// Leaves of the early instructions only loads and what they need.
static void keep_slices(const lin_ir_cutter *c, rest *r, const lin_numbers *in) {
  bool *needed = LIN_ARRAY(c->arena, bool, r->count);
  for (uint32_t i = r->count; i-- > 0;) {
    LLVMValueRef at = r->instruction[i];
    needed[i] |= is_waited_for(at);
    r->early[i] &= needed[i];
    if (!r->early[i])
      continue;
    for (unsigned j = 0; j < (unsigned)LLVMGetNumOperands(at); j++) {
      LLVMValueRef operand = LLVMGetOperand(at, j);
      uint32_t from =
          LLVMIsAInstruction(operand) != NULL ? lin_numbers_find(in, operand) : LIN_NONE;
      if (from != LIN_NONE && from < i)
        needed[from] = true;
    }
  }
}

// ---- step 1

static void add_cut(lin_ir_cutter *c, lin_block ordered, LLVMValueRef *first, uint32_t num_first) {
  if (c->num_cuts < MOST_CUTS)
    c->cuts[c->num_cuts] = (cut){c->order->origin[ordered], first, num_first};
  c->num_cuts++;
  c->stage++;
}

// Takes what comes first out of the rest, and cuts behind it.
static void cut_off(lin_ir_cutter *c, lin_block ordered, rest *r) {
  LLVMValueRef *first = LIN_ARRAY(c->arena, LLVMValueRef, r->count);
  uint32_t num_first = 0, left = 0;
  for (uint32_t i = 0; i < r->count; i++)
    if (r->early[i])
      first[num_first++] = r->instruction[i];
    else
      r->instruction[left++] = r->instruction[i];
  r->count = left;
  add_cut(c, ordered, first, num_first);
}

static rest rest_of(const lin_ir_cutter *c, LLVMBasicBlockRef block) {
  uint32_t count = 0, capacity = 0;
  LLVMValueRef *list = NULL;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    if (LLVMIsAPHINode(at))
      continue;
    list = LIN_ROOM(c->arena, list, count, &capacity);
    list[count++] = at;
  }
  return (rest){list, count, LIN_ARRAY(c->arena, bool, count)};
}

static void index_rest(const lin_ir_cutter *c, const rest *r, lin_numbers *in) {
  *in = (lin_numbers){0};
  for (uint32_t i = 0; i < r->count; i++)
    lin_numbers_add(c->arena, in, r->instruction[i], i);
}

// Of a phi that may be a pending load, uses have to wait too.
static void inherit_pending(lin_ir_cutter *c, LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); LLVMIsAPHINode(at);
       at = LLVMGetNextInstruction(at))
    if (uses_pending(c, at))
      c->loaded[number_of(c, at)] = c->stage + 1;
}

// Leaves the part of the block in which its last stage ends.
static rest cut_block(lin_ir_cutter *c, lin_block ordered) {
  LLVMBasicBlockRef block = llvm_block(c, ordered);
  inherit_pending(c, block);
  rest r = rest_of(c, block);
  for (;;) {
    lin_numbers in;
    bool waits;
    index_rest(c, &r, &in);
    bool loads = find_early(c, &r, &in, &waits);
    if (!waits)
      return r;
    if (loads)
      keep_slices(c, &r, &in);
    else
      for (uint32_t i = 0; i < r.count; i++)
        r.early[i] = false;
    cut_off(c, ordered, &r);
  }
}

// Blocks inside of a branch of the arm, whose threads meet at `to`. Returns whether they wait for
// something; with `loads`, what they load is pending behind it.
static bool look_inside(lin_ir_cutter *c, lin_block from, lin_block to, bool loads) {
  const lin_tree *dominators = c->a->dominators;
  bool waits = false;
  for (uint32_t i = dominators->enter[from] + 1; i < dominators->leave[from]; i++) {
    if (c->preorder[i] == to) {
      i = dominators->leave[to] - 1;
      continue;
    }
    for (LLVMValueRef at = LLVMGetFirstInstruction(llvm_block(c, c->preorder[i])); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      waits |= uses_pending(c, at);
      if (loads && is_waited_for(at))
        c->loaded[number_of(c, at)] = c->stage + 1;
    }
  }
  return waits;
}

// A branch of the arm stays in one stage with all that is inside of it.
static void cut_branch(lin_ir_cutter *c, lin_block ordered, lin_block next, rest *r) {
  if (look_inside(c, ordered, next, false)) {
    for (uint32_t i = 0; i < r->count; i++)
      r->early[i] = i + 1 < r->count; // all but the branch
    cut_off(c, ordered, r);
  }
  look_inside(c, ordered, next, true);
}

static uint32_t find_cuts(lin_ir_cutter *c, lin_block arm, lin_block meeting, cut *cuts) {
  c->cuts = cuts;
  c->num_cuts = 0;
  for (lin_block block = arm; block != meeting;) {
    lin_block next = lin_interleave_next(c->a, block);
    rest r = cut_block(c, block);
    if (lin_out_degree(c->a->graph, block) > 1)
      cut_branch(c, block, next, &r);
    block = next;
  }
  c->stage++; // what this arm has loaded, the other one doesn't wait for
  return c->num_cuts < MOST_CUTS ? c->num_cuts : MOST_CUTS;
}

// ---- step 3

static void move_instruction(const lin_ir_cutter *c, LLVMBuilderRef builder, LLVMValueRef value) {
  size_t length;
  const char *name = LLVMGetValueName2(value, &length);
  name = lin_arena_text(c->arena, name, length);
  LLVMInstructionRemoveFromParent(value);
  LLVMInsertIntoBuilderWithName(builder, value, name);
}

// The head of a block, its phis and `first`, becomes a block before it, that is returned. `before`:
// the one that was cut off last, or NULL.
static LLVMBasicBlockRef split_head(const lin_ir_cutter *c, const cut *at,
                                    LLVMBasicBlockRef before) {
  const lin_graph *graph = c->f->graph;
  LLVMBasicBlockRef block = c->f->block[at->block];
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(c->f->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "linearize.stage");
  LLVMPositionBuilderAtEnd(builder, head);
  while (LLVMIsAPHINode(LLVMGetFirstInstruction(block)))
    move_instruction(c, builder, LLVMGetFirstInstruction(block));
  for (uint32_t i = 0; i < at->num_first; i++)
    move_instruction(c, builder, at->first[i]);
  if (before != NULL)
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(before), 0, head);
  for (LIN_IN_EDGES(graph, at->block, i)) {
    lin_edge edge = graph->in_edge[i];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(c->f->block[graph->source[edge]]);
    if (before == NULL)
      LLVMSetSuccessor(branch, edge - graph->first_edge[graph->source[edge]], head);
  }
  LLVMBuildBr(builder, block);
  LLVMDisposeBuilder(builder);
  return head;
}

static void make_cuts(const lin_ir_cutter *c, const cut *cuts, uint32_t count,
                      lin_ir_stages *stages) {
  LLVMBasicBlockRef head = NULL;
  bool begins = false; // what is left of the block begins a stage
  for (uint32_t i = 0; i < count; i++) {
    if (cuts[i].num_first > 0) {
      head = split_head(c, &cuts[i], head);
      if (begins)
        stages->stage[stages->num_stages++] = head;
    }
    begins = true;
    if (i + 1 < count && cuts[i + 1].block == cuts[i].block)
      continue;
    stages->stage[stages->num_stages++] = c->f->block[cuts[i].block];
    head = NULL;
    begins = false;
  }
}

static bool is_around_one(const lin_ir_cutter *c, const lin_two_sided *branch, const bool *taken) {
  const lin_tree *dominators = c->a->dominators;
  for (uint32_t i = dominators->enter[branch->branch] + 1; i < dominators->leave[branch->branch];
       i++) {
    if (c->preorder[i] == branch->meeting)
      i = dominators->leave[branch->meeting] - 1;
    else if (taken[c->preorder[i]])
      return true;
  }
  return false;
}

lin_ir_stages *lin_ir_find_stages(lin_arena *arena, const lin_ir_function *f,
                                  const lin_order *order, const lin_analysis *analysis,
                                  const lin_two_sided *branches, uint32_t count) {
  lin_ir_stages *stages = LIN_NEW(arena, lin_ir_stages);
  lin_ir_cutter *c = stages->cutter = LIN_NEW(arena, lin_ir_cutter);
  stages->branch = LIN_ARRAY(arena, LLVMBasicBlockRef, count);
  stages->stage = LIN_ARRAY(arena, LLVMBasicBlockRef, 2 * MOST_CUTS * (size_t)count);
  *c = (lin_ir_cutter){.arena = arena,
                       .f = f,
                       .order = order,
                       .a = analysis,
                       .preorder = lin_tree_preorder(arena, analysis->dominators),
                       .num_found = LIN_ARRAY(arena, uint32_t, count)};
  c->found = lin_arena_bytes(arena, (count + 1) * sizeof *c->found);
  bool *taken = LIN_ARRAY(arena, bool, analysis->graph->num_blocks); // D of what is cut
  number_instructions(c);
  for (uint32_t i = 0; i < count; i++) {
    if (is_around_one(c, &branches[i], taken))
      continue;
    cut(*cuts)[MOST_CUTS] = c->found[stages->num_branches];
    uint32_t first = find_cuts(c, branches[i].arm[0], branches[i].meeting, cuts[0]);
    uint32_t second = find_cuts(c, branches[i].arm[1], branches[i].meeting, cuts[1]);
    if (first == 0 || second == 0)
      continue;
    taken[branches[i].branch] = true;
    c->num_found[stages->num_branches] = first < second ? first : second;
    stages->branch[stages->num_branches++] = llvm_block(c, branches[i].branch);
  }
  return stages;
}

void lin_ir_cut_arms(lin_ir_stages *stages) {
  const lin_ir_cutter *c = stages->cutter;
  for (uint32_t i = 0; i < stages->num_branches; i++)
    for (uint32_t arm = 0; arm < 2; arm++)
      make_cuts(c, c->found[i][arm], c->num_found[i], stages);
}
