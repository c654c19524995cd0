// The result as .cfg text, and as numbers.
#include "steps.h"

#include "graph/text.h"

#include <stdlib.h>
#include <string.h>

// ---- the graph afterwards

static lin_block find_exit(const lin_graph *graph) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if ((graph->flags[block] & LIN_RETURN) != 0)
      return block;
  return LIN_NONE;
}

static bool is_exit_needed(const lin_flow *flow, lin_block exit) {
  for (LIN_IN_EDGES(flow->graph, exit, i))
    if (flow->original_edge[flow->graph->in_edge[i]] == LIN_NONE ||
        lin_out_degree(flow->graph, flow->graph->source[flow->graph->in_edge[i]]) > 1)
      return true;
  return false;
}

typedef struct name_entry {
  const char *name;
  lin_block block;
} name_entry;

static int by_name(const void *left, const void *right) {
  const name_entry *a = left, *b = right;
  int order = strcmp(a->name, b->name);
  if (order != 0)
    return order;
  return a->block < b->block ? -1 : a->block > b->block;
}

// Names of new blocks are made from those of old ones and may repeat; a new block then gets its
// number behind its name.
static void make_unique(lin_arena *arena, const tool_after *after, const lin_flow *flow,
                        lin_block exit) {
  const lin_graph *graph = after->graph;
  uint32_t n = graph->num_blocks;
  name_entry *sorted = LIN_ARRAY(arena, name_entry, n);
  for (lin_block block = 0; block < n; block++)
    sorted[block] = (name_entry){graph->name[block], block};
  qsort(sorted, n, sizeof *sorted, by_name);
  for (uint32_t i = 0; i < n; i++) {
    bool repeats = (i > 0 && strcmp(sorted[i - 1].name, sorted[i].name) == 0) ||
                   (i + 1 < n && strcmp(sorted[i + 1].name, sorted[i].name) == 0);
    lin_block block = after->flow_block[sorted[i].block];
    if (!repeats || (flow->original[block] != LIN_NONE && block != exit))
      continue;
    size_t size = strlen(sorted[i].name) + 16;
    char *name = lin_arena_bytes(arena, size);
    snprintf(name, size, "%s.%u", sorted[i].name, sorted[i].block);
    graph->name[sorted[i].block] = name;
  }
}

// A copy of `from` without the exit `dropped` (LIN_NONE: with all blocks).
static tool_after copy_graph(lin_arena *arena, const lin_graph *from, lin_block dropped) {
  uint32_t n = from->num_blocks, lost = dropped == LIN_NONE ? 0 : lin_in_degree(from, dropped);
  lin_graph *graph = lin_graph_new(arena, n - (dropped != LIN_NONE), from->num_edges - lost);
  tool_after after = {.graph = graph,
                      .flow_block = LIN_ARRAY(arena, lin_block, n),
                      .flow_edge = LIN_ARRAY(arena, lin_edge, from->num_edges)};
  graph->title = from->title;
  lin_block to = 0;
  lin_edge next = 0;
  for (lin_block block = 0; block < n; block++) {
    if (block == dropped)
      continue;
    after.flow_block[to] = block;
    graph->flags[to] = from->flags[block];
    graph->name[to] = from->name[block];
    graph->reason[to] = from->reason[block];
    graph->first_edge[to] = next;
    for (LIN_OUT_EDGES(from, block, edge)) {
      lin_block destination = from->destination[edge];
      if (destination == dropped) {
        graph->flags[to] |= LIN_RETURN;
        continue;
      }
      after.flow_edge[next] = edge;
      graph->destination[next++] = destination - (dropped != LIN_NONE && destination > dropped);
    }
    to++;
  }
  graph->first_edge[to] = next;
  lin_graph_finish(arena, graph);
  return after;
}

