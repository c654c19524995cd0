// 1. Of each irreducible loop, find its entries. One may be copied if all its edges inside the loop
//    lead to other entries: then the loop has one entry less. The dearest stays, the others are put
//    in order, so that each leads to later ones or to the one that stays; if that can't be, guards
//    are for the loop.
// 2. Copy them in that order. A phi is taken apart: what comes from outside is the copy's.
// 3. A value that is used outside of the entry is used behind an exit that nothing else leads to:
//    there a phi joins it with the copy's.
#include "split.h"

#include "effects.h"
#include "linearize/between.h"
#include "numbers.h"

#include <string.h>

// Of a loop: simple instructions that stand twice, and entries.
enum { MOST_COPIED = 64, MOST_ENTRIES = 8 };

struct lin_ir_splitter {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *a;
  lin_numbers number; // of LLVM's blocks in the order
  bool *is_entry;     // [num_blocks] of the loop that is looked at
};

typedef struct lin_ir_splitter splitter;

static LLVMBasicBlockRef llvm_block(const splitter *s, lin_block block) {
  return s->f->block[s->order->origin[block]];
}

// ---- step 1: what may be copied

static bool has_attribute(LLVMValueRef call, LLVMValueRef callee, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  return lin_ir_attribute(callee, name) != NULL ||
         LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) !=
             NULL;
}

static bool may_stand_twice(LLVMValueRef at) {
  LLVMValueRef callee = LLVMIsACallInst(at) != NULL ? LLVMGetCalledValue(at) : NULL;
  if (LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMTokenTypeKind || LLVMIsAAllocaInst(at) != NULL)
    return false;
  return callee == NULL ||
         (LLVMIsAFunction(callee) != NULL && !has_attribute(at, callee, "convergent") &&
          !has_attribute(at, callee, "noduplicate"));
}

// A block behind `entry` that nothing else leads to, or LIN_NONE.
static lin_block own_exit(const splitter *s, lin_block entry) {
  const lin_graph *graph = s->a->graph;
  lin_block found = LIN_NONE;
  for (LIN_OUT_EDGES(graph, entry, edge)) {
    lin_block to = graph->destination[edge];
    if (lin_in_degree(graph, to) == 1 && found == LIN_NONE)
      found = to;
  }
  return found;
}

// Whether a use of a value of `entry` is in it, in a phi behind one of its edges, or behind `exit`.
static bool is_reached(const splitter *s, LLVMUseRef use, lin_block entry, lin_block exit) {
  uint32_t block = lin_numbers_find(&s->number, lin_ir_place_of(use));
  if (block == entry || block == LIN_NONE) // unreachable
    return block == entry;
  return exit != LIN_NONE && lin_tree_contains(s->a->dominators, exit, block);
}

static bool are_reached(const splitter *s, LLVMValueRef value, lin_block entry, lin_block exit) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use))
    if (!is_reached(s, use, entry, exit))
      return false;
  return true;
}

static bool may_be_copied(const splitter *s, lin_block entry) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(llvm_block(s, entry));
  if ((s->a->graph->flags[entry] & LIN_LEFT_OUT) != 0 ||
      (LLVMIsABranchInst(terminator) == NULL && LLVMIsASwitchInst(terminator) == NULL))
    return false;
  lin_block exit = own_exit(s, entry);
  for (LLVMValueRef at = LLVMGetFirstInstruction(llvm_block(s, entry)); at != NULL;
       at = LLVMGetNextInstruction(at))
    if (!may_stand_twice(at) || !are_reached(s, at, entry, exit))
      return false;
  return true;
}

// Whether all edges of `entry` that stay in the loop lead to other entries.
static bool leads_to_entries(const splitter *s, uint32_t loop, lin_block entry) {
  const lin_graph *graph = s->a->graph;
  for (LIN_OUT_EDGES(graph, entry, edge)) {
    lin_block to = graph->destination[edge];
    if (lin_loop_contains(s->a->loops, loop, to) && (!s->is_entry[to] || to == entry))
      return false;
  }
  return true;
}

