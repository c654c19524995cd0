#include "gather.h"

enum { BEFORE = 1, BEHIND };
enum { MOST_TOPS = 8 }; // that are tried

typedef struct walk {
  const lin_graph *graph;
  lin_block meeting, *list;
  uint32_t count;
  uint8_t *mark; // [num_blocks]
} walk;

static void visit(walk *w, lin_block block, uint8_t mark) {
  if (block == w->meeting || w->mark[block] != 0)
    return;
  w->mark[block] = mark;
  w->list[w->count++] = block;
}

// What `block` leads to on the way to the meeting that isn't marked.
static void reach(walk *w, lin_block block, uint8_t mark) {
  uint32_t next = w->count;
  visit(w, block, mark);
  for (; next < w->count; next++)
    for (LIN_OUT_EDGES(w->graph, w->list[next], edge))
      visit(w, w->graph->destination[edge], mark);
}

// Whether all that leads from `top` to the meeting does so by `block` or around it, and nothing
// else leads there.
static bool find_from(lin_arena *arena, const lin_analysis *analysis, lin_block top,
                      lin_gathering *g) {
  const lin_graph *graph = analysis->graph;
  walk w = {.graph = graph,
            .meeting = g->meeting,
            .list = LIN_ARRAY(arena, lin_block, graph->num_blocks),
            .mark = LIN_ARRAY(arena, uint8_t, graph->num_blocks)};
  reach(&w, g->block, BEHIND);
  const uint32_t behind = w.count;
  if (w.mark[top] != 0)
    return false;
  reach(&w, top, BEFORE);
  for (uint32_t i = behind; i < w.count; i++) {
    if (!lin_tree_contains(analysis->dominators, top, w.list[i]))
      return false;
    for (LIN_OUT_EDGES(graph, w.list[i], edge)) {
      const lin_block to = graph->destination[edge];
      if (to == top || (to != g->meeting && to != g->block && w.mark[to] == BEHIND))
        return false;
    }
  }
  g->before = w.list + behind;
  g->num_before = w.count - behind;
  return true;
}

bool lin_gathering_find(lin_arena *arena, const lin_analysis *analysis, lin_block block,
                        lin_gathering *g) {
  const lin_tree *post = analysis->postdominators->tree;
  lin_block top = analysis->dominators->parent[block];
  *g = (lin_gathering){.block = block, .meeting = block == 0 ? LIN_NONE : post->parent[top]};
  if (g->meeting >= analysis->graph->num_blocks || lin_tree_contains(post, block, top))
    return false;
  bool found = find_from(arena, analysis, top, g);
  for (uint32_t i = 0; i < MOST_TOPS && !found && top != 0; i++) {
    top = analysis->dominators->parent[top];
    if (post->parent[top] != g->meeting)
      return false;
    found = find_from(arena, analysis, top, g);
  }
  return found;
}

bool lin_meld_meets(const lin_analysis *analysis, lin_block block) {
  const lin_graph *graph = analysis->graph;
  lin_block from = LIN_NONE;
  bool several = false;
  for (LIN_IN_EDGES(graph, block, i)) {
    const lin_block source = graph->source[graph->in_edge[i]];
    if (lin_tree_contains(analysis->dominators, block, source))
      continue;
    several |= from != LIN_NONE && from != source;
    from = source;
  }
  lin_arena scratch = {0};
  lin_gathering g;
  const bool meets = !several ||
                     lin_tree_contains(analysis->postdominators->tree, block,
                                       analysis->dominators->parent[block]) ||
                     lin_gathering_find(&scratch, analysis, block, &g);
  lin_arena_release(&scratch);
  return meets;
}
