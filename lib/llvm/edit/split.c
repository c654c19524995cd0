// 1. Of each irreducible loop, find its entries. One may be copied if all its edges inside the loop
//    lead to other entries: then the loop has one entry less. The dearest stays, the others are put
//    in order, so that each leads to later ones or to the one that stays; if that can't be, guards
//    are for the loop.
// 2. Copy them in that order (copy.h), for what comes from outside.
#include "split.h"

#include "copy.h"
#include "linearize/between.h"
#include "llvm/ask/numbers.h"

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
  return lin_ir_block(s->f, s->order, block);
}

// ---- step 1: what may be copied

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
  if (block == entry)
    return true;
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
    if (!lin_ir_may_stand_twice(at) || !are_reached(s, at, entry, exit))
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

// ---- all of it

static void split_entry(const splitter *s, uint32_t loop, lin_block entry) {
  lin_block exit = own_exit(s, entry);
  lin_ir_copying copying = {.block = llvm_block(s, entry),
                            .loop = {&s->number, s->a->loops, loop},
                            .exit = exit == LIN_NONE ? NULL : llvm_block(s, exit),
                            .name = "linearize.entry"};
  lin_ir_copy_block(s->arena, &copying);
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
                  .number = lin_ir_number_blocks(arena, f, result->order),
                  .is_entry = LIN_ARRAY(arena, bool, blocks)};
  uint32_t *done = LIN_ARRAY(arena, uint32_t, a->loops->num_loops);
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
