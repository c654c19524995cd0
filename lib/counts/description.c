#include "description.h"

#include "graph/fnv.h"

#include <inttypes.h>
#include <string.h>

uint64_t lin_count_hash(const lin_count_description *d) {
  uint64_t hash = LIN_FNV_START;
  for (uint32_t i = 0; i < d->num_functions; i++) {
    const lin_graph *graph = d->function[i].graph;
    hash = lin_fnv_text(hash, graph->title);
    for (lin_block b = 0; b < graph->num_blocks; b++) {
      hash = lin_fnv_text(hash, graph->name[b]);
      hash = lin_fnv_number(hash, graph->flags[b] & LIN_RETURN);
      hash = lin_fnv_number(hash, lin_out_degree(graph, b));
      for (LIN_OUT_EDGES(graph, b, edge))
        hash = lin_fnv_number(hash, graph->destination[edge]);
    }
  }
  return hash;
}

// ---- writing

static void write_name(FILE *file, const char *name) {
  for (; *name != '\0'; name++)
    fputc(strchr("\t\r\n", *name) == NULL ? *name : '_', file);
}

static void write_counter(FILE *file, uint32_t counter) {
  if (counter != LIN_NONE)
    fprintf(file, "=%u", counter);
}

static void write_block(FILE *file, const lin_counted_function *f, lin_block b) {
  const char *space = "";
  write_name(file, f->graph->name[b]);
  fprintf(file, "\t%u\t", f->latency[b]);
  write_name(file, f->source[b]);
  fputc('\t', file);
  if (f->counters->of_block[b] != LIN_NONE) {
    fprintf(file, "#%u", f->counters->of_block[b]);
    space = " ";
  }
  if (f->counters->of_pass[b] != LIN_NONE) {
    fprintf(file, "!%u", f->counters->of_pass[b]);
    space = " ";
  }
  for (LIN_OUT_EDGES(f->graph, b, edge)) {
    fprintf(file, "%s%u", space, f->graph->destination[edge]);
    write_counter(file, f->counters->of_edge[edge]);
    space = " ";
  }
  if ((f->graph->flags[b] & LIN_RETURN) != 0) {
    fprintf(file, "%sr", space);
    write_counter(file, f->counters->of_exit[b]);
  }
  fputc('\n', file);
}

void lin_count_write(FILE *file, const lin_count_description *d) {
  fprintf(file, "linearize blocks 1\n%016" PRIx64 "\n%u %u\n", d->hash, d->num_counters,
          d->num_functions);
  for (uint32_t i = 0; i < d->num_functions; i++) {
    const lin_counted_function *f = &d->function[i];
    fprintf(file, "%u ", f->graph->num_blocks);
    write_name(file, f->graph->title);
    fputc('\n', file);
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      write_block(file, f, b);
  }
}

// ---- reading

typedef struct reader {
  lin_arena *arena;
  const char *at, *end;
  uint32_t num_counters;
} reader;

static bool skip(reader *r, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
    return false;
  r->at += length;
  return true;
}

// A number below `limit`.
static bool read_number(reader *r, uint64_t limit, uint32_t *number) {
  uint64_t value = 0;
  const char *start = r->at;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && value < limit; r->at++)
    value = 10 * value + (uint64_t)(*r->at - '0');
  *number = (uint32_t)value;
  return r->at > start && value < limit;
}

static bool read_hash(reader *r, uint64_t *hash) {
  static const char digits[] = "0123456789abcdef";
  *hash = 0;
  for (int i = 0; i < 16; i++, r->at++) {
    const char *digit = r->at < r->end ? memchr(digits, *r->at, 16) : NULL;
    if (digit == NULL)
      return false;
    *hash = 16 * *hash + (uint64_t)(digit - digits);
  }
  return true;
}

// Up to `stop`, which is skipped.
static const char *read_name(reader *r, char stop) {
  const char *end = memchr(r->at, stop, (size_t)(r->end - r->at));
  if (end == NULL)
    return NULL;
  const char *name = lin_arena_text(r->arena, r->at, (size_t)(end - r->at));
  r->at = end + 1;
  return name;
}

// "=N", or nothing.
static bool read_counter(reader *r, uint32_t *counter) {
  *counter = LIN_NONE;
  return !skip(r, "=") || read_number(r, r->num_counters, counter);
}

// The edges of the blocks at hand, for arrays, or more: behind each successor is a blank or the end
// of the line. Less of a text that is damaged.
static uint32_t count_successors(const reader *r, uint32_t num_blocks) {
  uint32_t count = 0, lines = 0;
  for (const char *at = r->at; at < r->end && lines < num_blocks; at++) {
    count += *at == ' ' || *at == '\n';
    lines += *at == '\n';
  }
  return count;
}

