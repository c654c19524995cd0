// 1. Find the blocks in loops that end in a test of what they join, and where the test is known to
//    lead out of the loop for some of the edges to them.
// 2. Give these edges a copy of the block (copy.h) that leads there and tests nothing.
// 3. Where all that is left leads to one place, the test goes, and blocks that only lead to each
//    other become one.
#include "exits.h"

#include "copy.h"
#include "gpu/meetings.h"
#include "linearize/between.h"
#include "move.h"
#include "records.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/numbers.h"
#include "llvm/ask/questions.h"

#include <llvm-c/DebugInfo.h>

// Instructions that threads run that leave, no longer together; edges that join a flag; conditions
// that it decides.
enum { MOST_COPIED = 8, MOST_EDGES = 64, MOST_KNOWN = 8 };

struct lin_ir_exit_finder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *a;
  const lin_policy *policy;
  lin_numbers number; // of LLVM's blocks in the order
  bool *waits;        // [num_loops] threads in it may wait for others
  bool *ends_short;   // [num_loops] they wait for each other at its short end
  unsigned guard_kind;
};

typedef struct lin_ir_exit_finder finder;

// The exit that is looked at.
typedef struct exit_way {
  const finder *l;
  LLVMBasicBlockRef block, to;
  lin_ir_loop loop;
} exit_way;

static LLVMBasicBlockRef llvm_block(const finder *l, lin_block block) {
  return lin_ir_block(l->f, l->order, block);
}

// ---- step 1: what a test will say

typedef enum answer { NO, YES, UNKNOWN } answer;

static answer opposite(answer a) { return a == UNKNOWN ? UNKNOWN : a == YES ? NO : YES; }

// `value`, where the block that joins it is entered from `from`.
static LLVMValueRef value_from(LLVMValueRef value, LLVMBasicBlockRef block,
                               LLVMBasicBlockRef from) {
  bool joined = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == block;
  return joined ? lin_ir_incoming(value, from) : value;
}

static answer compare(LLVMIntPredicate predicate, LLVMValueRef value, LLVMValueRef with) {
  if (!LLVMIsAConstantInt(value) || !LLVMIsAConstantInt(with) ||
      (predicate != LLVMIntEQ && predicate != LLVMIntNE))
    return UNKNOWN;
  return (value == with) == (predicate == LLVMIntEQ) ? YES : NO; // constants are unique
}

// Both are true, or one of them decides.
static answer combine(answer first, answer second, answer decides) {
  if (first == decides || second == decides)
    return decides;
  return first == UNKNOWN || second == UNKNOWN ? UNKNOWN : opposite(decides);
}

// What is known in `block` for those who come from `from`.
typedef struct known {
  LLVMBasicBlockRef block, from;
  LLVMValueRef value[MOST_KNOWN];
  answer answer[MOST_KNOWN];
  uint32_t count;
} known;

static answer recall(const known *k, LLVMValueRef value) {
  value = value_from(value, k->block, k->from);
  if (LLVMIsAConstantInt(value))
    return LLVMConstIntGetZExtValue(value) != 0 ? YES : NO;
  for (uint32_t i = 0; i < k->count; i++)
    if (k->value[i] == value)
      return k->answer[i];
  return UNKNOWN;
}

static answer conclude(const known *k, LLVMValueRef at) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
  if (opcode == LLVMICmp)
    return compare(LLVMGetICmpPredicate(at), value_from(LLVMGetOperand(at, 0), k->block, k->from),
                   LLVMGetOperand(at, 1));
  if (opcode != LLVMAnd && opcode != LLVMOr && opcode != LLVMXor && opcode != LLVMSelect)
    return UNKNOWN;
  answer first = recall(k, LLVMGetOperand(at, 0)), second = recall(k, LLVMGetOperand(at, 1));
  switch (opcode) {
  case LLVMAnd:
    return combine(first, second, NO);
  case LLVMOr:
    return combine(first, second, YES);
  case LLVMXor:
    return first == UNKNOWN ? UNKNOWN : first == YES ? opposite(second) : second;
  default: {
    answer third = recall(k, LLVMGetOperand(at, 2));
    return first == YES ? second : first == NO || second == third ? third : UNKNOWN;
  }
  }
}

