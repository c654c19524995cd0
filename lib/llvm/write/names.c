// What the values of a guard are called.
//
// An integer guard names the leaf that is next by its number. Where a switch chooses among leaves,
// they are better named by its cases: then the guard is the switch's operand, and no comparison of
// it is needed.
//
//     switch %s, default out       next is 0 if %s == 4, 1 if ...     next is %s
//       4: a                  ─▶   if next is 0: a              ─▶    if next is 4: a
//       7: b                       if next is 1: b                    if next is 7: b
//
// Leaves that are no case's get names above all cases; and what the operand is where it is no case
// is cut off above them, where that matters:
//
//     cases 4 and 7, default out: min(%s, 8); a leaf c that comes later is 9, and 8 no leaf
//     cases 0, 1 and 2, default c: min(%s, 3), and 3 is c
//
// A guard is tested for single names then; one that is tested for intervals keeps the numbers.
#include "writer.h"

#include <llvm-c/DebugInfo.h>

// Leaves from which on their names are a switch's cases: with 2 to 8 warps run the same on one half
// of the kernels, with 3 least on the other, by up to 0.2% (`scripts/calibrate LEAST_CASES`,
// 2026-11-24).
enum { LEAST_CASES = 3, HIGHEST_CASE = INT32_MAX / 2 };

static bool *find_intervals(writer *w) {
  const lin_plan *plan = w->flow->plan;
  bool *has_interval = LIN_ARRAY(w->arena, bool, plan->num_guards);
  for (uint32_t i = 0; i < plan->num_nodes; i++)
    if (lin_node_is_guarded(&plan->node[i]))
      has_interval[plan->node[i].guard] |= plan->node[i].low != plan->node[i].high;
  return has_interval;
}

// Cases of a switch, and which leaf each names.
typedef struct naming {
  lin_block block;
  uint64_t highest;
  uint32_t num_cases, num_leaves;
} naming;

static uint64_t case_value(const writer *w, lin_block block, uint32_t edge) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[block]);
  return LLVMConstIntGetZExtValue(lin_ir_case(terminator, edge));
}

static bool is_switch(const writer *w, lin_block block) {
  if (lin_writer_input(w, block) == LIN_NONE)
    return false;
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[block]);
  return LLVMIsASwitchInst(terminator) &&
         LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(terminator, 0))) <= 64;
}

// Returns false if the cases of `block` can't be names.
static bool read_cases(const writer *w, lin_block block, uint32_t guard, naming *n) {
  *n = (naming){.block = block};
  if (!is_switch(w, block))
    return false;
  lin_edge first = w->graph->first_edge[block];
  uint32_t otherwise = w->flow->plan->guard[guard].otherwise;
  for (uint32_t i = 1; i < lin_out_degree(w->graph, block); i++) {
    uint64_t value = case_value(w, block, i);
    uint32_t leaf = lin_writer_value_on_edge(w, first + i, guard);
    if (value > HIGHEST_CASE)
      return false;
    n->highest = value > n->highest ? value : n->highest;
    n->num_cases++;
    n->num_leaves += leaf != LIN_NONE && leaf != otherwise;
  }
  uint32_t rest = lin_writer_value_on_edge(w, first, guard);
  bool is_leaf = rest != LIN_NONE && rest != otherwise;
  return n->num_leaves >= LEAST_CASES && (!is_leaf || n->num_cases == n->highest + 1);
}

// Names the guard's values, 0 to `most`. Where the operand is no case, it is the lowest free name.
static void name_values(writer *w, uint32_t guard, uint32_t most, const naming *n) {
  lin_edge first = w->graph->first_edge[n->block];
  uint32_t otherwise = w->flow->plan->guard[guard].otherwise;
  uint32_t *name = LIN_ARRAY(w->arena, uint32_t, (size_t)most + 1);
  uint32_t free = (uint32_t)n->highest + 1, rest = lin_writer_value_on_edge(w, first, guard);
  for (uint32_t value = 0; value <= most; value++)
    name[value] = LIN_NONE;
  for (uint32_t i = lin_out_degree(w->graph, n->block); i-- > 1;) {
    uint32_t leaf = lin_writer_value_on_edge(w, first + i, guard);
    if (leaf != LIN_NONE && leaf != otherwise)
      name[leaf] = (uint32_t)case_value(w, n->block, i);
  }
  name[otherwise] = free++;
  if (rest != LIN_NONE && rest != otherwise) {
    name[rest] = name[otherwise];
    name[otherwise] = free++;
  }
  bool cut = rest != LIN_NONE && rest != otherwise;
  for (uint32_t value = 0; value <= most; value++)
    if (name[value] == LIN_NONE) {
      name[value] = free++;
      cut |= rest != LIN_NONE;
    }
  w->names[guard] = (lin_names){name, n->block, (uint32_t)n->highest + 1, cut};
}