// The entries of a loop, of which the blocks stand together. Returns how many there are; only
// MOST_ENTRIES of them are in `entry`.
static uint32_t mark_entries(const splitter *s, uint32_t loop, lin_block *entry) {
  const lin_graph *graph = s->a->graph;
  uint32_t count = 0;
  for (lin_block block = s->a->loops->header[loop];
       block < graph->num_blocks && lin_loop_contains(s->a->loops, loop, block); block++) {
    s->is_entry[block] = false;
    for (LIN_IN_EDGES(graph, block, i))
      s->is_entry[block] |= !lin_loop_contains(s->a->loops, loop, graph->source[graph->in_edge[i]]);
    if (s->is_entry[block] && count < MOST_ENTRIES)
      entry[count] = block;
    count += s->is_entry[block];
  }
  return count;
}

static bool leads_to(const splitter *s, lin_block from, lin_block to) {
  for (LIN_OUT_EDGES(s->a->graph, from, edge))
    if (s->a->graph->destination[edge] == to)
      return true;
  return false;
}

// Puts the entries from `first` on into an order in which none leads to an earlier one. Returns
// false if there is none.
static bool sort_entries(const splitter *s, lin_block *entry, uint32_t count, uint32_t first) {
  for (; first < count; first++) {
    uint32_t next = first;
    for (; next < count; next++) {
      bool is_free = true;
      for (uint32_t i = first; i < count && is_free; i++)
        is_free = i == next || !leads_to(s, entry[i], entry[next]);
      if (is_free)
        break;
    }
    if (next == count)
      return false;
    lin_block chosen = entry[next];
    entry[next] = entry[first];
    entry[first] = chosen;
  }
  return true;
}

// Chooses the entry that stays: the one that would cost most. Returns false if none can.
static bool choose_entries(const splitter *s, uint32_t loop, lin_ir_entries *found) {
  lin_block entry[MOST_ENTRIES];
  uint32_t cost[MOST_ENTRIES], count = mark_entries(s, loop, entry), sum = 0, kept = 0;
  if (count < 2 || count > MOST_ENTRIES)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    cost[i] = s->a->graph->cost[entry[i]];
    if (!leads_to_entries(s, loop, entry[i]) || !may_be_copied(s, entry[i]))
      cost[i] = 2 * MOST_COPIED; // so it must stay
    sum += cost[i];
    kept = cost[i] >= cost[kept] ? i : kept;
  }
  if (sum - cost[kept] > MOST_COPIED)
    return false;
  lin_block stays = entry[kept];
  entry[kept] = entry[0];
  entry[0] = stays;
  if (!sort_entries(s, entry, count, 1))
    return false;
  for (uint32_t i = 1; i < count; i++)
    found->entry[found->count++] =
        (lin_ir_entry){s->order->origin[entry[i]], s->a->graph->cost[entry[i]], loop};
  return true;
}

// ---- step 2: copying

static void set_use(LLVMUseRef use, LLVMValueRef value) {
  LLVMSetOperand(LLVMGetUser(use), lin_ir_operand(use), value);
}

typedef struct copy {
  LLVMBuilderRef builder;
  LLVMBasicBlockRef block, made;
  lin_numbers index;   // of the block's instructions, phis included
  LLVMValueRef *value; // [index] the copy of each
} copy;

static LLVMValueRef copied(const copy *c, LLVMValueRef value) {
  uint32_t index = LLVMIsAInstruction(value) ? lin_numbers_find(&c->index, value) : LIN_NONE;
  return index == LIN_NONE ? value : c->value[index];
}

static void add_copy(lin_arena *arena, copy *c, LLVMValueRef value, LLVMValueRef made) {
  uint32_t count = (uint32_t)c->index.count;
  lin_numbers_add(arena, &c->index, value, count);
  c->value[count] = made;
}