// What `condition` of `block` is for those who come from `from`.
static answer ask(LLVMValueRef condition, LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
  known k = {.block = block, .from = from};
  LLVMTypeRef flag = LLVMTypeOf(condition);
  for (LLVMValueRef at = LLVMGetFirstInstruction(block);
       !LLVMIsATerminatorInst(at) && k.count < MOST_KNOWN; at = LLVMGetNextInstruction(at)) {
    answer found = LLVMTypeOf(at) == flag && !LLVMIsAPHINode(at) ? conclude(&k, at) : UNKNOWN;
    if (found == UNKNOWN)
      continue;
    k.value[k.count] = at;
    k.answer[k.count++] = found;
  }
  return recall(&k, condition);
}

// Where the terminator of `block` leads those who come from `from`, or NULL.
static LLVMBasicBlockRef successor_from(LLVMBasicBlockRef block, LLVMBasicBlockRef from) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
  LLVMValueRef condition = lin_ir_condition(block);
  if (condition != NULL) {
    answer taken = ask(condition, block, from);
    return taken == UNKNOWN ? NULL : LLVMGetSuccessor(terminator, taken == YES ? 0 : 1);
  }
  if (!LLVMIsASwitchInst(terminator))
    return NULL;
  LLVMValueRef value = value_from(LLVMGetOperand(terminator, 0), block, from);
  if (!LLVMIsAConstantInt(value))
    return NULL;
  for (unsigned i = 1; i < LLVMGetNumSuccessors(terminator); i++)
    if (lin_ir_case(terminator, i) == value)
      return LLVMGetSuccessor(terminator, i);
  return LLVMGetSuccessor(terminator, 0);
}

// ---- step 1: which blocks

static void find_waiting_loops(finder *l) {
  const lin_loops *loops = l->a->loops;
  for (lin_block block = 0; block < l->a->graph->num_blocks; block++)
    if ((l->a->graph->flags[block] & LIN_LEFT_OUT) != 0)
      l->waits[loops->loop_of[block]] = true;
  for (uint32_t loop = loops->num_loops; loop-- > 1;) // parents come first
    l->waits[loops->tree->parent[loop]] |= l->waits[loop];
}

static void find_short_ends(finder *l) {
  const lin_graph *graph = l->a->graph;
  const lin_loops *loops = l->a->loops;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    l->ends_short[loops->loop_of[block]] |=
        lin_in_degree(graph, block) > 1 && lin_meetings_is_short_end(graph, loops, block);
}

// Whether the pass has made the test: its threads were brought together on purpose.
static bool is_guard(const finder *l, LLVMBasicBlockRef block) {
  return LLVMGetMetadata(LLVMGetBasicBlockTerminator(block), l->guard_kind) != NULL;
}

static bool may_test_flag(const finder *l, lin_block block) {
  const lin_loops *loops = l->a->loops;
  uint32_t loop = loops->loop_of[block];
  return loop != 0 && loops->header[loop] != block && !loops->irreducible[loop] &&
         !l->waits[loop] && lin_in_degree(l->a->graph, block) > 1 &&
         lin_in_degree(l->a->graph, block) <= MOST_EDGES &&
         lin_may_part(l->a->graph, block, l->policy->divergence_known) &&
         !is_guard(l, llvm_block(l, block));
}

static exit_way way_from(const finder *l, lin_block block) {
  return (exit_way){.l = l,
                    .block = llvm_block(l, block),
                    .loop = {&l->number, l->a->loops, l->a->loops->loop_of[block]}};
}

// One edge leads from there to the block, and on to the exit.
static bool leaves(const exit_way *way, LLVMBasicBlockRef from) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
  uint32_t edges = 0;
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
    edges += LLVMGetSuccessor(terminator, i) == way->block;
  return edges == 1 && !lin_ir_is_outside(&way->loop, from) &&
         successor_from(way->block, from) == way->to;
}

