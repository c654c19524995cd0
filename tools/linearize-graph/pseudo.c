// A function as pseudo-code, before and after.
//
//     if B1 {                 the branch of block B1 takes its first way
//       next = B3             which block a thread runs next; guards ask for it
//     } else {
//       B2                    runs block B2
//       next = B2 ? B3 : B5
//     }
//     if next is B3 {
//
// Lines are marked for terminals.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "pseudo.h"

#include "code.h"
#include "conditions.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 40, MOST_SOURCES = 3 };

typedef struct printer {
  tool_words words;
  const tool_source *source; // the text of source lines, or NULL
} printer;

static void indent(const printer *p, uint32_t depth) {
  uint32_t columns = 2 * (depth < DEEPEST ? depth : DEEPEST) + 4;
  fprintf(p->words.file, "%*s", (int)columns, "");
}

// ---- blocks

static void print_contents(const printer *p, lin_block original) {
  const tool_code *code = p->words.work->function->code;
  FILE *file = p->words.file;
  if (code == NULL)
    return;
  uint32_t count = code->num_instructions[original];
  fprintf(file, "%c (%u instruction%s", MARK_FAINT, count, count == 1 ? "" : "s");
  const char *lines =
      tool_lines_text(p->words.work->arena, &code->lines[original], code->file, UINT32_MAX);
  if (lines != NULL)
    fprintf(file, ", %s", lines);
  fprintf(file, ")%c", MARK_PLAIN);
}

// Where unstructured edges come from.
static void print_sources(const printer *p, lin_block block) {
  const lin_graph *graph = p->words.outline->graph;
  const tool_side *side = p->words.side;
  uint32_t count = 0, i = 0;
  for (LIN_IN_EDGES(graph, block, at)) {
    lin_edge edge = graph->in_edge[at];
    count += side->kinds[edge] != 0 && p->words.outline->first[edge] == edge;
  }
  if (count == 0)
    return;
  uint32_t shown = count > MOST_SOURCES + 1 ? MOST_SOURCES : count;
  fprintf(p->words.file, "%c  # unstructured from ", MARK_BAD);
  for (LIN_IN_EDGES(graph, block, at)) {
    lin_edge edge = graph->in_edge[at];
    if (side->kinds[edge] == 0 || p->words.outline->first[edge] != edge || i == shown)
      continue;
    tool_print_separator(p->words.file, i++, count, "and");
    lin_block from = side->original[graph->source[edge]];
    if (from == LIN_NONE)
      fputs("a guard", p->words.file);
    else
      tool_print_name(&p->words, from);
  }
  if (shown < count)
    fprintf(p->words.file, " and %u more", count - shown);
  fputc(MARK_PLAIN, p->words.file);
}

// A line of the source, without blanks around it.
static void print_source(FILE *file, const char *line) {
  line = line == NULL ? "" : line + strspn(line, " \t");
  size_t length = strlen(line);
  while (length > 0 && strchr(" \t", line[length - 1]) != NULL)
    length--;
  for (size_t i = 0; i < length; i++)
    fputc((unsigned char)line[i] < ' ' ? ' ' : line[i], file);
}

static void print_block(const printer *p, const tool_line *line) {
  lin_block original = p->words.side->original[line->block];
  if (original == LIN_NONE)
    return;
  indent(p, line->depth);
  tool_print_name(&p->words, original);
  print_contents(p, original);
  print_sources(p, line->block);
  fputc('\n', p->words.file);
  const tool_code *code = p->words.work->function->code;
  for (uint32_t i = 0; p->source != NULL && i < code->lines[original].count; i++) {
    indent(p, line->depth);
    fprintf(p->words.file, "%c| ", MARK_FAINT);
    print_source(p->words.file, p->source->text[code->lines[original].at[i].line]);
    fprintf(p->words.file, "%c\n", MARK_PLAIN);
  }
}

static void print_label(const printer *p, lin_block block) {
  lin_block original = p->words.side->original[block];
  if (original != LIN_NONE)
    tool_print_name(&p->words, original);
  else // a guard, or the united exit, that something is still led to
    tool_print_text(p->words.file, p->words.side->order->graph->name[block]);
}

// ---- what edges do

static void print_kinds(const printer *p, unsigned kinds) {
  if (kinds != 0)
    fprintf(p->words.file, "  # unstructured: %s%c", tool_kinds_text(p->words.work->arena, kinds),
            MARK_PLAIN);
}