tool_after tool_after_build(const tool_work *work) {
  const lin_flow *flow = work->result.flow;
  if (flow == NULL)
    return (tool_after){.graph = work->function->graph};
  lin_block exit = find_exit(flow->graph);
  bool is_dropped = exit != LIN_NONE && !is_exit_needed(flow, exit);
  tool_after after = copy_graph(work->arena, flow->graph, is_dropped ? exit : LIN_NONE);
  make_unique(work->arena, &after, flow, exit);
  return after;
}

// ---- text

static const char *leaf_name(const lin_plan *plan, uint32_t region, uint32_t leaf) {
  if (leaf == plan->num_leaves[region])
    return "none";
  return plan->analysis->graph->name[plan->entry[plan->first_leaf[region] + leaf]];
}

static void print_guard(FILE *file, const lin_plan *plan, const char *name, const lin_node *node) {
  fprintf(file, "# %s: next of region %u is %s", name, node->region,
          leaf_name(plan, node->region, node->first));
  if (node->first != node->last)
    fprintf(file, "..%s", leaf_name(plan, node->region, node->last));
  if (!plan->guard[node->guard].everywhere)
    fprintf(file, " (guard %u is %u..%u)", node->guard, node->low, node->high);
  fputc('\n', file);
}

// Several edges may lead to one place, so they are numbered.
static void print_assignment(FILE *file, const tool_after *after, lin_edge edge,
                             const lin_plan *plan, const lin_assignment *set) {
  const lin_graph *graph = after->graph;
  lin_block source = graph->source[edge];
  const lin_guard *guard = &plan->guard[set->guard];
  fprintf(file, "# %s edge %u -> %s: ", graph->name[source], edge - graph->first_edge[source],
          graph->name[graph->destination[edge]]);
  if (guard->everywhere)
    fprintf(file, "next of region %u := %s\n", guard->region,
            leaf_name(plan, guard->region, set->value));
  else
    fprintf(file, "guard %u := %u\n", set->guard, set->value);
}

void tool_print_result(FILE *file, const tool_work *work) {
  const lin_flow *flow = work->result.flow;
  tool_after after = tool_after_build(work);
  lin_text_print(file, after.graph);
  if (flow == NULL)
    return;
  for (lin_block block = 0; block < after.graph->num_blocks; block++) {
    uint32_t node = flow->node[after.flow_block[block]];
    if (node != LIN_NONE)
      print_guard(file, flow->plan, after.graph->name[block], &flow->plan->node[node]);
  }
  for (lin_edge edge = 0; edge < after.graph->num_edges; edge++)
    for (const lin_assignment *set = flow->assigned[after.flow_edge[edge]]; set != NULL;
         set = set->next)
      print_assignment(file, &after, edge, flow->plan, set);
}

// ---- numbers

void tool_print_stats_header(FILE *file) {
  fputs("function\tblocks\tunstructured\tirreducible\tregions\tguards\tblocks_after\t"
        "unstructured_after\tirreducible_after\trefused\n",
        file);
}

static uint32_t count_irreducible(const lin_loops *loops) {
  uint32_t count = 0;
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    count += loops->irreducible[loop];
  return count;
}

static uint32_t count_regions(const lin_plan *plan) {
  uint32_t count = 0;
  for (uint32_t region = 0; plan != NULL && region < plan->regions->num_regions; region++)
    count += !plan->regions->gone[region];
  return count;
}

// `refused` counts regions, or is 1 for a function that is refused as a whole.
void tool_print_stats(FILE *file, const tool_work *work) {
  const lin_result *result = &work->result;
  tool_after after = tool_after_build(work);
  const lin_analysis *a = lin_shape_build(work->arena, after.graph).analysis;
  uint32_t refused = work->function->refused != NULL ? 1 : result->refusals.count;
  fprintf(file, "%s\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\t%u\n", after.graph->title,
          work->function->graph->num_blocks, result->shape.analysis->num_unstructured,
          count_irreducible(result->shape.analysis->loops), count_regions(result->plan),
          result->flow == NULL ? 0 : result->flow->num_guards, after.graph->num_blocks,
          a->num_unstructured, count_irreducible(a->loops), refused);
}