// Edges to a block.
typedef struct edges {
  uint32_t leaving, staying; // to the exit that is looked at; that don't lead to any for sure
  lin_block stays;           // the source of the last of these
} edges;

static edges count_edges(const exit_way *way, lin_block block) {
  const lin_graph *graph = way->l->a->graph;
  edges count = {0, 0, LIN_NONE};
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (leaves(way, llvm_block(way->l, from))) {
      count.leaving++;
      continue;
    }
    LLVMBasicBlockRef to = successor_from(way->block, llvm_block(way->l, from));
    if (to != NULL && lin_ir_is_outside(&way->loop, to))
      continue;
    count.staying++;
    count.stays = from;
  }
  return count;
}

// The first exit that is known to be taken by some of those who come to the block, or LIN_NONE.
static lin_block find_exit(exit_way *way, lin_block block) {
  const lin_graph *graph = way->l->a->graph;
  for (LIN_IN_EDGES(graph, block, i)) {
    way->to = successor_from(way->block, llvm_block(way->l, graph->source[graph->in_edge[i]]));
    if (way->to != NULL && lin_ir_is_outside(&way->loop, way->to))
      return lin_numbers_find(&way->l->number, way->to);
  }
  return LIN_NONE;
}

// Uses are in the block, behind its edges, in the loop, to which nobody comes by the copy but
// through the block, or behind an exit that it has for itself.
static bool is_reached(const exit_way *way, LLVMUseRef use, lin_block to) {
  LLVMBasicBlockRef place = lin_ir_place_of(use);
  if (place == way->block || !lin_ir_is_outside(&way->loop, place))
    return true;
  lin_block number = lin_numbers_find(&way->l->number, place);
  return number != LIN_NONE && lin_in_degree(way->l->a->graph, to) == 1 &&
         lin_tree_contains(way->l->a->dominators, to, number);
}

static bool may_be_copied(LLVMBasicBlockRef block) {
  uint32_t cost = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && cost <= MOST_COPIED;
       at = LLVMGetNextInstruction(at))
    cost += lin_ir_may_stand_twice(at) ? lin_ir_cost(at) : MOST_COPIED + 1;
  return cost <= MOST_COPIED;
}

static bool are_reached(const exit_way *way, lin_block to) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(way->block); at != NULL;
       at = LLVMGetNextInstruction(at))
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use))
      if (!is_reached(way, use, to))
        return false;
  return true;
}

// Whether all threads of the loop come to the exit, so that who leaves waits there for the others.
// What stands in front of the place where they meet is run once for each edge that leaves.
static bool is_waited_at(const lin_analysis *a, lin_block block, lin_block to) {
  return lin_tree_contains(a->postdominators->tree, to, block);
}

// Whether the threads that stay are together without the block: they all come from one other, and
// either there has been no join on the way there since threads parted, or they wait for each other
// at joins like that (meetings.h), as they do on all GPUs but those that run threads in lock step.
static bool stay_together(const finder *l, lin_block block, lin_block stays) {
  lin_block parted = l->a->dominators->parent[block];
  while (l->policy->lock_step && stays != parted && lin_in_degree(l->a->graph, stays) == 1)
    stays = l->a->graph->source[l->a->graph->in_edge[l->a->graph->first_in[stays]]];
  return !l->policy->lock_step || stays == parted;
}

enum { MOST_BEFORE = 8 }; // blocks that lead to an exit alone

// Whether threads that leave a loop inside come to `from`, and nowhere else: they leave both loops
// at once, if `from` leads to an exit. ptxas no longer has the others wait at that loop's short end
// then (meetings.h), which costs more than a flag.
static bool ends_a_wait(const finder *l, lin_block from) {
  const lin_graph *graph = l->a->graph;
  const lin_loops *loops = l->a->loops;
  uint32_t around = loops->loop_of[from], count = 1;
  lin_block work[MOST_BEFORE] = {from};
  for (uint32_t next = 0; next < count; next++)
    for (LIN_IN_EDGES(graph, work[next], i)) {
      lin_block before = graph->source[graph->in_edge[i]];
      uint32_t loop = loops->loop_of[before];
      if (loop != around && lin_loop_contains(loops, around, before)) {
        if (l->ends_short[loop])
          return true;
      } else if (lin_out_degree(graph, before) == 1 && count < MOST_BEFORE) {
        work[count++] = before;
      }
    }
  return false;
}

