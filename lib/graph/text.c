// Reading, in four steps:
//   1. one pass over the lines collects block definitions and successors as words of the text;
//   2. sort the blocks by name: equal neighbours are a duplicate definition;
//   3. look every successor up in the sorted names;
//   4. check the shape of the graph.
// A hash table would be shorter by a logarithm, but can be made quadratic by its input.
#include "text.h"

#include <stdlib.h>
#include <string.h>

// The order's marks take the top bit of numbers of blocks and loops together.
enum { MAX_BLOCKS = 1 << 29, MAX_EDGES = 1 << 30 };

typedef struct word {
  const char *text;
  size_t length;
} word;

static const struct {
  const char *name;
  uint32_t flag;
} attributes[] = {
    {"uniform", LIN_UNIFORM},   {"waits", LIN_WAITS},           {"polls", LIN_POLLS},
    {"releases", LIN_RELEASES}, {"cross-lane", LIN_CROSS_LANE}, {"refused", LIN_REFUSED},
    {"spins", LIN_MAY_SPIN},    {"counted", LIN_COUNTED},       {"strip", LIN_STRIP},
    {"coherent", LIN_COHERENT}, {"two-sided", LIN_TWO_SIDED},   {"stage", LIN_STAGE},
    {"memory", LIN_MEMORY},     {"observes", LIN_OBSERVES},     {"vanishes", LIN_VANISHES},
    {"agreed", LIN_AGREED},     {"foreign", LIN_FOREIGN},
};
enum { NUM_ATTRIBUTES = sizeof attributes / sizeof attributes[0] };

static bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$' || c == '-';
}

