// Edits as text: printed, and read.
#include "edit.h"

#include "graph/text.h"

#include <string.h>

// ---- printed

typedef struct printer {
  FILE *file;
  const char **name; // [num_blocks]
  uint32_t num_blocks;
} printer;

static void print_block(const printer *p, lin_block block) {
  if (block < p->num_blocks)
    fprintf(p->file, " %s", p->name[block]);
  else
    fprintf(p->file, " +%u", block - p->num_blocks);
}

static void print_edit(const printer *p, const lin_edit *edit) {
  static const char *const verbs[] = {"copy", "fold", "strip", "cut", "vote"};
  FILE *file = p->file;
  fputs(verbs[edit->kind], file);
  if (edit->kind != LIN_EDIT_FOLD)
    print_block(p, edit->block);
  if (edit->kind == LIN_EDIT_COPY)
    fputs(" for", file);
  if (edit->kind == LIN_EDIT_VOTE)
    fputs(" keeps", file);
  if (edit->kind == LIN_EDIT_CUT)
    fprintf(file, " behind %u of", edit->length);
  for (uint32_t i = 0; i < edit->count; i++)
    print_block(p, edit->from[i]);
  if (edit->kind == LIN_EDIT_COPY && edit->to != LIN_NONE)
    fputs(" to", file);
  if (edit->to != LIN_NONE)
    print_block(p, edit->to);
  if (edit->rest != LIN_NONE) {
    fputs(" rest", file);
    print_block(p, edit->rest);
  }
  if (edit->kind == LIN_EDIT_STRIP)
    fprintf(file, " by %u", edit->length);
  fputc('\n', file);
}

void lin_edit_print(FILE *file, const lin_graph *graph, const lin_edits *edits) {
  lin_arena arena = {0};
  printer p = {file, lin_text_names(&arena, graph), graph->num_blocks};
  for (uint32_t i = 0; i < edits->count; i++)
    print_edit(&p, &edits->edit[i]);
  lin_arena_release(&arena);
}

// ---- read

typedef struct parser {
  lin_arena *arena;
  const lin_graph *graph; // after the edits before
  const char **name;      // [num_blocks] of those that were there before all of them
  uint32_t num_blocks;
  const char *at, *end; // of the line
} parser;

typedef struct word {
  const char *text;
  size_t length; // 0: the line ends
} word;

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static word next_word(parser *p) {
  while (p->at < p->end && is_space(*p->at))
    p->at++;
  word w = {p->at, 0};
  while (p->at < p->end && !is_space(*p->at))
    p->at++;
  w.length = (size_t)(p->at - w.text);
  return w;
}