// Whether an edge that leaves by a copy of the block takes a wait from the threads that stay.
static bool costs_a_wait(const exit_way *way, lin_block block) {
  const lin_graph *graph = way->l->a->graph;
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    if (leaves(way, llvm_block(way->l, from)) && ends_a_wait(way->l, from))
      return true;
  }
  return false;
}

static void look_at(const finder *l, lin_block block, lin_ir_exits *found) {
  exit_way way = way_from(l, block);
  lin_block to = may_be_copied(way.block) ? find_exit(&way, block) : LIN_NONE;
  if (to == LIN_NONE || !are_reached(&way, to))
    return;
  edges count = count_edges(&way, block);
  if (count.leaving > 0 && count.staying == 1 && stay_together(l, block, count.stays) &&
      (count.leaving == 1 || is_waited_at(l->a, block, to)) &&
      (l->policy->lock_step || !costs_a_wait(&way, block)))
    found->exit[found->count++] =
        (lin_ir_exit){l->order->origin[block], l->order->origin[to], count.leaving};
}

lin_ir_exits *lin_ir_find_exits(lin_arena *arena, const lin_ir_function *f,
                                const lin_result *result, const lin_policy *policy) {
  const lin_analysis *a = result->analysis;
  uint32_t blocks = a->graph->num_blocks;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  lin_ir_exits *found = LIN_NEW(arena, lin_ir_exits);
  finder *l = found->finder = LIN_NEW(arena, finder);
  found->exit = LIN_ARRAY(arena, lin_ir_exit, blocks);
  *l = (finder){.arena = arena,
                .f = f,
                .order = result->order,
                .a = a,
                .policy = policy,
                .number = lin_ir_number_blocks(arena, f, result->order),
                .waits = LIN_ARRAY(arena, bool, a->loops->num_loops),
                .ends_short = LIN_ARRAY(arena, bool, a->loops->num_loops),
                .guard_kind = LLVMGetMDKindIDInContext(context, "linearize.guard", 15)};
  find_waiting_loops(l);
  find_short_ends(l);
  for (lin_block block = 0; block < blocks; block++)
    if (may_test_flag(l, block))
      look_at(l, block, found);
  return found;
}

// ---- steps 2 and 3

static void erase_unused(LLVMBasicBlockRef block) {
  LLVMValueRef before, at = LLVMGetLastInstruction(block);
  for (at = LLVMGetPreviousInstruction(at); at != NULL; at = before) {
    before = LLVMGetPreviousInstruction(at);
    if (LLVMGetFirstUse(at) == NULL && (LLVMIsAPHINode(at) || lin_ir_is_cheap(at)))
      LLVMInstructionEraseFromParent(at);
  }
}

// What a condition is if one of its operands is a constant: true and c, false or c, true ? c : d.
static LLVMValueRef simplified(LLVMValueRef condition) {
  LLVMOpcode opcode =
      LLVMIsAInstruction(condition) ? LLVMGetInstructionOpcode(condition) : LLVMUnreachable;
  for (unsigned i = 0; i < 2 && (opcode == LLVMAnd || opcode == LLVMOr); i++)
    if (lin_ir_is_flag(LLVMGetOperand(condition, i), opcode == LLVMAnd))
      return LLVMGetOperand(condition, 1 - i);
  for (unsigned i = 0; i < 2 && opcode == LLVMSelect; i++)
    if (lin_ir_is_flag(LLVMGetOperand(condition, 0), i == 0))
      return LLVMGetOperand(condition, 1 + i);
  return condition;
}

static void simplify_condition(LLVMBasicBlockRef block) {
  LLVMValueRef condition = lin_ir_condition(block);
  LLVMValueRef simpler = condition == NULL ? NULL : simplified(condition);
  if (simpler == condition)
    return;
  LLVMReplaceAllUsesWith(condition, simpler);
  LLVMInstructionEraseFromParent(condition);
}

