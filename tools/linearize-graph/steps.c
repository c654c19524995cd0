// The analyses as text. Blocks are called by name, in the order of the ordered graph, in which
// returns lead to one exit.
#include "steps.h"

#include "choose/joins.h"
#include "graph/text.h"

#include <string.h>

static const char *name_of(const lin_graph *graph, lin_block block, const char *none) {
  return block < graph->num_blocks ? graph->name[block] : none;
}

// The order of the graph as it was given.
void tool_print_order(FILE *file, const tool_work *work) {
  lin_text_print(file, lin_order_build(work->arena, work->function->graph)->graph);
}

void tool_print_loops(FILE *file, const tool_work *work) {
  const lin_analysis *a = work->result.shape.analysis;
  const lin_loops *loops = a->loops;
  fprintf(file, "function %s\n", a->graph->title);
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) {
    uint32_t around = loops->tree->parent[loop];
    fprintf(file, "%sloop %s", loops->irreducible[loop] ? "irreducible " : "",
            a->graph->name[loops->header[loop]]);
    if (around != 0)
      fprintf(file, " in loop %s", a->graph->name[loops->header[around]]);
    fputc(':', file);
    // The blocks of a loop stand together, its header first.
    for (lin_block block = loops->header[loop];
         block < a->graph->num_blocks && lin_loop_contains(loops, loop, block); block++)
      fprintf(file, " %s", a->graph->name[block]);
    fputc('\n', file);
  }
}

const char *tool_kinds_text(lin_arena *arena, unsigned kinds) {
  char *text = lin_arena_bytes(arena, 64);
  for (unsigned kind = LIN_BRANCH; kind <= LIN_JUMP_OUT; kind *= 2)
    if ((kinds & kind) != 0) {
      strcat(text, text[0] == '\0' ? "" : ", ");
      strcat(text, lin_edge_kind_name(kind));
    }
  return text;
}

void tool_print_unstructured(FILE *file, const tool_work *work) {
  const lin_analysis *a = work->result.shape.analysis;
  fprintf(file, "function %s\n", a->graph->title);
  for (lin_edge edge = 0; edge < a->graph->num_edges; edge++)
    if (a->kinds[edge] != 0)
      fprintf(file, "%s -> %s: %s\n", a->graph->name[a->graph->source[edge]],
              a->graph->name[a->graph->destination[edge]],
              tool_kinds_text(work->arena, a->kinds[edge]));
}

// Blocks by the innermost region, in order.
static void list_owned(const tool_work *work, const lin_regions *regions, uint32_t *first,
                       uint32_t *next) {
  for (uint32_t region = 0; region < regions->num_regions; region++)
    first[region] = LIN_NONE;
  for (lin_block block = work->result.shape.analysis->graph->num_blocks; block-- > 0;) {
    uint32_t region = regions->owner[block];
    if (region == LIN_NONE)
      continue;
    next[block] = first[region];
    first[region] = block;
  }
}

void tool_print_regions(FILE *file, const tool_work *work) {
  const lin_graph *graph = work->result.shape.analysis->graph;
  const lin_regions *regions = work->result.regions;
  uint32_t *first = LIN_ARRAY(work->arena, uint32_t, regions->num_regions);
  uint32_t *next = LIN_ARRAY(work->arena, uint32_t, graph->num_blocks);
  list_owned(work, regions, first, next);
  fprintf(file, "function %s\n", graph->title);
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    if (regions->gone[region])
      continue;
    fprintf(file, "region %u from %s to %s", region,
            name_of(graph, regions->dominator[region], "the entry"),
            name_of(graph, regions->exit[region], "nowhere"));
    if (regions->parent[region] != LIN_NONE)
      fprintf(file, " in region %u", regions->parent[region]);
    fputc(':', file);
    for (lin_block block = first[region]; block != LIN_NONE; block = next[block])
      fprintf(file, " %s", graph->name[block]);
    fputc('\n', file);
  }
  const lin_refusals *refusals = &work->result.refusals;
  for (uint32_t i = 0; i < refusals->count; i++)
    fprintf(file, "refused region %u because of %s: %s\n", refusals->refusal[i].region,
            name_of(graph, refusals->refusal[i].block, "?"), refusals->refusal[i].reason);
}

void tool_print_joins(FILE *file, const tool_work *work) {
  const lin_analysis *a = work->result.shape.analysis;
  const lin_joins *joins = lin_joins_find(work->arena, a, false, false);
  fprintf(file, "function %s\n", a->graph->title);
  for (lin_block block = 0; block < a->graph->num_blocks; block++)
    if (joins->late[block])
      fprintf(file, "%s: %s\n", a->graph->name[block],
              joins->met[block] ? "threads wait" : "run for each way into it");
}
