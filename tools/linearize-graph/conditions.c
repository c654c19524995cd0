#include "conditions.h"

#include "code.h"
#include "common/terminal.h"

void tool_print_separator(FILE *file, uint32_t i, uint32_t count, const char *last) {
  if (i > 0)
    fprintf(file, i + 1 < count ? ", " : " %s ", last);
}

void tool_print_text(FILE *file, const char *text) {
  for (; *text != '\0'; text++)
    fputc((unsigned char)*text < ' ' || *text == '\x7f' ? '?' : *text, file);
}

void tool_print_name(const tool_words *w, lin_block block) {
  const lin_graph *graph = w->work->function->graph;
  tool_print_text(w->file, block == graph->num_blocks ? "return" : graph->name[block]);
}

// ---- guards

// More than that are the first and the last, in the order of --step regions.
enum { MOST_NAMED = 8 };

static void print_leaf(const tool_words *w, const lin_node *node, uint32_t leaf) {
  const lin_plan *plan = w->work->result.plan;
  lin_block entry = plan->entry[plan->first_leaf[node->region] + leaf];
  tool_print_name(w, w->work->result.shape.order->origin[entry]);
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
    tool_print_text(w->file, code->asked[block]);
  else
    tool_print_name(w, block);
}

static void print_case(const tool_words *w, lin_block original, uint32_t position) {
  const tool_code *code = w->work->function->code;
  if (code != NULL && code->is_switch[original])
    tool_print_text(w->file,
                    code->value[w->work->function->graph->first_edge[original] + position]);
  else
    fprintf(w->file, "%u", position);
}

// The edges that are named where `edge` is asked for: those that do the same; where a switch's
// default, its first edge, is among them, those that don't. Returns how many.
static uint32_t find_named(const tool_words *w, lin_edge edge, lin_edge *named) {
  const lin_graph *graph = w->outline->graph;
  const lin_edge *first = w->outline->first;
  lin_edge around = graph->first_edge[graph->source[edge]];
  uint32_t count = 0;
  if (first[edge] != around)
    for (lin_edge same = first[edge]; same != LIN_NONE; same = w->outline->next[same])
      named[count++] = same;
  else
    for (LIN_OUT_EDGES(graph, graph->source[edge], other))
      if (first[other] != around)
        named[count++] = other;
  return count;
}

static void print_cases(const tool_words *w, lin_edge edge, bool is_not) {
  const lin_graph *graph = w->outline->graph;
  lin_block block = graph->source[edge], original = w->side->original[block];
  uint32_t count = find_named(w, edge, w->scratch);
  is_not ^= w->outline->first[edge] == graph->first_edge[block];
  print_asked(w, original);
  fputs(!is_not ? " is " : count > 1 ? " is none of " : " is not ", w->file);
  for (uint32_t i = 0; i < count; i++) {
    tool_print_separator(w->file, i, count, is_not ? "and" : "or");
    print_case(w, original, w->scratch[i] - graph->first_edge[block]);
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