// Where all who still come to the block go on, or NULL.
static LLVMBasicBlockRef only_successor(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef only = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use != NULL;
       use = LLVMGetNextUse(use)) {
    if (!LLVMIsAInstruction(LLVMGetUser(use)))
      continue;
    LLVMBasicBlockRef to = successor_from(block, LLVMGetInstructionParent(LLVMGetUser(use)));
    if (to == NULL || (only != NULL && to != only))
      return NULL;
    only = to;
  }
  return only;
}

// The block goes on to `only`, without a test.
static void drop_test(const finder *l, LLVMBasicBlockRef block, LLVMBasicBlockRef only) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(l->f->function));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMValueRef test = LLVMGetBasicBlockTerminator(block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(test); i++) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(test, i);
    lin_ir_move_incoming(l->arena, to, block, to == only ? block : NULL);
  }
  LLVMPositionBuilderBefore(builder, test);
  lin_ir_replace_branch(test, LLVMBuildBr(builder, only));
  LLVMDisposeBuilder(builder);
}

// The blocks with edges that leave, before the phis are taken apart.
static lin_numbers find_leaving(const exit_way *way) {
  lin_numbers found = {0};
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(way->block)); use != NULL;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && leaves(way, LLVMGetInstructionParent(user)))
      lin_numbers_add(way->l->arena, &found, LLVMGetInstructionParent(user), 0);
  }
  return found;
}

static void free_exit(const finder *l, const lin_ir_exit *e) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(l->f->function));
  lin_block block = l->order->number[e->block], to = l->order->number[e->to];
  exit_way way = way_from(l, block);
  way.to = l->f->block[e->to];
  lin_numbers leaving = find_leaving(&way);
  if (leaving.count == 0) // those before it have left
    return;
  lin_ir_copying copying = {.block = way.block,
                            .loop = way.loop,
                            .from = &leaving,
                            .only = way.to,
                            .exit = lin_in_degree(l->a->graph, to) == 1 ? way.to : NULL,
                            .name = "linearize.exit"};
  LLVMBasicBlockRef made = lin_ir_copy_block(l->arena, &copying);
  lin_ir_resolve_phis(made);
  erase_unused(made);
  LLVMBasicBlockRef only = only_successor(way.block);
  if (only != NULL)
    drop_test(l, way.block, only);
  else // what is known of how often it goes which way is of before
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(way.block),
                    LLVMGetMDKindIDInContext(context, "prof", 4), NULL);
  lin_ir_resolve_phis(way.block);
  simplify_condition(way.block);
}

// A block and the only one before it that goes nowhere else become one.
static void unite_with_entry(LLVMBasicBlockRef block) {
  LLVMBasicBlockRef entry = lin_ir_only_entry(block);
  LLVMValueRef branch = entry == NULL ? NULL : LLVMGetBasicBlockTerminator(entry);
  if (branch == NULL || LLVMGetNumSuccessors(branch) != 1 || !LLVMIsABranchInst(branch) ||
      entry == block)
    return;
  lin_ir_resolve_phis(block);
  LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(entry)); // phis
  lin_ir_append_block(entry, block);
  lin_ir_delete_block(block);
}

void lin_ir_free_exits(const lin_ir_exits *exits) {
  const finder *l = exits->finder;
  lin_numbers tested = {0};
  for (uint32_t i = 0; i < exits->count; i++) {
    free_exit(l, &exits->exit[i]);
    lin_numbers_add(l->arena, &tested, l->f->block[exits->exit[i].block], i);
  }
  for (uint32_t i = 0; i < exits->count; i++) {
    LLVMBasicBlockRef next =
        LLVMGetSuccessor(LLVMGetBasicBlockTerminator(l->f->block[exits->exit[i].block]), 0);
    if (lin_numbers_find(&tested, next) == LIN_NONE) // else its turn comes
      unite_with_entry(next);
  }
  for (uint32_t i = 0; i < exits->count; i++)
    unite_with_entry(l->f->block[exits->exit[i].block]);
}