static void print_jump(const printer *p, const tool_line *line) {
  FILE *file = p->words.file;
  const tool_side *side = p->words.side;
  bool is_end = line->kind == LINE_RETURN || line->kind == LINE_TRAP;
  unsigned kinds = is_end ? side->returning[line->block] : side->kinds[line->edge];
  if (kinds != 0)
    fputc(MARK_BAD, file);
  if (line->kind == LINE_GOTO) {
    fputs("goto ", file);
    print_label(p, side->order->graph->destination[line->edge]);
  } else {
    fputs(line->kind == LINE_BREAK      ? "break"
          : line->kind == LINE_CONTINUE ? "continue"
          : line->kind == LINE_RETURN   ? "return"
                                        : "trap",
          file);
  }
  print_kinds(p, kinds);
}

static void print_set(const printer *p, lin_edge edge) {
  fprintf(p->words.file, "%cnext = ", MARK_GUARD);
  tool_print_name(&p->words, p->words.outline->set[edge]);
  fputc(MARK_PLAIN, p->words.file);
}

// ---- lines

static bool are_kinds(const tool_outline *o, uint32_t at, const tool_line_kind *kinds,
                      uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (at + i >= o->num_lines || o->line[at + i].kind != kinds[i])
      return false;
  return true;
}

// "if c goto B3" in one line; returns how many of the outline it stands for, 0 if it isn't that.
static uint32_t print_short_if(const printer *p, uint32_t at) {
  const tool_outline *o = p->words.outline;
  const tool_line *line = o->line + at;
  bool is_jump = at + 2 < o->num_lines && line[1].kind >= LINE_GOTO &&
                 line[1].kind <= LINE_CONTINUE && line[2].kind == LINE_END;
  if (line->kind != LINE_IF || !is_jump)
    return 0;
  fputs("if ", p->words.file);
  tool_print_condition(&p->words, line->edge, false);
  fputc(' ', p->words.file);
  print_jump(p, line + 1);
  return 3;
}

// "next = c ? B3 : B5" in one line.
static uint32_t print_choice(const printer *p, uint32_t at) {
  static const tool_line_kind kinds[] = {LINE_IF, LINE_SET, LINE_ELSE, LINE_SET, LINE_END};
  const tool_outline *o = p->words.outline;
  const uint32_t count = sizeof kinds / sizeof *kinds - 1; // all but the end
  if (!are_kinds(o, at, kinds, count + 1))
    return 0;
  FILE *file = p->words.file;
  fprintf(file, "%cnext%c = ", MARK_GUARD, MARK_PLAIN);
  tool_print_condition(&p->words, o->line[at].edge, false);
  for (uint32_t i = 1; i < count; i += 2) {
    fprintf(file, i == 1 ? " ? %c" : " : %c", MARK_GUARD);
    tool_print_name(&p->words, o->set[o->line[at + i].edge]);
    fputc(MARK_PLAIN, file);
  }
  return count + 1;
}

static void print_words(const printer *p, const tool_line *line) {
  FILE *file = p->words.file;
  switch (line->kind) {
  case LINE_SET:
    print_set(p, line->edge);
    break;
  case LINE_IF:
  case LINE_ELSE_IF:
    fputs(line->kind == LINE_IF ? "if " : "} else if ", file);
    tool_print_condition(&p->words, line->edge, false);
    fputs(" {", file);
    break;
  case LINE_ELSE:
    fputs("} else {", file);
    break;
  case LINE_END:
    fputc('}', file);
    break;
  case LINE_LOOP:
    fputs("loop {", file);
    break;
  case LINE_END_LOOP:
    fputs(line->edge == LIN_NONE ? "}" : "} while ", file);
    if (line->edge != LIN_NONE)
      tool_print_condition(&p->words, line->edge, true);
    break;
  default:
    print_jump(p, line);
    break;
  }
}

// Prints what stands at line `at` of the outline; returns how many it stands for.
static uint32_t print_line(const printer *p, uint32_t at) {
  const tool_line *line = p->words.outline->line + at;
  if (line->kind == LINE_BLOCK) {
    print_block(p, line);
    return 1;
  }
  if (line->kind == LINE_LABEL) {
    fprintf(p->words.file, "%*s%c", (int)(2 * (line->depth < DEEPEST ? line->depth : DEEPEST) + 2),
            "", MARK_BOLD);
    print_label(p, line->block);
    fprintf(p->words.file, ":%c\n", MARK_PLAIN);
    return 1;
  }
  indent(p, line->depth);
  uint32_t used = print_short_if(p, at);
  used = used > 0 ? used : print_choice(p, at);
  if (used == 0)
    print_words(p, line);
  fputc('\n', p->words.file);
  return used > 0 ? used : 1;
}

// ---- functions