static bool is_inside(const splitter *s, uint32_t loop, LLVMBasicBlockRef block) {
  lin_block number = lin_numbers_find(&s->number, block);
  return number != LIN_NONE && lin_loop_contains(s->a->loops, loop, number);
}

// The phi keeps what comes from inside of the loop.
static LLVMValueRef split_phi(const splitter *s, copy *c, LLVMValueRef phi, uint32_t loop) {
  size_t length;
  const char *name = LLVMGetValueName2(phi, &length);
  name = lin_arena_text(s->arena, name, length);
  LLVMPositionBuilderBeforeInstrAndDbgRecords(c->builder, phi);
  LLVMValueRef inside = LLVMBuildPhi(c->builder, LLVMTypeOf(phi), "");
  LLVMPositionBuilderAtEnd(c->builder, c->made);
  LLVMValueRef outside = LLVMBuildPhi(c->builder, LLVMTypeOf(phi), "linearize.entry");
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    LLVMAddIncoming(is_inside(s, loop, from) ? inside : outside, &value, &from, 1);
  }
  LLVMReplaceAllUsesWith(phi, inside);
  LLVMInstructionEraseFromParent(phi);
  LLVMSetValueName2(inside, name, length);
  add_copy(s->arena, c, inside, outside);
  return inside;
}

static void copy_instructions(const splitter *s, copy *c, uint32_t loop) {
  LLVMValueRef at = LLVMGetFirstInstruction(c->block);
  for (; LLVMIsAPHINode(at); at = LLVMGetNextInstruction(at))
    at = split_phi(s, c, at, loop);
  LLVMPositionBuilderAtEnd(c->builder, c->made);
  for (; at != NULL; at = LLVMGetNextInstruction(at)) {
    LLVMValueRef made = LLVMInstructionClone(at);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(made); i++)
      if (!LLVMValueIsBasicBlock(LLVMGetOperand(made, i)))
        LLVMSetOperand(made, i, copied(c, LLVMGetOperand(made, i)));
    bool is_value = LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMVoidTypeKind;
    LLVMInsertIntoBuilderWithName(c->builder, made, is_value ? "linearize.entry" : "");
    add_copy(s->arena, c, at, made);
  }
}

// All edges from outside of the loop lead to the copy: from other copies, and from blocks that
// can't be reached, too.
static void enter_copy(const splitter *s, const copy *c, uint32_t loop) {
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(c->block)); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) && !is_inside(s, loop, LLVMGetInstructionParent(user)))
      set_use(use, LLVMBasicBlockAsValue(c->made));
  }
}

// A phi has an operand for each edge.
static void extend_phis(const copy *c, LLVMBasicBlockRef successor) {
  for (LLVMValueRef phi = LLVMGetFirstInstruction(successor); LLVMIsAPHINode(phi);
       phi = LLVMGetNextInstruction(phi)) {
    unsigned count = LLVMCountIncoming(phi);
    bool done = false;
    for (unsigned i = 0; i < count; i++)
      done |= LLVMGetIncomingBlock(phi, i) == c->made;
    for (unsigned i = 0; i < count && !done; i++) {
      LLVMValueRef value = copied(c, LLVMGetIncomingValue(phi, i));
      LLVMBasicBlockRef made = c->made;
      if (LLVMGetIncomingBlock(phi, i) == c->block)
        LLVMAddIncoming(phi, &value, &made, 1);
    }
  }
}

// ---- step 3: behind its own exit

static bool is_used_outside(const copy *c, LLVMUseRef use) {
  LLVMBasicBlockRef place = lin_ir_place_of(use);
  return place != c->block && place != c->made;
}