static bool is(word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static bool read_number(word w, uint32_t *number) {
  uint64_t value = 0;
  for (size_t i = 0; i < w.length; i++) {
    if (w.text[i] < '0' || w.text[i] > '9')
      return false;
    value = 10 * value + (uint64_t)(w.text[i] - '0');
    if (value > UINT32_MAX)
      return false;
  }
  *number = (uint32_t)value;
  return w.length > 0;
}

static lin_block read_block(const parser *p, word w) {
  uint32_t number;
  if (w.length > 1 && w.text[0] == '+' && read_number((word){w.text + 1, w.length - 1}, &number))
    return number < p->graph->num_blocks - p->num_blocks ? p->num_blocks + number : LIN_NONE;
  for (lin_block block = 0; block < p->num_blocks; block++)
    if (is(w, p->name[block]))
      return block;
  return LIN_NONE;
}

// Blocks up to the end or to one of the words that stand behind lists. NULL, or what is wrong.
static const char *read_list(parser *p, lin_edit *edit, word *behind) {
  uint32_t capacity = 0;
  lin_block *from = NULL;
  for (*behind = next_word(p); behind->length > 0; *behind = next_word(p)) {
    if (is(*behind, "to") || is(*behind, "rest"))
      break;
    lin_block block = read_block(p, *behind);
    if (block == LIN_NONE)
      return "no such block";
    from = LIN_ROOM(p->arena, from, edit->count, &capacity);
    from[edit->count++] = block;
  }
  edit->from = from;
  return from == NULL ? "names no blocks" : NULL;
}

static const char *read_copy(parser *p, lin_edit *edit) {
  edit->block = read_block(p, next_word(p));
  if (edit->block >= p->graph->num_blocks || !is(next_word(p), "for"))
    return "is not: copy BLOCK for BLOCKS [to BLOCK [rest BLOCK]]";
  word behind;
  const char *wrong = read_list(p, edit, &behind);
  for (; wrong == NULL && behind.length > 0; behind = next_word(p)) {
    lin_block *place = is(behind, "to") ? &edit->to : is(behind, "rest") ? &edit->rest : NULL;
    lin_block block = read_block(p, next_word(p));
    if (place == NULL || block == LIN_NONE)
      return "is not: copy BLOCK for BLOCKS [to BLOCK [rest BLOCK]]";
    *place = block;
  }
  return wrong;
}

// Whether the blocks are a loop of tests.
static bool are_tests(const lin_graph *graph, const lin_edit *edit) {
  for (uint32_t i = 0; i < edit->count; i++) {
    lin_block block = edit->from[i], next = edit->from[i + 1 < edit->count ? i + 1 : 0];
    if (block >= graph->num_blocks || lin_out_degree(graph, block) != 2)
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (edit->from[k] == block)
        return false;
    lin_edge first = graph->first_edge[block];
    if ((graph->destination[first] == next) == (graph->destination[first + 1] == next))
      return false;
  }
  return edit->count > 1;
}

static const char *read_fold(parser *p, lin_edit *edit) {
  word behind;
  const char *wrong = read_list(p, edit, &behind);
  if (wrong != NULL)
    return wrong;
  edit->block = edit->from[0];
  return behind.length > 0 || !are_tests(p->graph, edit)
             ? "is not: fold BLOCKS, each a test that leads to the next one, the last to the first"
             : NULL;
}

static const char *read_strip(parser *p, lin_edit *edit) {
  const lin_graph *graph = p->graph;
  static const char form[] = "is not: strip HEADER END by ITERATIONS, where END leads to HEADER";
  edit->block = read_block(p, next_word(p));
  edit->to = read_block(p, next_word(p));
  if (edit->block >= graph->num_blocks || edit->to >= graph->num_blocks ||
      !is(next_word(p), "by") || !read_number(next_word(p), &edit->length) || edit->length < 2 ||
      next_word(p).length > 0 || lin_out_degree(graph, edit->to) != 2)
    return form;
  lin_edge first = graph->first_edge[edit->to];
  bool one = graph->destination[first] == edit->block,
       other = graph->destination[first + 1] == edit->block;
  return one == other ? form : NULL;
}

static const char *read_cut(parser *p, lin_edit *edit) {
  static const char form[] = "is not: cut BLOCK behind INSTRUCTIONS of BRANCH";
  edit->block = read_block(p, next_word(p));
  if (edit->block == LIN_NONE || !is(next_word(p), "behind") ||
      !read_number(next_word(p), &edit->length) || !is(next_word(p), "of"))
    return form;
  edit->to = read_block(p, next_word(p));
  if (edit->to == LIN_NONE || next_word(p).length > 0)
    return form;
  edit->cost = edit->length;
  return edit->block == 0 ? "cuts the entry, which is in no arm" : NULL;
}

// [blocks] those that the entry reaches.
static bool *find_reached(lin_arena *arena, const lin_graph *graph) {
  bool *reached = LIN_ARRAY(arena, bool, graph->num_blocks);
  lin_block *pending = LIN_ARRAY(arena, lin_block, graph->num_blocks);
  uint32_t count = 1;
  reached[0] = true;
  while (count > 0) {
    lin_block block = pending[--count];
    for (LIN_OUT_EDGES(graph, block, edge)) {
      lin_block to = graph->destination[edge];
      if (!reached[to])
        pending[count++] = to;
      reached[to] = true;
    }
  }
  return reached;
}

// Whether of what threads reach the block that votes alone leads to the blocks, each once.
static const char *check_vote(const parser *p, const lin_edit *edit) {
  const lin_graph *graph = p->graph;
  lin_arena scratch = {0};
  const char *wrong = NULL;
  bool *copied = LIN_ARRAY(&scratch, bool, graph->num_blocks);
  const bool *reached = find_reached(&scratch, graph);
  for (uint32_t i = 0; i < edit->count && wrong == NULL; i++) {
    lin_block block = edit->from[i];
    if (block == edit->block || block == 0 || copied[block])
      wrong = "keeps the block itself, the entry, or one twice";
    copied[block] = true;
  }
  for (uint32_t i = 0; i < edit->count && wrong == NULL; i++)
    for (LIN_IN_EDGES(graph, edit->from[i], k)) {
      lin_block from = graph->source[graph->in_edge[k]];
      if (from != edit->block && !copied[from] && reached[from])
        wrong = "keeps a block that others lead to, too";
    }
  lin_arena_release(&scratch);
  return wrong;
}

static const char *read_vote(parser *p, lin_edit *edit) {
  static const char form[] = "is not: vote BLOCK keeps BLOCKS, where BLOCK has a branch";
  edit->block = read_block(p, next_word(p));
  if (edit->block >= p->graph->num_blocks || !is(next_word(p), "keeps") ||
      lin_out_degree(p->graph, edit->block) < 2)
    return form;
  word behind;
  const char *wrong = read_list(p, edit, &behind);
  return wrong != NULL ? wrong : behind.length > 0 ? form : check_vote(p, edit);
}

static const char *read_edit(parser *p, word verb, lin_edit *edit) {
  *edit = (lin_edit){
      .to = LIN_NONE, .rest = LIN_NONE, .exit = LIN_NONE, .place = LIN_NONE, .who = LIN_NONE};
  if (is(verb, "copy")) {
    edit->kind = LIN_EDIT_COPY;
    return read_copy(p, edit);
  }
  if (is(verb, "fold")) {
    edit->kind = LIN_EDIT_FOLD;
    return read_fold(p, edit);
  }
  if (is(verb, "cut")) {
    edit->kind = LIN_EDIT_CUT;
    return read_cut(p, edit);
  }
  if (is(verb, "vote")) {
    edit->kind = LIN_EDIT_VOTE;
    return read_vote(p, edit);
  }
  edit->kind = LIN_EDIT_STRIP;
  return is(verb, "strip") ? read_strip(p, edit) : "is none of copy, fold, strip, cut, vote";
}

lin_edits *lin_edit_parse(lin_arena *arena, const lin_graph *graph, const char *text, size_t length,
                          size_t *line, const char **error) {
  lin_edits *edits = LIN_NEW(arena, lin_edits);
  uint32_t capacity = 0;
  parser p = {.arena = arena,
              .graph = graph,
              .name = lin_text_names(arena, graph),
              .num_blocks = graph->num_blocks,
              .at = text};
  const char *end = text + length;
  for (*line = 1; p.at < end; ++*line) {
    const char *newline = memchr(p.at, '\n', (size_t)(end - p.at));
    p.end = newline == NULL ? end : newline;
    word verb = next_word(&p);
    if (verb.length > 0 && verb.text[0] != '#') {
      edits->edit = LIN_ROOM(arena, edits->edit, edits->count, &capacity);
      lin_edit *edit = &edits->edit[edits->count++];
      *error = read_edit(&p, verb, edit);
      if (*error != NULL)
        return NULL;
      p.graph = lin_edit_apply(arena, p.graph, &(lin_edits){.edit = edit, .count = 1});
    }
    p.at = newline == NULL ? end : newline + 1;
  }
  return edits;
}
