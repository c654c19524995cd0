#include "conditions.h"

#include "code.h"
#include "common/terminal.h"

void tool_print_separator(FILE *file, uint32_t i, uint32_t count, const char *last) {
  if (i > 0)
    fprintf(file, i + 1 < count ? ", " : " %s ", last);
}

static void print_text(FILE *file, const char *text) {
  for (; *text != '\0'; text++)
    fputc((unsigned char)*text < ' ' || *text == '\x7f' ? '?' : *text, file);
}

void tool_print_name(const tool_words *w, lin_block block) {
  const lin_graph *graph = w->work->function->graph;
  print_text(w->file, block == graph->num_blocks ? "return" : graph->name[block]);
}

// ---- guards

enum { MOST_NAMED = 4 };

static void print_leaf(const tool_words *w, const lin_node *node, uint32_t leaf) {
  const lin_plan *plan = w->work->result.plan;
  lin_block entry = plan->entry[plan->first_leaf[node->region] + leaf];
  tool_print_name(w, w->work->result.order->origin[entry]);
}

static void print_guard(const tool_words *w, const lin_node *node, bool is_not) {
  uint32_t count = node->last - node->first + 1;
  fprintf(w->file, "%cnext", MARK_GUARD);
  if (count > MOST_NAMED) {
    fputs(is_not ? " not in " : " in ", w->file);
    print_leaf(w, node, node->first);
    fputs("..", w->file);
    print_leaf(w, node, node->last);
  } else {
    fputs(!is_not ? " is " : count == 1 ? " is not " : " is none of ", w->file);
    for (uint32_t i = 0; i < count; i++) {
      tool_print_separator(w->file, i, count, is_not ? "and" : "or");
      print_leaf(w, node, node->first + i);
    }
  }
  fputc(MARK_PLAIN, w->file);
}

// ---- branches

static void print_asked(const tool_words *w, lin_block block) {
  const tool_code *code = w->work->function->code;
  if (code != NULL && code->asked[block] != NULL)
    print_text(w->file, code->asked[block]);
  else
    tool_print_name(w, block);
}

// The edges of a block that do what `edge` does, or those that don't.
static uint32_t count_cases(const tool_words *w, lin_edge edge, bool same) {
  const lin_graph *graph = w->outline->graph;
  uint32_t count = 0;
  for (LIN_OUT_EDGES(graph, graph->source[edge], other))
    count += (w->outline->first[other] == w->outline->first[edge]) == same;
  return count;
}

static void print_case(const tool_words *w, lin_block original, uint32_t position) {
  const tool_code *code = w->work->function->code;
  if (code != NULL && code->is_switch[original])
    print_text(w->file, code->value[w->work->function->graph->first_edge[original] + position]);
  else
    fprintf(w->file, "%u", position);
}

// The first edge is a switch's default: where it is meant, cases are those of other edges.
static void print_cases(const tool_words *w, lin_edge edge, bool is_not) {
  const lin_graph *graph = w->outline->graph;
  lin_block block = graph->source[edge], original = w->side->original[block];
  const lin_edge *first = w->outline->first;
  bool is_default = first[edge] == graph->first_edge[block];
  uint32_t count = count_cases(w, edge, !is_default), i = 0;
  const char *none = count > 1 ? " is none of " : " is not ";
  print_asked(w, original);
  fputs(is_default != is_not ? none : " is ", w->file);
  for (LIN_OUT_EDGES(graph, block, other))
    if ((first[other] == first[edge]) != is_default) {
      tool_print_separator(w->file, i++, count, is_default != is_not ? "and" : "or");
      print_case(w, original, other - graph->first_edge[block]);
    }
}

void tool_print_condition(const tool_words *w, lin_edge edge, bool is_not) {
  const lin_graph *graph = w->outline->graph;
  const tool_code *code = w->work->function->code;
  lin_block block = graph->source[edge], original = w->side->original[block];
  bool is_second = edge != graph->first_edge[block];
  if (w->side->guard[block] != NULL) {
    print_guard(w, w->side->guard[block], is_second != is_not);
    return;
  }
  if (lin_out_degree(graph, block) > 2 || (code != NULL && code->is_switch[original])) {
    print_cases(w, edge, is_not);
    return;
  }
  fputs(is_second != is_not ? "not " : "", w->file);
  print_asked(w, original);
}