typedef struct builder {
  lin_graph *graph;
  uint32_t most_edges;
  lin_counters *counters;
  uint32_t *latency;
  const char **source;
} builder;

static bool read_ways(reader *r, builder *b, lin_block block) {
  lin_graph *graph = b->graph;
  lin_counters *c = b->counters;
  c->of_exit[block] = c->of_block[block] = c->of_pass[block] = LIN_NONE;
  if ((skip(r, "#") && !read_number(r, r->num_counters, &c->of_block[block])) ||
      (skip(r, "!") && !read_number(r, r->num_counters, &c->of_pass[block])))
    return false;
  while (!skip(r, "\n")) {
    skip(r, " ");
    if (skip(r, "r")) {
      graph->flags[block] |= LIN_RETURN;
      if (!read_counter(r, &c->of_exit[block]))
        return false;
      continue;
    }
    if (graph->num_edges == b->most_edges)
      return false;
    lin_edge edge = graph->num_edges++;
    if (!read_number(r, graph->num_blocks, &graph->destination[edge]) ||
        !read_counter(r, &c->of_edge[edge]))
      return false;
  }
  return true;
}

static bool read_block(reader *r, builder *b, lin_block block) {
  b->graph->first_edge[block] = b->graph->num_edges;
  b->graph->name[block] = read_name(r, '\t');
  if (b->graph->name[block] == NULL ||
      !read_number(r, (uint64_t)UINT32_MAX + 1, &b->latency[block]) || !skip(r, "\t"))
    return false;
  b->source[block] = read_name(r, '\t');
  return b->source[block] != NULL && read_ways(r, b, block);
}

// Counters of blocks are of all or none, and so are those of passes.
static bool is_good(lin_arena *arena, builder *b) {
  lin_graph *graph = b->graph;
  lin_block at;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if ((b->counters->of_block[block] == LIN_NONE) != (b->counters->of_block[0] == LIN_NONE) ||
        (b->counters->of_pass[block] == LIN_NONE) != (b->counters->of_pass[0] == LIN_NONE))
      return false;
    if (lin_out_degree(graph, block) == 0 && (graph->flags[block] & LIN_RETURN) == 0)
      graph->flags[block] |= LIN_TRAP;
  }
  lin_graph_finish(arena, graph);
  return lin_graph_check(graph, &at) == NULL &&
         lin_count_solver_new(arena, graph, b->counters) != NULL;
}

static bool read_function(reader *r, lin_counted_function *f) {
  uint32_t blocks;
  if (!read_number(r, (uint64_t)(r->end - r->at), &blocks) || blocks == 0 || !skip(r, " "))
    return false;
  const char *title = read_name(r, '\n');
  if (title == NULL)
    return false;
  uint32_t most = count_successors(r, blocks);
  builder b = {lin_graph_new(r->arena, blocks, most), most, LIN_NEW(r->arena, lin_counters),
               LIN_ARRAY(r->arena, uint32_t, blocks), LIN_ARRAY(r->arena, const char *, blocks)};
  b.graph->title = title;
  b.graph->num_edges = 0;
  b.counters->of_edge = LIN_ARRAY(r->arena, uint32_t, most);
  b.counters->of_exit = LIN_ARRAY(r->arena, uint32_t, blocks);
  b.counters->of_block = LIN_ARRAY(r->arena, uint32_t, blocks);
  b.counters->of_pass = LIN_ARRAY(r->arena, uint32_t, blocks);
  for (lin_block block = 0; block < blocks; block++)
    if (!read_block(r, &b, block))
      return false;
  b.graph->first_edge[blocks] = b.graph->num_edges;
  *f = (lin_counted_function){b.graph, b.latency, b.source, b.counters};
  return is_good(r->arena, &b);
}

lin_count_description *lin_count_parse(lin_arena *arena, const char *text, size_t length) {
  const char *nul = memchr(text, '\0', length);
  reader r = {.arena = arena, .at = text, .end = nul == NULL ? text + length : nul};
  lin_count_description *d = LIN_NEW(arena, lin_count_description);
  uint64_t most = (uint64_t)(r.end - r.at);
  if (!skip(&r, "linearize blocks 1\n") || !read_hash(&r, &d->hash) || !skip(&r, "\n") ||
      !read_number(&r, most, &d->num_counters) || !skip(&r, " ") ||
      !read_number(&r, most, &d->num_functions) || d->num_functions == 0 || !skip(&r, "\n"))
    return NULL;
  r.num_counters = d->num_counters;
  d->function = LIN_ARRAY(arena, lin_counted_function, d->num_functions);
  for (uint32_t i = 0; i < d->num_functions; i++) {
    if (!read_function(&r, &d->function[i]))
      return NULL;
    d->num_blocks += d->function[i].graph->num_blocks;
  }
  return r.at == r.end ? d : NULL;
}