static uint32_t find_most(const writer *w, uint32_t guard) {
  const lin_guard_uses *uses = w->uses;
  uint32_t most = w->flow->plan->guard[guard].otherwise;
  for (uint32_t i = 0; i < uses->num_sets[guard]; i++)
    for (LIN_OUT_EDGES(w->graph, uses->set[guard][i], edge)) {
      uint32_t value = lin_writer_value_on_edge(w, edge, guard);
      most = value != LIN_NONE && value > most ? value : most;
    }
  for (uint32_t i = 0; i < uses->num_reads[guard]; i++) {
    uint32_t node = w->flow->node[uses->read[guard][i].block];
    most = w->flow->plan->node[node].high > most ? w->flow->plan->node[node].high : most;
  }
  return most;
}

void lin_writer_name_leaves(writer *w) {
  const lin_guard_uses *uses = w->uses;
  const lin_plan *plan = w->flow->plan;
  const bool *has_interval = find_intervals(w);
  for (uint32_t guard = 0; guard < plan->num_guards; guard++) {
    naming best = {0};
    for (uint32_t i = 0; i < uses->num_sets[guard] && !plan->guard[guard].is_flag; i++) {
      naming n;
      if (!has_interval[guard] && read_cases(w, uses->set[guard][i], guard, &n) &&
          n.num_leaves > best.num_leaves)
        best = n;
    }
    if (best.num_leaves > 0)
      name_values(w, guard, find_most(w, guard), &best);
  }
}

uint32_t lin_writer_name(const writer *w, uint32_t guard, uint32_t value) {
  return w->names[guard].name == NULL ? value : w->names[guard].name[value];
}

// The operand as an integer of the guard's type.
static LLVMValueRef convert(writer *w, lin_block block, const lin_names *names) {
  LLVMValueRef selector = LLVMGetOperand(LLVMGetBasicBlockTerminator(w->block[block]), 0);
  unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(selector));
  unsigned guard_width = LLVMGetIntTypeWidth(w->guard_type);
  if (width < guard_width)
    selector = lin_writer_built(w, LLVMBuildZExt(w->builder, selector, w->guard_type, ""));
  if (names->cut || width > guard_width) {
    LLVMValueRef rest = LLVMConstInt(LLVMTypeOf(selector), names->rest, false);
    LLVMValueRef below =
        lin_writer_built(w, LLVMBuildICmp(w->builder, LLVMIntULT, selector, rest, ""));
    selector = lin_writer_built(w, LLVMBuildSelect(w->builder, below, selector, rest, ""));
  }
  if (width > guard_width)
    selector = lin_writer_built(w, LLVMBuildTrunc(w->builder, selector, w->guard_type, ""));
  return selector;
}

// The operand, but for cases that lead to a leaf of another name.
LLVMValueRef lin_writer_choose_name(writer *w, lin_block block, uint32_t guard) {
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(w->block[block]);
  LLVMPositionBuilderBefore(w->builder, terminator);
  LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(terminator));
  LLVMValueRef choice = convert(w, block, &w->names[guard]);
  lin_edge first = w->graph->first_edge[block];
  for (uint32_t i = 1; i < lin_out_degree(w->graph, block); i++) {
    uint32_t leaf = lin_writer_value_on_edge(w, first + i, guard);
    if (leaf == LIN_NONE || leaf == w->flow->plan->guard[guard].otherwise ||
        lin_writer_name(w, guard, leaf) == case_value(w, block, i))
      continue;
    LLVMValueRef name = LLVMConstInt(w->guard_type, lin_writer_name(w, guard, leaf), false);
    LLVMValueRef is_case = lin_writer_compare_case(w, first + i, true);
    choice = lin_writer_built(w, LLVMBuildSelect(w->builder, is_case, name, choice, ""));
  }
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
  return choice;
}
