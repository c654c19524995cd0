// How often branches go which way, as far as the function's profile says so (writer.h has the
// rule). A guard block G has odds if what it tests was set by one block S alone, S's terminator has
// weights, and all of S's edges lead to G: then G finds what S chose each time that S ran.
//
//     S: switch %x, a b c, weights 1 2 3          S: br G
//                                          ==>    G: br (next is b or c), ..., weights 5 1
#include "writer.h"

// Operand 0 says "branch_weights", and operand 1 perhaps where they come from.
const uint64_t *lin_writer_weights(const writer *w, LLVMValueRef terminator) {
  LLVMValueRef profile = LLVMGetMetadata(terminator, w->profile_kind);
  uint32_t successors = LLVMGetNumSuccessors(terminator);
  if (profile == NULL)
    return NULL;
  uint32_t count = (uint32_t)LLVMGetMDNodeNumOperands(profile);
  if (count != successors + 1 && count != successors + 2)
    return NULL;
  LLVMValueRef *operand = LIN_ARRAY(w->arena, LLVMValueRef, count);
  LLVMGetMDNodeOperands(profile, operand);
  uint64_t *weights = LIN_ARRAY(w->arena, uint64_t, successors), sum = 0;
  for (uint32_t i = 0; i < successors; i++) {
    LLVMValueRef weight = operand[count - successors + i];
    if (weight == NULL || LLVMIsAConstantInt(weight) == NULL)
      return NULL;
    weights[i] = LLVMConstIntGetZExtValue(weight);
    sum += weights[i];
  }
  return sum == 0 ? NULL : weights;
}

void lin_writer_set_odds(writer *w, LLVMValueRef branch, uint64_t yes, uint64_t no) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(w->ir->function));
  while ((yes | no) > UINT32_MAX) {
    yes >>= 1;
    no >>= 1;
  }
  LLVMMetadataRef odds[] = {LLVMMDStringInContext2(context, "branch_weights", 14),
                            LLVMValueAsMetadata(LLVMConstInt(w->guard_type, yes, false)),
                            LLVMValueAsMetadata(LLVMConstInt(w->guard_type, no, false))};
  LLVMSetMetadata(branch, w->profile_kind,
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, odds, 3)));
}

// The value that an edge gives a guard.
static uint32_t value_on(const writer *w, lin_edge edge, uint32_t guard) {
  for (const lin_assignment *a = w->flow->assigned[edge]; a != NULL; a = a->next)
    if (a->guard == guard)
      return a->value;
  return w->flow->plan->guard[guard].otherwise;
}

void lin_writer_find_odds(writer *w, lin_block guard, lin_block set) {
  if (lin_writer_input(w, set) == LIN_NONE)
    return;
  const uint64_t *weights = lin_writer_weights(w, LLVMGetBasicBlockTerminator(w->block[set]));
  if (weights == NULL)
    return;
  const lin_node *node = &w->flow->plan->node[w->flow->node[guard]];
  lin_odds odds = {0, 0};
  for (LIN_OUT_EDGES(w->graph, set, edge)) {
    uint64_t weight = weights[edge - w->graph->first_edge[set]];
    uint32_t value = value_on(w, edge, node->guard);
    if (w->graph->destination[edge] != guard)
      return;
    if (value >= node->low && value <= node->high)
      odds.yes += weight;
    else
      odds.no += weight;
  }
  w->odds[guard] = odds;
}