static bool is(word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static bool ends_block(word w) { return is(w, "return") || is(w, "trap"); }

static int compare(word a, word b) {
  int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
  return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

// Names in order, to find repeated ones and to look them up.

typedef struct entry {
  word name;
  lin_block block;
} entry;

static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  int order = compare(a->name, b->name);
  return order != 0 ? order : (a->block > b->block) - (a->block < b->block);
}

// The first block whose name an earlier block has, or LIN_NONE.
static lin_block sort_names(entry *names, uint32_t count) {
  lin_block repeated = LIN_NONE;
  qsort(names, count, sizeof(entry), compare_entries);
  for (uint32_t i = 1; i < count; i++)
    if (names[i].block < repeated && compare(names[i - 1].name, names[i].name) == 0)
      repeated = names[i].block;
  return repeated;
}

static lin_block look_up(const entry *names, uint32_t count, word name) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare(names[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && compare(names[low].name, name) == 0 ? names[low].block : LIN_NONE;
}

// Reading.

typedef struct definition {
  word name;
  size_t line;
  uint32_t flags, cost, most_trips;
  size_t first_successor;
} definition;

typedef struct parser {
  lin_arena *arena;
  const char *at, *end; // what is left of the text
  size_t line;
  word token; // empty at the end of a line
  word title; // empty before the `function` line
  definition *block;
  size_t num_blocks;
  word *successor;
  uint32_t *weight; // of each
  size_t num_successors;
  lin_text_error *error;
} parser;

// Reports `before 'found' after`, with `found` in a form that can be printed on a line.
static bool fail(parser *p, size_t line, const char *before, word found, const char *after) {
  enum { SHOWN = 60 };
  char shown[SHOWN + 8] = "nothing";
  if (found.length > SHOWN)
    snprintf(shown, sizeof shown, "'%.*s...'", SHOWN, found.text);
  else if (found.length > 0 && found.text[0] > ' ' && found.text[0] < 127)
    snprintf(shown, sizeof shown, "'%.*s'", (int)found.length, found.text);
  else if (found.length > 0)
    snprintf(shown, sizeof shown, "byte 0x%02x", (unsigned char)found.text[0]);
  size_t size = strlen(before) + strlen(shown) + strlen(after) + 1;
  char *message = lin_arena_bytes(p->arena, size);
  snprintf(message, size, "%s%s%s", before, shown, after);
  *p->error = (lin_text_error){line, message};
  return false;
}

static bool is_name(word token) { return token.length > 0 && in_name(token.text[0]); }

// Reads the next token of the line: a name, or one character that is none of a name.
static void advance(parser *p) {
  while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
    p->at++;
  if (p->at < p->end && *p->at == '#')
    while (p->at < p->end && *p->at != '\n')
      p->at++;
  p->token = (word){p->at, 0};
  if (p->at == p->end || *p->at == '\n')
    return;
  if (!in_name(*p->at++)) {
    p->token.length = 1;
    return;
  }
  while (p->at < p->end && in_name(*p->at))
    p->at++;
  p->token.length = (size_t)(p->at - p->token.text);
}

static bool expect(parser *p, const char *text, const char *complaint) {
  if (!is(p->token, text))
    return fail(p, p->line, complaint, p->token, "");
  if (*text != '\0')
    advance(p);
  return true;
}

static bool expect_end(parser *p) { return expect(p, "", "the line should end here, found "); }

static bool parse_title(parser *p) {
  if (p->title.length > 0)
    return fail(p, p->line, "a second function, ", p->token, "; a file has one");
  p->title = p->token;
  advance(p);
  return expect_end(p);
}

// The token behind `what`.
static bool parse_number(parser *p, const char *what, uint32_t *number) {
  advance(p);
  *number = 0;
  for (size_t i = 0; i < p->token.length; i++) {
    char c = p->token.text[i];
    if (c < '0' || c > '9' || i == 9)
      return fail(p, p->line, what, p->token, "");
    *number = 10 * *number + (uint32_t)(c - '0');
  }
  return p->token.length > 0 || fail(p, p->line, what, p->token, "");
}

static bool parse_attributes(parser *p, definition *block) {
  for (advance(p); is_name(p->token); advance(p)) {
    uint32_t i = 0;
    if (is(p->token, "cost")) {
      if (!parse_number(p, "a cost can't be ", &block->cost))
        return false;
      continue;
    }
    if (is(p->token, "trips")) {
      if (!parse_number(p, "a trip count can't be ", &block->most_trips))
        return false;
      continue;
    }
    while (i < NUM_ATTRIBUTES && !is(p->token, attributes[i].name))
      i++;
    if (i == NUM_ATTRIBUTES)
      return fail(p, p->line, "unknown attribute ", p->token, "");
    block->flags |= attributes[i].flag;
  }
  return expect(p, "]", "expected an attribute or ']', found ");
}

// Behind the colon. The arrays have room for as many definitions and successors as the text could
// have.
static bool parse_successors(parser *p) {
  if (ends_block(p->token)) {
    p->block[p->num_blocks - 1].flags |= is(p->token, "return") ? LIN_RETURN : LIN_TRAP;
    advance(p);
    return expect_end(p);
  }
  while (is_name(p->token)) {
    if (ends_block(p->token))
      return fail(p, p->line, "", p->token, " stands behind a successor");
    p->successor[p->num_successors] = p->token;
    advance(p);
    uint32_t *weight = &p->weight[p->num_successors++];
    if (is(p->token, "*")) {
      if (!parse_number(p, "a weight can't be ", weight))
        return false;
      advance(p);
    }
  }
  return expect_end(p);
}

static bool parse_block(parser *p, word name) {
  definition block = {
      .name = name, .line = p->line, .cost = LIN_USUAL_COST, .first_successor = p->num_successors};
  if (p->title.length == 0)
    return fail(p, p->line, "expected 'function NAME' before block ", name, "");
  if (ends_block(name))
    return fail(p, p->line, "a block can't be named ", name, "");
  if (is(p->token, "[") && !parse_attributes(p, &block))
    return false;
  if (!expect(p, ":", "expected ':' behind the block's name, found "))
    return false;
  p->block[p->num_blocks++] = block;
  return parse_successors(p);
}

static bool parse_line(parser *p) {
  advance(p);
  word name = p->token;
  if (name.length == 0)
    return true;
  if (!is_name(name))
    return fail(p, p->line, "expected a block's name, found ", name, "");
  advance(p);
  return is(name, "function") && is_name(p->token) ? parse_title(p) : parse_block(p, name);
}

static bool parse_lines(parser *p) {
  size_t colons = 0, names = 0;
  for (const char *at = p->at; at < p->end; at++) {
    colons += *at == ':';
    names += in_name(*at) && (at == p->at || !in_name(at[-1]));
  }
  p->block = LIN_ARRAY(p->arena, definition, colons);
  p->successor = LIN_ARRAY(p->arena, word, names);
  p->weight = LIN_ARRAY(p->arena, uint32_t, names);
  for (p->line = 1;; p->line++, p->at++) {
    if (!parse_line(p))
      return false;
    if (p->at == p->end)
      return true;
  }
}

static bool check_counts(parser *p) {
  if (p->title.length == 0)
    return fail(p, p->line, "expected 'function NAME', found ", (word){NULL, 0}, "");
  if (p->num_blocks == 0)
    return fail(p, p->line, "function ", p->title, " has no block");
  if (p->num_blocks > MAX_BLOCKS || p->num_successors > MAX_EDGES)
    return fail(p, p->line, "function ", p->title, " is too large");
  return true;
}

static lin_graph *make_blocks(parser *p) {
  lin_graph *graph = lin_graph_new(p->arena, (uint32_t)p->num_blocks, (uint32_t)p->num_successors);
  graph->title = lin_arena_text(p->arena, p->title.text, p->title.length);
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    const definition *from = &p->block[block];
    graph->name[block] = lin_arena_text(p->arena, from->name.text, from->name.length);
    graph->flags[block] = from->flags;
    graph->cost[block] = from->cost;
    graph->most_trips[block] = from->most_trips;
    graph->first_edge[block] = (lin_edge)from->first_successor;
    if ((from->flags & LIN_REFUSED) != 0)
      graph->reason[block] = "refused in the input";
  }
  graph->first_edge[graph->num_blocks] = graph->num_edges;
  return graph;
}

static bool connect(parser *p, lin_graph *graph) {
  entry *names = LIN_ARRAY(p->arena, entry, graph->num_blocks);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    names[block] = (entry){p->block[block].name, block};
  lin_block repeated = sort_names(names, graph->num_blocks);
  if (repeated != LIN_NONE)
    return fail(p, p->block[repeated].line, "block ", p->block[repeated].name,
                " is defined a second time");
  for (lin_block block = 0; block < graph->num_blocks; block++)
    for (LIN_OUT_EDGES(graph, block, edge)) {
      word name = p->successor[edge];
      graph->weight[edge] = p->weight[edge];
      graph->destination[edge] = look_up(names, graph->num_blocks, name);
      if (graph->destination[edge] == LIN_NONE)
        return fail(p, p->block[block].line, "block ", name, " is not defined");
    }
  return true;
}

lin_graph *lin_text_parse(lin_arena *arena, const char *text, size_t length,
                          lin_text_error *error) {
  parser p = {.arena = arena, .at = text, .end = text + length, .error = error};
  if (!parse_lines(&p) || !check_counts(&p))
    return NULL;
  lin_graph *graph = make_blocks(&p);
  if (!connect(&p, graph))
    return NULL;
  lin_graph_finish(arena, graph);
  lin_block block;
  const char *wrong = lin_graph_check(graph, &block);
  if (wrong == NULL)
    return graph;
  size_t size = strlen(wrong) + sizeof ": ";
  char *after = lin_arena_bytes(arena, size);
  snprintf(after, size, ": %s", wrong);
  fail(&p, p.block[block].line, "block ", p.block[block].name, after);
  return NULL;
}

// Printing.

static bool is_printable(const char *name) {
  word w = {name, strlen(name)};
  for (size_t i = 0; i < w.length; i++)
    if (!in_name(name[i]))
      return false;
  return w.length > 0 && !ends_block(w);
}

static char *clean(lin_arena *arena, const char *name, const char *number) {
  size_t length = strlen(name), size = length + strlen(number) + 1;
  char *result = lin_arena_bytes(arena, size);
  snprintf(result, size, "%s%s", name, number);
  for (size_t i = 0; i < length; i++)
    if (!in_name(result[i]))
      result[i] = '_';
  return result;
}

static const char *numbered_name(lin_arena *arena, const lin_graph *graph, lin_block block) {
  char number[sizeof ".4294967295"];
  snprintf(number, sizeof number, ".%u", (unsigned)block);
  return clean(arena, graph->name[block], number);
}

// With a number behind every name none repeats, since the last dot begins it.
const char **lin_text_names(lin_arena *arena, const lin_graph *graph) {
  uint32_t n = graph->num_blocks;
  const char **names = LIN_ARRAY(arena, const char *, n);
  entry *sorted = LIN_ARRAY(arena, entry, n);
  for (lin_block block = 0; block < n; block++) {
    const char *name = graph->name[block];
    names[block] = is_printable(name) ? name : numbered_name(arena, graph, block);
    sorted[block] = (entry){{names[block], strlen(names[block])}, block};
  }
  if (sort_names(sorted, n) != LIN_NONE)
    for (lin_block block = 0; block < n; block++)
      names[block] = numbered_name(arena, graph, block);
  return names;
}

static void print_attributes(FILE *file, const lin_graph *graph, lin_block block) {
  bool some = false;
  for (uint32_t i = 0; i < NUM_ATTRIBUTES; i++)
    if ((graph->flags[block] & attributes[i].flag) != 0) {
      fprintf(file, "%s%s", some ? " " : " [", attributes[i].name);
      some = true;
    }
  if (graph->cost[block] != LIN_USUAL_COST) {
    fprintf(file, "%scost %u", some ? " " : " [", graph->cost[block]);
    some = true;
  }
  if (graph->most_trips[block] != 0) {
    fprintf(file, "%strips %u", some ? " " : " [", graph->most_trips[block]);
    some = true;
  }
  if (some)
    fputc(']', file);
}

void lin_text_print(FILE *file, const lin_graph *graph) {
  lin_arena arena = {NULL, 0};
  const char **names = lin_text_names(&arena, graph);
  const char *title = clean(&arena, graph->title, "");
  fprintf(file, "function %s\n", title[0] != '\0' ? title : "_");
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    fputs(names[block], file);
    print_attributes(file, graph, block);
    fputc(':', file);
    for (LIN_OUT_EDGES(graph, block, edge)) {
      fprintf(file, " %s", names[graph->destination[edge]]);
      if (graph->weight[edge] != 0)
        fprintf(file, "*%u", graph->weight[edge]);
    }
    if ((graph->flags[block] & (LIN_RETURN | LIN_TRAP)) != 0)
      fputs((graph->flags[block] & LIN_RETURN) != 0 ? " return" : " trap", file);
    fputc('\n', file);
  }
  lin_arena_release(&arena);
}
