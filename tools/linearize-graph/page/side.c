// One side: the graph as linearize reads it, unstructured edges, what blocks are.
#include "ir_text.h"
#include "report.h"

#include "driver/pipeline.h"
#include "linearize-graph/sides.h"
#include "linearize/minimal.h"
#include "llvm/read/read.h"

#include <string.h>

typedef struct reader {
  lin_arena *arena;
  tool_sources *sources;
  lin_ir_function *f;
  unsigned guard_kind;
} reader;

static bool is_counted(LLVMValueRef instruction) {
  return LLVMIsAPHINode(instruction) == NULL && LLVMIsADbgInfoIntrinsic(instruction) == NULL;
}

static void read_block(const reader *r, report_block *block, lin_block number) {
  LLVMBasicBlockRef from = r->f->block[number];
  for (LLVMValueRef at = LLVMGetFirstInstruction(from); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    block->instructions += is_counted(at);
    tool_add_lines(r->sources, at, &block->lines, block->own);
  }
  tool_sort_lines(&block->lines);
  for (uint32_t level = 0; level < TOOL_LEVELS; level++) {
    tool_sort_lines(&block->own[level]);
    if (level > 0 && block->own[level].count == 0) // nothing was inlined into this block
      block->own[level] = block->own[level - 1];
  }
  LLVMValueRef terminator = LLVMGetBasicBlockTerminator(from);
  block->is_guard =
      LLVMGetMetadata(terminator, r->guard_kind) != NULL && LLVMGetNumSuccessors(terminator) == 2;
  block->original = block->region = block->asks_for = LIN_NONE;
}

// The united graph if it differs from the function's in more than a name for its end.
static const lin_graph *choose_graph(const lin_graph *graph, const lin_graph *united) {
  uint32_t returns = 0;
  for (lin_block block = 0; block < graph->num_blocks; block++)
    returns += (graph->flags[block] & LIN_RETURN) != 0;
  return returns > 1 ? united : graph;
}

// A guard asks for the block that it alone leads to; the guard of a loop, for its first.
static void read_guards(report_side *side) {
  const lin_graph *graph = side->graph;
  for (lin_block block = 0; block < side->num_blocks; block++) {
    if (!side->block[block].is_guard)
      continue;
    side->guards++;
    lin_edge yes = graph->first_edge[block];
    if (lin_in_degree(graph, graph->destination[yes]) > 1 &&
        lin_in_degree(graph, graph->destination[yes + 1]) == 1)
      yes++;
    side->block[block].asks_for = graph->destination[yes];
  }
}

static lin_block origin_in(const lin_order *order, lin_block block, uint32_t num_blocks) {
  lin_block old = block == LIN_NONE ? LIN_NONE : order->origin[block];
  return old < num_blocks ? old : LIN_NONE;
}

static void read_regions(lin_arena *arena, report_function *of, report_side *side,
                         const lin_order *order, const lin_analysis *analysis) {
  const lin_minimal *minimal = lin_minimal_build(arena, analysis);
  const lin_regions *regions = minimal->regions;
  of->num_regions = regions->num_regions;
  of->region = LIN_ARRAY(arena, report_region, regions->num_regions);
  for (uint32_t region = 0; region < regions->num_regions; region++) {
    uint32_t parent = regions->parent[region];
    of->region[minimal->number[region]] =
        (report_region){parent == LIN_NONE ? LIN_NONE : minimal->number[parent],
                        origin_in(order, regions->dominator[region], side->num_blocks),
                        origin_in(order, regions->exit[region], side->num_blocks)};
  }
  for (lin_block block = 0; block < analysis->graph->num_blocks; block++) {
    lin_block old = order->origin[block];
    if (old < side->graph->num_blocks && regions->owner[block] != LIN_NONE)
      side->block[old].region = minimal->number[regions->owner[block]];
  }
}

report_side report_read_side(lin_arena *arena, LLVMValueRef function, const report_texts *texts,
                             tool_sources *sources, report_function *of) {
  lin_ir_read_options options = {.force = true};
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  reader r = {arena, sources, lin_ir_read(arena, function, &options),
              LLVMGetMDKindIDInContext(context, "linearize.guard", 15)};
  const lin_shape shape = lin_shape_build(arena, r.f->graph);
  const lin_analysis *analysis = shape.analysis;
  report_side side = {.graph = choose_graph(r.f->graph, shape.united),
                      .num_blocks = r.f->graph->num_blocks};
  side.block = LIN_ARRAY(arena, report_block, side.graph->num_blocks);
  side.kinds = LIN_ARRAY(arena, uint8_t, side.graph->num_edges);
  const char **text = report_block_texts(arena, texts, function, side.num_blocks);
  for (lin_block block = 0; block < side.graph->num_blocks; block++) {
    const char *name = side.graph->name[block];
    side.graph->name[block] = tool_utf8(arena, name, strlen(name));
    side.block[block].text = block < side.num_blocks ? text[block] : "";
    side.block[block].original = side.block[block].region = side.block[block].asks_for = LIN_NONE;
    if (block < side.num_blocks)
      read_block(&r, &side.block[block], block);
    side.instructions += side.block[block].instructions;
  }
  uint8_t *returning =
      LIN_ARRAY(arena, uint8_t, shape.united->num_blocks); // is structured, or united
  tool_find_kinds(side.graph, &shape, side.kinds, returning);
  side.unstructured = analysis->num_unstructured;
  for (uint32_t loop = 0; loop < analysis->loops->num_loops; loop++)
    side.irreducible += analysis->loops->irreducible[loop];
  read_guards(&side);
  if (of != NULL) {
    of->refused = r.f->refused;
    read_regions(arena, of, &side, shape.order, analysis);
  }
  return side;
}
