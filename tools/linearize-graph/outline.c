// A walk over the nesting of blocks that knows, wherever it is, to which block the text falls on
// from there: an edge to that one needs no words. Nesting can be deep, so the walk keeps its own
// stack.
#include "outline.h"

#include "nesting.h"

#include <stdlib.h>

typedef struct task {
  enum { LIST, BLOCK, BRANCH, ITEM, AFTER_ITEM, AFTER_LOOP } kind;
  lin_block block;
  lin_block fall; // where the text falls on to behind it, or LIN_NONE
  uint32_t depth;
  uint32_t item;  // of the block's items: which
  uint32_t count; // how many
  bool has_rest;  // edges that fall on without being asked for
  bool is_chain;  // an earlier item falls on, so that the others are its else
} task;

typedef struct walk {
  lin_arena *arena;
  const lin_graph *graph;
  const tool_nesting *nesting;
  tool_outline *outline;
  uint32_t capacity;
  lin_edge *item;      // [num_edges] what a branch asks for, in the order of the text
  lin_block *break_to; // [num_blocks] of a header: what stands behind its loop
  bool *is_broken;     // [num_blocks] of a header: its loop has a break
  bool *is_labelled;   // [num_blocks]
  bool falls;          // the text comes to this point
  task *task;
  uint32_t num_tasks, task_capacity;
} walk;

static void push(walk *w, task t) {
  w->task = LIN_ROOM(w->arena, w->task, w->num_tasks, &w->task_capacity);
  w->task[w->num_tasks++] = t;
}

static void add(walk *w, tool_line_kind kind, uint32_t depth, lin_block block, lin_edge edge) {
  tool_outline *o = w->outline;
  o->line = LIN_ROOM(w->arena, o->line, o->num_lines, &w->capacity);
  o->line[o->num_lines++] = (tool_line){kind, depth, block, edge};
}

// ---- edges that do the same

typedef struct way {
  lin_block to;
  uint32_t set;
  lin_edge edge;
} way;

static int by_way(const void *left, const void *right) {
  const way *a = left, *b = right;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  if (a->set != b->set)
    return a->set < b->set ? -1 : 1;
  return a->edge < b->edge ? -1 : a->edge > b->edge;
}

static void find_first(lin_arena *arena, tool_outline *o) {
  const lin_graph *graph = o->graph;
  way *ways = LIN_ARRAY(arena, way, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    ways[edge] = (way){graph->destination[edge], o->set[edge], edge};
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    lin_edge first = graph->first_edge[block], count = lin_out_degree(graph, block);
    qsort(ways + first, count, sizeof *ways, by_way);
    for (uint32_t i = first; i < first + count; i++) {
      bool same = i > first && ways[i].to == ways[i - 1].to && ways[i].set == ways[i - 1].set;
      o->first[ways[i].edge] = same ? o->first[ways[i - 1].edge] : ways[i].edge;
      o->next[ways[i].edge] = LIN_NONE;
      if (same)
        o->next[ways[i - 1].edge] = ways[i].edge;
    }
  }
}

// ---- branches

static bool is_arm(const walk *w, lin_edge edge) {
  lin_block to = w->graph->destination[edge];
  return w->nesting->place[to] == PLACE_ARM && w->nesting->parent[to] == w->graph->source[edge];
}

static bool is_rest(const walk *w, lin_edge edge, lin_block fall) {
  return w->graph->destination[edge] == fall && w->outline->set[edge] == LIN_NONE &&
         !is_arm(w, edge);
}

// What is asked first: ways that don't come to what stands behind the branch, for they need no
// else. Of a switch, the default comes last.
static uint32_t rank(const walk *w, lin_edge edge, lin_block fall) {
  lin_block source = w->graph->source[edge], to = w->graph->destination[edge];
  bool is_default = lin_out_degree(w->graph, source) > 2 && edge == w->graph->first_edge[source];
  if (!is_arm(w, edge))
    return to != fall ? 0 : is_default ? 3 : 2;
  if (is_default)
    return 3;
  return w->nesting->is_closed[to] ? 1 : 2;
}

// The items of a block, in order of their rank; returns how many.
static uint32_t find_items(walk *w, lin_block block, lin_block fall, bool *has_rest) {
  lin_edge *item = w->item + w->graph->first_edge[block];
  uint32_t count = 0;
  for (uint32_t wanted = 0; wanted < 4; wanted++)
    for (LIN_OUT_EDGES(w->graph, block, edge)) {
      if (w->outline->first[edge] != edge)
        continue;
      if (is_rest(w, edge, fall))
        *has_rest = true;
      else if (rank(w, edge, fall) == wanted)
        item[count++] = edge;
    }
  return count;
}

// Where the edge leads, if that isn't where the text falls on to.
static void add_jump(walk *w, lin_edge edge, lin_block fall, uint32_t depth) {
  lin_block from = w->graph->source[edge], to = w->graph->destination[edge];
  lin_block loop = w->nesting->loop[from];
  w->falls = to == fall;
  if (to == fall)
    return;
  if (to == loop) {
    add(w, LINE_CONTINUE, depth, from, edge);
  } else if (loop != LIN_NONE && to == w->break_to[loop]) {
    w->is_broken[loop] = true;
    add(w, LINE_BREAK, depth, from, edge);
  } else {
    w->is_labelled[to] = true;
    add(w, LINE_GOTO, depth, from, edge);
  }
}

static void add_way(walk *w, lin_edge edge, lin_block fall, uint32_t depth) {
  w->falls = true;
  if (w->outline->set[edge] != LIN_NONE)
    add(w, LINE_SET, depth, w->graph->source[edge], edge);
  if (is_arm(w, edge))
    push(w,
         (task){.kind = BLOCK, .block = w->graph->destination[edge], .fall = fall, .depth = depth});
  else
    add_jump(w, edge, fall, depth);
}