static FILE *open_text(char **text, size_t *length) {
  FILE *file = open_memstream(text, length);
  if (file == NULL)
    abort();
  return file;
}

static char *print_side(const tool_work *work, const tool_side *side, const tool_source *source,
                        const char *title) {
  char *text;
  size_t length;
  FILE *file = open_text(&text, &length);
  fputs(title, file);
  const lin_order *order = side->order;
  printer p = {
      .words = {.file = file,
                .work = work,
                .side = side,
                .outline = tool_outline_build(work->arena, order->graph, order->loops, side->set),
                .scratch = LIN_ARRAY(work->arena, lin_edge, order->graph->num_edges)},
      .source = source == NULL || source->error != NULL ? NULL : source};
  for (uint32_t at = 0; at < p.words.outline->num_lines;)
    at += print_line(&p, at);
  fclose(file);
  return text;
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void print_title(FILE *file, const lin_graph *graph, const char *when) {
  fputc(MARK_BOLD, file);
  tool_print_text(file, graph->title);
  fprintf(file, ", %s:%c ", when, MARK_PLAIN);
}

static char *print_before(const tool_work *work, const tool_source *source) {
  const lin_graph *graph = work->function->graph;
  const tool_side *side = tool_side_before(work);
  uint32_t edges = side->num_unstructured;
  uint32_t lost = graph->num_blocks - side->order->graph->num_blocks;
  char *title;
  size_t length;
  FILE *file = open_text(&title, &length);
  print_title(file, graph, "before");
  fprintf(file, "%u block%s, %u unstructured edge%s\n", graph->num_blocks,
          plural(graph->num_blocks), edges, plural(edges));
  if (lost > 0)
    fprintf(file, "    # without %u block%s that nothing leads to\n", lost, plural(lost));
  if (source != NULL && source->error != NULL)
    fprintf(file, "    # no source lines: %s: %s\n", source->path, source->error);
  fclose(file);
  char *text = print_side(work, side, source, title);
  free(title);
  return text;
}

// Why nothing changes.
static const char *unchanged(const tool_work *work) {
  if (work->function->refused != NULL || work->result.refusals.count > 0)
    return "as before";
  if (work->result.shape.analysis->num_unstructured == 0)
    return "as before; nothing is unstructured";
  return "as before; this mode takes none of it, mode paper takes all";
}

static void print_refusals(FILE *file, const tool_work *work) {
  const tool_function *f = work->function;
  const lin_refusals *refusals = &work->result.refusals;
  const lin_graph *graph = work->result.shape.analysis->graph;
  if (f->refused != NULL)
    fprintf(file, "    # left alone%s%s: %s\n", f->refused_at == LIN_NONE ? "" : " because of ",
            f->refused_at == LIN_NONE ? "" : f->graph->name[f->refused_at], f->refused);
  for (uint32_t i = 0; i < refusals->count && f->refused == NULL; i++) {
    const lin_refusal *refusal = &refusals->refusal[i];
    bool has_block = refusal->block < graph->num_blocks;
    fprintf(file, "    # region %u is left alone%s%s: %s\n", refusal->region,
            has_block ? " because of " : "", has_block ? graph->name[refusal->block] : "",
            refusal->reason);
  }
}

static char *print_after(const tool_work *work, const tool_source *source) {
  bool changed = work->result.flow != NULL;
  tool_side *side = changed ? tool_side_after(work) : NULL;
  char *title;
  size_t length;
  FILE *file = open_text(&title, &length);
  print_title(file, work->function->graph, "after");
  if (changed) {
    uint32_t guards = work->result.flow->num_guards, edges = side->num_unstructured;
    fprintf(file, "%u guard%s, %u unstructured edge%s\n", guards, plural(guards), edges,
            plural(edges));
    fprintf(file, "    %c# next: the block that a thread goes to%c\n", MARK_FAINT, MARK_PLAIN);
  } else {
    fprintf(file, "%s\n", unchanged(work));
  }
  print_refusals(file, work);
  fclose(file);
  if (!changed)
    return title;
  char *text = print_side(work, side, source, title);
  free(title);
  return text;
}

void tool_print_pseudo(FILE *file, const tool_work *work, tool_terminal terminal) {
  const tool_code *code = work->function->code;
  const tool_source *source = NULL;
  if (code != NULL && code->file != LIN_NONE)
    source = &code->sources->source[code->file];
  source = source != NULL && source->text == NULL ? NULL : source;
  char *before = print_before(work, source), *after = print_after(work, source);
  tool_print_pair(file, before, after, terminal);
  free(before);
  free(after);
}
