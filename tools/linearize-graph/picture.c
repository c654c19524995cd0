// Pictures of the steps. Unstructured edges are coloured by kind, regions are frames, guards are
// diamonds.
#include "steps.h"

#include "graph/dot.h"

static const char guard_colour[] = "lightgoldenrod1";

static const char *edge_colour(unsigned kinds) {
  if ((kinds & LIN_JUMP_IN) != 0)
    return "red";
  if ((kinds & LIN_JUMP_OUT) != 0)
    return "darkorange";
  return "blue";
}

// A text in the arena, as printf makes it.
#define TEXT_MAX 256
#define FORMAT(arena, ...) format_text(arena, snprintf(scratch, TEXT_MAX, __VA_ARGS__))

static char scratch[TEXT_MAX];

static const char *format_text(lin_arena *arena, int length) {
  size_t size = length < TEXT_MAX ? (size_t)length : TEXT_MAX - 1;
  return lin_arena_text(arena, scratch, size);
}

// "next is B3" or "next in B2..B4".
static const char *condition_text(lin_arena *arena, const lin_plan *plan, const lin_node *node) {
  const lin_block *entry = plan->entry + plan->first_leaf[node->region];
  const char *const *name = plan->analysis->graph->name;
  if (node->first == node->last)
    return FORMAT(arena, "next is %s", name[entry[node->first]]);
  return FORMAT(arena, "next in %s..%s", name[entry[node->first]], name[entry[node->last]]);
}

// ---- the graph with what was found

static void colour_edges(const tool_work *work, const lin_analysis *a, lin_dot_style *style) {
  const char **label = LIN_ARRAY(work->arena, const char *, a->graph->num_edges);
  const char **colour = LIN_ARRAY(work->arena, const char *, a->graph->num_edges);
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0) {
      label[edge] = tool_kinds_text(work->arena, a->kinds[edge]);
      colour[edge] = edge_colour(a->kinds[edge]);
    }
  style->edge_label = label;
  style->edge_colour = colour;
}

static void frame_regions(const lin_regions *regions, const uint32_t *owner, lin_dot_style *style) {
  style->cluster = owner;
  style->num_clusters = regions->num_regions;
  style->cluster_parent = regions->parent;
}

static void draw_result(FILE *file, const tool_work *work) {
  const lin_flow *flow = work->result.flow;
  tool_after after = tool_after_build(work);
  if (flow == NULL) {
    lin_dot_print(file, after.graph, NULL);
    return;
  }
  const lin_plan *plan = flow->plan;
  uint32_t n = after.graph->num_blocks;
  const char **label = LIN_ARRAY(work->arena, const char *, n);
  const char **colour = LIN_ARRAY(work->arena, const char *, n);
  const char **shape = LIN_ARRAY(work->arena, const char *, n);
  const char **edge_label = LIN_ARRAY(work->arena, const char *, after.graph->num_edges);
  uint32_t *owner = LIN_ARRAY(work->arena, uint32_t, n);
  for (lin_block block = 0; block < n; block++) {
    lin_block original = flow->original[after.flow_block[block]];
    uint32_t node = flow->node[after.flow_block[block]];
    owner[block] = original == LIN_NONE ? LIN_NONE : plan->regions->owner[original];
    if (node == LIN_NONE)
      continue;
    owner[block] = plan->node[node].region;
    colour[block] = guard_colour;
    shape[block] = "diamond";
    label[block] = condition_text(work->arena, plan, &plan->node[node]);
    edge_label[after.graph->first_edge[block]] = "yes";
  }
  lin_dot_style style = {
      .label = label, .colour = colour, .shape = shape, .edge_label = edge_label};
  frame_regions(plan->regions, owner, &style);
  lin_dot_print(file, after.graph, &style);
}

static void draw_analysis(FILE *file, const tool_work *work, tool_step step) {
  const lin_analysis *a = work->result.shape.analysis;
  lin_dot_style style = {0};
  colour_edges(work, a, &style);
  if (step == STEP_REGIONS)
    frame_regions(work->result.regions, work->result.regions->owner, &style);
  lin_dot_print(file, a->graph, &style);
}

static void draw_order(FILE *file, const tool_work *work) {
  const lin_graph *graph = lin_order_build(work->arena, work->function->graph)->graph;
  const char **label = LIN_ARRAY(work->arena, const char *, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    label[block] = FORMAT(work->arena, "%u", block);
  lin_dot_print(file, graph, &(lin_dot_style){.label = label});
}

void tool_print_picture(FILE *file, const tool_work *work, tool_step step) {
  switch (step) {
  case STEP_ORDER:
    draw_order(file, work);
    break;
  case STEP_RESULT:
    draw_result(file, work);
    break;
  default:
    draw_analysis(file, work, step);
    break;
  }
}