static void do_branch(walk *w, task t) {
  const lin_graph *graph = w->graph;
  if (lin_out_degree(graph, t.block) == 0) {
    bool returns = (graph->flags[t.block] & LIN_RETURN) != 0;
    add(w, returns ? LINE_RETURN : LINE_TRAP, t.depth, t.block, LIN_NONE);
    w->falls = false;
    return;
  }
  t.kind = ITEM;
  t.count = find_items(w, t.block, t.fall, &t.has_rest);
  if (t.count > 0)
    push(w, t);
}

static bool is_unasked(task t) { return t.item + 1 == t.count && !t.has_rest; }

static void do_item(walk *w, task t) {
  lin_edge edge = w->item[w->graph->first_edge[t.block] + t.item];
  bool is_open = t.is_chain || !is_unasked(t);
  if (t.is_chain)
    add(w, is_unasked(t) ? LINE_ELSE : LINE_ELSE_IF, t.depth, t.block, edge);
  else if (is_open)
    add(w, LINE_IF, t.depth, t.block, edge);
  t.kind = AFTER_ITEM;
  push(w, t);
  add_way(w, edge, t.fall, t.depth + is_open);
}

static void do_after_item(walk *w, task t) {
  bool is_last = t.item + 1 == t.count, is_flat = is_unasked(t) && !t.is_chain;
  t.is_chain |= w->falls;
  if (!is_flat && (is_last || !t.is_chain))
    add(w, LINE_END, t.depth, t.block, LIN_NONE);
  if (is_last) {
    w->falls = t.is_chain || t.has_rest;
    return;
  }
  t.kind = ITEM;
  t.item++;
  push(w, t);
}

// ---- blocks and loops

static void do_block(walk *w, task t) {
  const tool_nesting *n = w->nesting;
  w->falls = true;
  add(w, LINE_LABEL, t.depth, t.block, LIN_NONE);
  if (tool_nesting_is_header(n, t.block)) {
    lin_block behind = n->first_behind[t.block];
    w->break_to[t.block] = behind != LIN_NONE ? behind : t.fall;
    if (behind != LIN_NONE)
      push(w, (task){.kind = LIST, .block = behind, .fall = t.fall, .depth = t.depth});
    add(w, LINE_LOOP, t.depth, t.block, LIN_NONE);
    t.kind = AFTER_LOOP;
    push(w, t);
    t.fall = t.block;
    t.depth++;
  }
  add(w, LINE_BLOCK, t.depth, t.block, LIN_NONE);
  lin_block inside = n->first_inside[t.block];
  if (inside != LIN_NONE) {
    push(w, (task){.kind = LIST, .block = inside, .fall = t.fall, .depth = t.depth});
    t.fall = inside;
  }
  t.kind = BRANCH;
  push(w, t);
}

static void do_list(walk *w, task t) {
  lin_block next = w->nesting->next[t.block];
  if (next != LIN_NONE) {
    task rest = t;
    rest.block = next;
    push(w, rest);
    t.fall = next;
  }
  do_block(w, t);
}

// A loop whose last words are "if ... break" goes around while that isn't so.
static void do_after_loop(walk *w, task t) {
  tool_outline *o = w->outline;
  lin_edge edge = LIN_NONE;
  const tool_line *last = o->line + o->num_lines;
  if (last[-1].kind == LINE_END && last[-2].kind == LINE_BREAK && last[-3].kind == LINE_IF &&
      last[-3].depth == t.depth + 1) {
    edge = last[-3].edge;
    o->num_lines -= 3;
  }
  add(w, LINE_END_LOOP, t.depth, t.block, edge);
  w->falls = w->is_broken[t.block];
}

static void drop_unused_labels(const walk *w) {
  tool_outline *o = w->outline;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o->num_lines; i++)
    if (o->line[i].kind != LINE_LABEL || w->is_labelled[o->line[i].block])
      o->line[kept++] = o->line[i];
  o->num_lines = kept;
}

static void run(walk *w) {
  static void (*const does[])(walk *, task) = {
      [LIST] = do_list, [BLOCK] = do_block,           [BRANCH] = do_branch,
      [ITEM] = do_item, [AFTER_ITEM] = do_after_item, [AFTER_LOOP] = do_after_loop,
  };
  push(w, (task){.kind = BLOCK, .fall = LIN_NONE});
  while (w->num_tasks > 0) {
    task t = w->task[--w->num_tasks];
    does[t.kind](w, t);
  }
}

tool_outline *tool_outline_build(lin_arena *arena, const lin_graph *graph, const lin_loops *loops,
                                 const uint32_t *set) {
  uint32_t blocks = graph->num_blocks;
  tool_outline *o = LIN_NEW(arena, tool_outline);
  *o = (tool_outline){.graph = graph,
                      .set = set,
                      .first = LIN_ARRAY(arena, lin_edge, graph->num_edges),
                      .next = LIN_ARRAY(arena, lin_edge, graph->num_edges)};
  find_first(arena, o);
  walk w = {.arena = arena,
            .graph = graph,
            .nesting = tool_nesting_build(arena, graph, loops, set),
            .outline = o,
            .item = LIN_ARRAY(arena, lin_edge, graph->num_edges),
            .break_to = LIN_ARRAY(arena, lin_block, blocks),
            .is_broken = LIN_ARRAY(arena, bool, blocks),
            .is_labelled = LIN_ARRAY(arena, bool, blocks)};
  run(&w);
  drop_unused_labels(&w);
  return o;
}
