#include "predicate.h"

#include "gpu/costs.h"

static bool is_plain(const simt_instruction *in) {
  return in->opcode <= SIMT_LAST_ARITHMETIC || in->opcode == SIMT_LOAD ||
         in->opcode == SIMT_STORE || in->opcode == SIMT_SPECIAL || in->opcode == SIMT_ALLOCA;
}

// The block behind `block`, if that is a short arm of `branch`; else LIN_NONE.
static lin_block behind_arm(const simt_function *f, lin_block block) {
  uint32_t count = 0, end = f->first_code[block + 1] - 1;
  if (f->code[end].opcode != SIMT_GOTO || lin_in_degree(f->graph, block) != 1)
    return LIN_NONE;
  for (uint32_t pc = f->first_code[block]; pc < end; pc++) {
    if (!is_plain(&f->code[pc]))
      return LIN_NONE;
    count += (f->code[pc].flags & SIMT_IS_FREE) == 0;
    count += f->code[pc].opcode == SIMT_LOAD;
  }
  return count <= LIN_PREDICATED ? f->graph->destination[f->graph->first_edge[block]] : LIN_NONE;
}

lin_block simt_predicated_by(const simt_function *f, lin_block block) {
  const lin_graph *graph = f->graph;
  lin_block join = behind_arm(f, block);
  if (join == LIN_NONE)
    return LIN_NONE;
  lin_block branch = graph->source[graph->in_edge[graph->first_in[block]]];
  if (f->code[f->first_code[branch + 1] - 1].opcode != SIMT_BRANCH)
    return LIN_NONE;
  lin_edge edge = graph->first_edge[branch];
  lin_block other =
      graph->destination[edge] == block ? graph->destination[edge + 1] : graph->destination[edge];
  return other == join || (join != block && behind_arm(f, other) == join) ? branch : LIN_NONE;
}
