// Frames are Graphviz clusters, nested in the text as they are in the picture; blocks come inside
// the innermost frame around them, edges last. Blocks are called by number, since names can be
// anything.
#include "dot.h"

// Characters of names that mean something in a quoted string, and those that no picture shows.
// Graphviz takes `&lt;` in any text for `<`.
static void print_escaped(FILE *file, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '&') {
      fputs("&amp;", file);
      continue;
    }
    if (*text == '"' || *text == '\\')
      fputc('\\', file);
    if (*text == '\n')
      fputs("\\n", file);
    else
      fputc((unsigned char)*text < ' ' ? '?' : *text, file);
  }
}

static void print_attribute(FILE *file, const char *name, const char *const *values,
                            uint32_t index) {
  if (values == NULL || values[index] == NULL)
    return;
  fprintf(file, " %s=\"", name);
  print_escaped(file, values[index]);
  fputc('"', file);
}

static void print_block(FILE *file, const lin_graph *graph, const lin_dot_style *style,
                        lin_block block) {
  fprintf(file, "  %u [label=\"", (unsigned)block);
  print_escaped(file, graph->name[block]);
  if (style->label != NULL && style->label[block] != NULL) {
    fputs("\\n", file);
    print_escaped(file, style->label[block]);
  }
  fputc('"', file);
  if (style->colour != NULL && style->colour[block] != NULL)
    fputs(" style=filled", file);
  print_attribute(file, "fillcolor", style->colour, block);
  print_attribute(file, "shape", style->shape, block);
  print_attribute(file, "class", style->class, block);
  fputs("];\n", file);
}

static void print_edge(FILE *file, const lin_graph *graph, const lin_dot_style *style,
                       lin_edge edge) {
  fprintf(file, "  %u -> %u [", (unsigned)graph->source[edge], (unsigned)graph->destination[edge]);
  print_attribute(file, "label", style->edge_label, edge);
  print_attribute(file, "taillabel", style->tail_label, edge);
  print_attribute(file, "class", style->edge_class, edge);
  print_attribute(file, "color", style->edge_colour, edge);
  fputs("];\n", file);
}

// What stands directly in each frame, as lists in rising order; frame num_clusters is the picture.
typedef struct frames {
  uint32_t *first_block; // [num_clusters + 1]
  uint32_t *next_block;  // [num_blocks]
  uint32_t *first_inner; // [num_clusters + 1]
  uint32_t *next_inner;  // [num_clusters]
} frames;

static uint32_t frame_of(const uint32_t *around, uint32_t index, uint32_t picture) {
  return around == NULL || around[index] == LIN_NONE ? picture : around[index];
}

static frames list_frames(lin_arena *arena, const lin_graph *graph, const lin_dot_style *style) {
  uint32_t picture = style->num_clusters;
  frames f = {.first_block = LIN_ARRAY(arena, uint32_t, (size_t)picture + 1),
              .next_block = LIN_ARRAY(arena, uint32_t, graph->num_blocks),
              .first_inner = LIN_ARRAY(arena, uint32_t, (size_t)picture + 1),
              .next_inner = LIN_ARRAY(arena, uint32_t, picture)};
  for (uint32_t frame = 0; frame <= picture; frame++)
    f.first_block[frame] = f.first_inner[frame] = LIN_NONE;
  for (lin_block block = graph->num_blocks; block-- > 0;) {
    uint32_t frame = frame_of(style->cluster, block, picture);
    f.next_block[block] = f.first_block[frame];
    f.first_block[frame] = block;
  }
  for (uint32_t inner = picture; inner-- > 0;) {
    uint32_t frame = frame_of(style->cluster_parent, inner, picture);
    f.next_inner[inner] = f.first_inner[frame];
    f.first_inner[frame] = inner;
  }
  return f;
}

static void open_frame(FILE *file, const lin_graph *graph, const lin_dot_style *style,
                       const frames *f, uint32_t frame) {
  if (frame < style->num_clusters) {
    unsigned number = frame;
    fprintf(file, "  subgraph cluster_%u { graph [color=gray50 label=\"region %u\"];\n", number,
            number);
  }
  for (lin_block block = f->first_block[frame]; block != LIN_NONE; block = f->next_block[block])
    print_block(file, graph, style, block);
}

static void print_frames(FILE *file, const lin_graph *graph, const lin_dot_style *style) {
  lin_arena arena = {NULL, 0};
  frames f = list_frames(&arena, graph, style);
  uint32_t picture = style->num_clusters;
  open_frame(file, graph, style, &f, picture);
  for (uint32_t frame = picture;;) {
    uint32_t inner = f.first_inner[frame];
    if (inner != LIN_NONE) { // go in, once for each
      f.first_inner[frame] = f.next_inner[inner];
      open_frame(file, graph, style, &f, inner);
      frame = inner;
    } else if (frame == picture) {
      break;
    } else {
      fputs("  }\n", file);
      frame = frame_of(style->cluster_parent, frame, picture);
    }
  }
  lin_arena_release(&arena);
}

void lin_dot_print(FILE *file, const lin_graph *graph, const lin_dot_style *style) {
  static const lin_dot_style plain;
  if (style == NULL)
    style = &plain;
  fputs("digraph \"", file);
  print_escaped(file, graph->title);
  fputs("\" {\n  node [shape=box, fontname=monospace];\n", file);
  if (style->attributes != NULL)
    fprintf(file, "  graph [%s];\n", style->attributes);
  print_frames(file, graph, style);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    print_edge(file, graph, style, edge);
  fputs("}\n", file);
}
