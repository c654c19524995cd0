#include "picture.h"

#include "graph/dot.h"
#include "linearize/definition1_edges.h"

#include <string.h>

enum { MOST_CHARACTERS = 32, LARGE = 150 };

static const char at_ease[] = "bgcolor=transparent, newrank=true, fontname=sans, fontsize=11";
// The best ranks and the fewest crossings of a large graph would take minutes.
static const char in_a_hurry[] = "bgcolor=transparent, newrank=true, fontname=sans, fontsize=11, "
                                 "nslimit=0.5, nslimit1=0.5, mclimit=0.05, remincross=false";

typedef struct sketch {
  lin_arena arena;
  const report_function *function;
  const report_side *side;
} sketch;

static const char *shortened(sketch *s, const char *name) {
  size_t length = strlen(name);
  if (length <= MOST_CHARACTERS)
    return name;
  size_t kept = MOST_CHARACTERS - 3;
  while (kept > 0 && ((unsigned char)name[kept] & 0xc0) == 0x80) // not inside a character
    kept--;
  char *text = lin_arena_bytes(&s->arena, kept + 4);
  memcpy(text, name, kept);
  memcpy(text + kept, "...", 4);
  return text;
}

static void describe_blocks(sketch *s, lin_graph *graph, lin_dot_style *style) {
  const report_side *side = s->side;
  uint32_t n = graph->num_blocks;
  const char **name = LIN_ARRAY(&s->arena, const char *, n);
  const char **label = LIN_ARRAY(&s->arena, const char *, n);
  const char **shape = LIN_ARRAY(&s->arena, const char *, n);
  const char **class = LIN_ARRAY(&s->arena, const char *, n);
  for (lin_block block = 0; block < n; block++) {
    const report_block *b = &side->block[block];
    name[block] = shortened(s, side->graph->name[block]);
    label[block] = tool_lines_text(&s->arena, &b->own[s->function->level], s->function->file, 2);
    if (block >= side->num_blocks) {
      class[block] = "exit";
      shape[block] = "oval";
    } else if (b->is_guard && b->asks_for != LIN_NONE) {
      class[block] = "guard";
      shape[block] = "hexagon";
      const char *asks = shortened(s, side->graph->name[b->asks_for]);
      bool again = b->asks_for <= block;
      char *text = lin_arena_bytes(&s->arena, 64);
      if (side->block[b->asks_for].is_guard)
        snprintf(text, 64, again ? "go around?" : "guard");
      else
        snprintf(text, 64, "%s%s?", again ? "again " : "", asks);
      name[block] = text;
      label[block] = NULL;
    } else if (b->original == LIN_NONE) {
      class[block] = "added";
    }
  }
  graph->name = name;
  style->label = label;
  style->shape = shape;
  style->class = class;
}

static void describe_edges(sketch *s, const lin_graph *graph, lin_dot_style *style) {
  static const char *const kinds[] = {
      NULL,       "branch",          "jump-in",          "branch jump-in",
      "jump-out", "branch jump-out", "jump-in jump-out", "branch jump-in jump-out"};
  const char **class = LIN_ARRAY(&s->arena, const char *, graph->num_edges);
  const char **tail = LIN_ARRAY(&s->arena, const char *, graph->num_edges);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    lin_block source = graph->source[edge];
    const char *kind = kinds[s->side->kinds[edge] & 7];
    bool is_uniform = s->side->block[source].is_uniform;
    size_t size = (kind == NULL ? 0 : strlen(kind)) + 16;
    char *text = lin_arena_bytes(&s->arena, size);
    snprintf(text, size, "%s%s%s", kind == NULL ? "" : "unstructured ", kind == NULL ? "" : kind,
             is_uniform ? " uniform" : "");
    if (kind != NULL || is_uniform)
      class[edge] = text;
    lin_block asked = s->side->block[source].asks_for;
    if (asked != LIN_NONE)
      tail[edge] = graph->destination[edge] == asked ? "yes" : "no";
    else if (lin_out_degree(graph, source) == 2)
      tail[edge] = edge == graph->first_edge[source] ? "T" : "F";
  }
  style->edge_class = class;
  style->tail_label = tail;
}

static void frame_regions(sketch *s, lin_dot_style *style) {
  uint32_t count = s->function->num_regions, n = s->side->graph->num_blocks;
  uint32_t *cluster = LIN_ARRAY(&s->arena, uint32_t, n);
  uint32_t *parent = LIN_ARRAY(&s->arena, uint32_t, count);
  for (lin_block block = 0; block < n; block++)
    cluster[block] = s->side->block[block].region;
  for (uint32_t region = 0; region < count; region++)
    parent[region] = s->function->region[region].parent;
  style->cluster = cluster;
  style->num_clusters = count;
  style->cluster_parent = parent;
}

void report_print_picture(FILE *file, const report_function *function, const report_side *side,
                          bool framed) {
  sketch s = {{NULL, 0}, function, side};
  lin_graph graph = *side->graph;
  graph.title = function->name;
  lin_dot_style style = {.attributes = graph.num_blocks > LARGE ? in_a_hurry : at_ease};
  describe_blocks(&s, &graph, &style);
  describe_edges(&s, &graph, &style);
  if (framed)
    frame_regions(&s, &style);
  lin_dot_print(file, &graph, &style);
  lin_arena_release(&s.arena);
}
