// The plan as pseudo-code, and the lists of what its leaves hold.
//
//     region 0 from B1 to B6 {
//       B2                              a leaf of one block
//       next is B3 or B5                what its edges set
//       if next is B3 {
//         keep B3 B7 B8                 a leaf of several, which keeps its edges
//         next is B5
//       }
//       loop {
//         ...
//       } while next in B4..B5
//       B6 {                            a leaf with arms: edges that go straight into them
//         to B7 {
//           ...
//         }
//       }
//     }
//
// Trees can be deep, so the walk keeps its own stack.
#include "steps.h"

tool_leaves tool_leaves_build(lin_arena *arena, const lin_plan *plan) {
  const lin_regions *regions = plan->regions;
  uint32_t n = plan->analysis->graph->num_blocks, leaves = 0;
  for (uint32_t region = 0; region < regions->num_regions; region++)
    if (!regions->gone[region] && plan->first_leaf[region] + plan->num_leaves[region] > leaves)
      leaves = plan->first_leaf[region] + plan->num_leaves[region];
  tool_leaves result = {.first_block = LIN_ARRAY(arena, uint32_t, leaves),
                        .next_block = LIN_ARRAY(arena, uint32_t, n),
                        .first_inner = LIN_ARRAY(arena, uint32_t, leaves),
                        .next_inner = LIN_ARRAY(arena, uint32_t, regions->num_regions),
                        .first_outer = LIN_NONE};
  for (uint32_t leaf = 0; leaf < leaves; leaf++)
    result.first_block[leaf] = result.first_inner[leaf] = LIN_NONE;
  for (lin_block block = n; block-- > 0;) {
    uint32_t region = regions->owner[block];
    if (region == LIN_NONE)
      continue;
    uint32_t leaf = plan->first_leaf[region] + plan->leaf_of[block];
    result.next_block[block] = result.first_block[leaf];
    result.first_block[leaf] = block;
  }
  for (uint32_t region = regions->num_regions; region-- > 0;) {
    if (regions->gone[region])
      continue;
    uint32_t around = regions->parent[region];
    uint32_t *head = around == LIN_NONE
                         ? &result.first_outer
                         : &result.first_inner[plan->first_leaf[around] + plan->outer_leaf[region]];
    result.next_inner[region] = *head;
    *head = region;
  }
  return result;
}

// What the walk does next: a node (and its siblings), a region (and the next ones beside it), or
// the end of something that was opened.
typedef struct task {
  enum { NODES, REGIONS, END_REGION, END_IF, END_LOOP, END_LEAF, ARMS, END_ARM } kind;
  uint32_t index;
} task;

typedef struct printer {
  FILE *file;
  const lin_plan *plan;
  const lin_graph *graph;
  tool_leaves leaves;
  lin_block *noted; // [num_blocks] the leaf that has named the block as its next, plus 1
  task *task;
  uint32_t depth; // of task[]
  int indent;
} printer;

static void push(printer *p, int kind, uint32_t index) {
  if (index != LIN_NONE)
    p->task[p->depth++] = (task){kind, index};
}

static void indent(const printer *p) { fprintf(p->file, "%*s", p->indent, ""); }

static const char *leaf_name(const printer *p, uint32_t region, uint32_t leaf) {
  return p->graph->name[p->plan->entry[p->plan->first_leaf[region] + leaf]];
}

// "next is B3" or "next in B2..B4".
static void print_condition(const printer *p, const lin_node *node) {
  bool one = node->first == node->last;
  fprintf(p->file, "next %s %s", one ? "is" : "in", leaf_name(p, node->region, node->first));
  if (!one)
    fprintf(p->file, "..%s", leaf_name(p, node->region, node->last));
}

// Names a place that the leaf's edges lead to, once.
static void print_place(printer *p, uint32_t leaf, lin_block to, uint32_t *count) {
  if (p->noted[to] == leaf + 1)
    return;
  p->noted[to] = leaf + 1;
  if (*count == 0)
    indent(p);
  fprintf(p->file, "%s%s", (*count)++ == 0 ? "next is " : " or ", p->graph->name[to]);
}

// Where threads go that leave a leaf: from its own blocks, or from a region in it for that region's
// exit. Those that a doomed edge takes out of the region never come to a guard.
static void print_next(printer *p, const lin_node *node) {
  const lin_plan *plan = p->plan;
  const bool *doomed = plan->analysis->postdominators->doomed;
  uint32_t leaf = plan->first_leaf[node->region] + node->first, count = 0;
  for (lin_block block = p->leaves.first_block[leaf]; block != LIN_NONE;
       block = p->leaves.next_block[block])
    for (LIN_OUT_EDGES(p->graph, block, edge)) {
      lin_block to = p->graph->destination[edge];
      uint32_t there = lin_plan_leaf(plan, node->region, to);
      if (there != node->first && !(doomed[edge] && there == LIN_NONE))
        print_place(p, leaf, to, &count);
    }
  for (uint32_t inner = p->leaves.first_inner[leaf]; inner != LIN_NONE;
       inner = p->leaves.next_inner[inner]) {
    lin_block to = plan->regions->exit[inner];
    if (to != LIN_NONE && lin_plan_leaf(plan, node->region, to) != node->first)
      print_place(p, leaf, to, &count);
  }
  if (count > 0)
    fputc('\n', p->file);
}