static void join_behind(copy *c, LLVMValueRef value, LLVMBasicBlockRef exit) {
  LLVMValueRef joined = NULL;
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    if (!is_used_outside(c, use))
      continue;
    if (joined == NULL) {
      LLVMPositionBuilderBeforeInstrAndDbgRecords(c->builder, LLVMGetFirstInstruction(exit));
      joined = LLVMBuildPhi(c->builder, LLVMTypeOf(value), "linearize.entry");
    }
    set_use(use, joined);
  }
  if (joined == NULL)
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(exit)); use != NULL;
       use = LLVMGetNextUse(use)) {
    if (!LLVMIsAInstruction(LLVMGetUser(use)))
      continue;
    LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
    LLVMValueRef incoming = from == c->block  ? value
                            : from == c->made ? copied(c, value)
                                              : LLVMGetPoison(LLVMTypeOf(value)); // unreachable
    LLVMAddIncoming(joined, &incoming, &from, 1);
  }
}

// ---- all of it

static void split_entry(const splitter *s, uint32_t loop, lin_block entry) {
  LLVMValueRef function = s->f->function;
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  copy c = {.builder = LLVMCreateBuilderInContext(context), .block = llvm_block(s, entry)};
  uint32_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstInstruction(c.block); at != NULL;
       at = LLVMGetNextInstruction(at))
    count++;
  c.value = LIN_ARRAY(s->arena, LLVMValueRef, count);
  c.made = LLVMAppendBasicBlockInContext(context, function, "linearize.entry");
  copy_instructions(s, &c, loop);
  enter_copy(s, &c, loop);
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(c.block);
  for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
    extend_phis(&c, LLVMGetSuccessor(terminator, i));
  lin_block exit = own_exit(s, entry);
  for (LLVMValueRef at = LLVMGetFirstInstruction(c.block); at != NULL && exit != LIN_NONE;
       at = LLVMGetNextInstruction(at))
    join_behind(&c, at, llvm_block(s, exit));
  LLVMDisposeBuilder(c.builder);
}

// Loops in one another are split one at a time: what is known of one is of before.
static bool is_apart(const splitter *s, uint32_t loop, const uint32_t *done, uint32_t num_done) {
  for (uint32_t i = 0; i < num_done; i++)
    if (lin_tree_contains(s->a->loops->tree, loop, done[i]) ||
        lin_tree_contains(s->a->loops->tree, done[i], loop))
      return false;
  return true;
}

lin_ir_entries *lin_ir_find_entries(lin_arena *arena, const lin_ir_function *f,
                                    const lin_result *result) {
  const lin_analysis *a = result->analysis;
  uint32_t blocks = a->graph->num_blocks, num_done = 0;
  lin_ir_entries *found = LIN_NEW(arena, lin_ir_entries);
  splitter *s = found->splitter = LIN_NEW(arena, splitter);
  found->entry = LIN_ARRAY(arena, lin_ir_entry, blocks);
  *s = (splitter){.arena = arena,
                  .f = f,
                  .order = result->order,
                  .a = a,
                  .is_entry = LIN_ARRAY(arena, bool, blocks)};
  uint32_t *done = LIN_ARRAY(arena, uint32_t, a->loops->num_loops);
  for (lin_block block = 0; block < blocks; block++)
    if (s->order->origin[block] < f->graph->num_blocks) // not where returns are united
      lin_numbers_add(arena, &s->number, llvm_block(s, block), block);
  for (uint32_t loop = 0; loop < a->loops->num_loops; loop++) {
    uint32_t before = found->count;
    if (!a->loops->irreducible[loop] || !is_apart(s, loop, done, num_done) ||
        result->regions->owner[a->loops->header[loop]] == LIN_NONE)
      continue;
    if (choose_entries(s, loop, found))
      done[num_done++] = loop;
    else
      found->count = before;
  }
  return found;
}

void lin_ir_split_entries(const lin_ir_entries *entries) {
  const splitter *s = entries->splitter;
  for (uint32_t i = 0; i < entries->count; i++)
    split_entry(s, entries->entry[i].loop, s->order->number[entries->entry[i].block]);
}
