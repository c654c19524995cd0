// How often branches go which way, as far as the function's profile says so (writer.h has the
// rule). A guard block G has odds if what it tests was set by one block S alone, S's terminator has
// weights, and all of S's edges lead to G: then G finds what S chose each time that S ran.
//
//     S: switch %x, a b c, weights 1 2 3          S: br G
//                                          ==>    G: br (next is b or c), ..., weights 5 1
#include "writer.h"

const uint32_t *lin_writer_weights(const writer *w, lin_block block) {
  const lin_graph *input = w->ir->graph;
  lin_block before = lin_writer_input(w, block);
  if (before == LIN_NONE)
    return NULL;
  for (LIN_OUT_EDGES(input, before, edge))
    if (input->weight[edge] != 0)
      return &input->weight[input->first_edge[before]];
  return NULL;
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

void lin_writer_find_odds(writer *w, lin_block guard, lin_block set) {
  if (w->graph->destination[w->graph->first_edge[set]] != guard)
    return; // as most do, and a switch may have very many edges
  const uint32_t *weights = lin_writer_weights(w, set);
  if (weights == NULL)
    return;
  const lin_node *node = &w->flow->plan->node[w->flow->node[guard]];
  lin_ir_odds odds = {0, 0};
  for (LIN_OUT_EDGES(w->graph, set, edge)) {
    uint64_t weight = weights[edge - w->graph->first_edge[set]];
    uint32_t value = lin_writer_value_on_edge(w, edge, node->guard);
    if (w->graph->destination[edge] != guard)
      return;
    if (value >= node->low && value <= node->high)
      odds.yes += weight;
    else
      odds.no += weight;
  }
  w->odds[guard] = odds;
}