static void print_leaf(printer *p, const lin_node *node, uint32_t index) {
  uint32_t leaf = p->plan->first_leaf[node->region] + node->first;
  lin_block block = p->leaves.first_block[leaf];
  bool one = block != LIN_NONE && p->leaves.next_block[block] == LIN_NONE &&
             p->leaves.first_inner[leaf] == LIN_NONE;
  if (block != LIN_NONE) {
    indent(p);
    fputs(one ? "" : "keep ", p->file);
    for (; block != LIN_NONE; block = p->leaves.next_block[block])
      fprintf(p->file, "%s%s", p->graph->name[block],
              p->leaves.next_block[block] == LIN_NONE ? "\n" : " ");
  }
  push(p, END_LEAF, index);
  push(p, REGIONS, p->leaves.first_inner[leaf]);
}

static void open_block(printer *p, const char *text) {
  fprintf(p->file, "%s {\n", text);
  p->indent += 2;
}

static void print_arm(printer *p, uint32_t index) {
  const lin_node *arm = &p->plan->node[index];
  indent(p);
  fputs(p->plan->node[arm->parent].first == LIN_NONE ? "from the entry to " : "to ", p->file);
  open_block(p, leaf_name(p, arm->region, arm->first));
  push(p, ARMS, arm->next);
  push(p, END_ARM, index);
  push(p, NODES, arm->child);
}

static bool is_else(const lin_plan *plan, uint32_t index) {
  uint32_t parent = plan->node[index].parent;
  return parent != LIN_NONE && plan->node[parent].kind == LIN_IF &&
         plan->node[parent].child != index;
}

static void print_else(printer *p) {
  p->indent -= 2;
  indent(p);
  open_block(p, "} else");
}

static void print_node(printer *p, uint32_t index) {
  const lin_node *node = &p->plan->node[index];
  push(p, NODES, node->next);
  switch (node->kind) {
  case LIN_BRANCH_NODE:
    push(p, ARMS, node->child);
    if (node->first != LIN_NONE)
      print_leaf(p, node, index);
    break;
  case LIN_LEAF:
    print_leaf(p, node, index);
    break;
  case LIN_IF:
    indent(p);
    fputs("if ", p->file);
    print_condition(p, node);
    open_block(p, "");
    push(p, END_IF, index);
    push(p, NODES, node->child);
    break;
  case LIN_LOOP:
    indent(p);
    open_block(p, "loop");
    push(p, END_LOOP, index);
    push(p, NODES, node->child);
    break;
  case LIN_SEQ:
    if (is_else(p->plan, index))
      print_else(p);
    push(p, NODES, node->child);
    break;
  }
}

static void print_region(printer *p, uint32_t region) {
  const lin_regions *regions = p->plan->regions;
  lin_block from = regions->dominator[region], to = regions->exit[region];
  push(p, REGIONS, p->leaves.next_inner[region]);
  indent(p);
  fprintf(p->file, "region %u from %s to %s {\n", region,
          from == LIN_NONE ? "the entry" : p->graph->name[from],
          to == LIN_NONE ? "nowhere" : p->graph->name[to]);
  p->indent += 2;
  push(p, END_REGION, region);
  push(p, NODES, p->plan->root[region]);
}

static void close(printer *p, task done) {
  p->indent -= 2;
  indent(p);
  fputc('}', p->file);
  if (done.kind == END_LOOP && p->plan->node[done.index].guard != LIN_NONE) {
    fputs(" while ", p->file);
    print_condition(p, &p->plan->node[done.index]);
  }
  fputc('\n', p->file);
}

void tool_print_plan(FILE *file, const tool_work *work) {
  const lin_plan *plan = work->result.plan;
  fprintf(file, "function %s\n", work->result.analysis->graph->title);
  if (plan == NULL)
    return;
  const lin_graph *graph = plan->analysis->graph;
  printer p = {.file = file,
               .plan = plan,
               .graph = graph,
               .leaves = tool_leaves_build(work->arena, plan),
               .noted = LIN_ARRAY(work->arena, lin_block, graph->num_blocks),
               .task = LIN_ARRAY(work->arena, task,
                                 3 * ((size_t)plan->num_nodes + plan->regions->num_regions) + 1)};
  push(&p, REGIONS, p.leaves.first_outer);
  while (p.depth > 0) {
    task next = p.task[--p.depth];
    switch (next.kind) {
    case NODES:
      print_node(&p, next.index);
      break;
    case REGIONS:
      print_region(&p, next.index);
      break;
    case END_LEAF:
      print_next(&p, &plan->node[next.index]);
      break;
    case ARMS:
      print_arm(&p, next.index);
      break;
    case END_REGION:
    case END_ARM:
    case END_IF:
    case END_LOOP:
      close(&p, next);
      break;
    }
  }
}
