#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A piece of the text.
typedef struct field {
  const char *text;
  size_t length;
} field;

struct lin_profile_entry {
  field function, block;
  uint64_t count;
};
typedef lin_profile_entry entry;

// ---- reading

enum { FUNCTION, BLOCK, ENTRIES, COLUMNS };
static const char *const column_names[COLUMNS] = {"function", "block", "thread_entries"};

static int compare_fields(field a, field b) {
  size_t shorter = a.length < b.length ? a.length : b.length;
  int order = memcmp(a.text, b.text, shorter);
  return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static int compare_entries(const void *left, const void *right) {
  const entry *a = left, *b = right;
  int order = compare_fields(a->function, b->function);
  return order != 0 ? order : compare_fields(a->block, b->block);
}

static field of(const char *text) { return (field){text, strlen(text)}; }

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

// Cuts off `rest` what stands before the next `end`.
static field cut(field *rest, char end) {
  const char *from = rest->text, *stop = memchr(from, end, rest->length);
  size_t length = stop == NULL ? rest->length : (size_t)(stop - from);
  rest->text += stop == NULL ? length : length + 1;
  rest->length -= stop == NULL ? length : length + 1;
  if (length > 0 && from[length - 1] == '\r')
    length--;
  return (field){from, length};
}

// Cuts the next field off a line. Quoted ones have no quotes inside.
static field cut_field(field *line) {
  if (line->length == 0 || line->text[0] != '"')
    return cut(line, ',');
  line->text++;
  line->length--;
  field quoted = cut(line, '"');
  cut(line, ',');
  return quoted;
}

// Returns false, and leaves `column` as it is, if the line doesn't name them.
static bool find_columns(field line, uint32_t *column) {
  uint32_t found = 0, place[COLUMNS];
  for (uint32_t i = 0; line.length > 0; i++) {
    field name = cut_field(&line);
    for (uint32_t c = 0; c < COLUMNS; c++)
      if (compare_fields(name, of(column_names[c])) == 0) {
        place[c] = i;
        found |= 1u << c;
      }
  }
  if (found != (1u << COLUMNS) - 1)
    return false;
  memcpy(column, place, sizeof place);
  return true;
}

static bool read_number(field text, uint64_t *number) {
  *number = 0;
  for (size_t i = 0; i < text.length; i++) {
    if (text.text[i] < '0' || text.text[i] > '9' || *number > UINT64_MAX / 10 - 1)
      return false;
    *number = 10 * *number + (uint64_t)(text.text[i] - '0');
  }
  return text.length > 0;
}

static bool read_entry(field line, const uint32_t *column, entry *e) {
  field values[COLUMNS] = {{"", 0}, {"", 0}, {"", 0}};
  for (uint32_t i = 0; line.length > 0; i++) {
    field value = cut_field(&line);
    for (uint32_t c = 0; c < COLUMNS; c++)
      if (column[c] == i)
        values[c] = value;
  }
  e->function = values[FUNCTION];
  e->block = values[BLOCK];
  return read_number(values[ENTRIES], &e->count);
}

static size_t count_lines(const char *text, size_t length) {
  size_t lines = 1;
  for (size_t i = 0; i < length; i++)
    lines += text[i] == '\n';
  return lines;
}

// Lines of one block become one.
static void add_up(lin_profile *profile) {
  size_t count = 0;
  for (size_t i = 0; i < profile->count; i++) {
    entry *last = &profile->entry[count > 0 ? count - 1 : 0];
    if (count > 0 && compare_entries(last, &profile->entry[i]) == 0)
      last->count = add(last->count, profile->entry[i].count);
    else
      profile->entry[count++] = profile->entry[i];
  }
  profile->count = count;
}

// A file of counts (threads/counts_file.h) says where it ends.
static bool is_cut_off(const char *text, size_t length) {
  static const char begin[] = "# linearize counts ", end[] = "# end";
  while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
    length--;
  return length >= strlen(begin) && memcmp(text, begin, strlen(begin)) == 0 &&
         memcmp(text + length - strlen(end), end, strlen(end)) != 0;
}

bool lin_profile_parse(lin_profile *profile, const char *text, size_t length, size_t *line,
                       const char **error) {
  profile->entry = LIN_ARRAY(&profile->arena, entry, count_lines(text, length));
  uint32_t column[COLUMNS];
  bool has_columns = false;
  field rest = {text, length};
  for (*line = 1; rest.length > 0; ++*line) {
    field at = cut(&rest, '\n');
    if (at.length == 0 || at.text[0] == '#')
      continue;
    entry *e = &profile->entry[profile->count];
    if (find_columns(at, column))
      has_columns = true;
    else if (!has_columns)
      break;
    else if (read_entry(at, column, e))
      profile->count += e->block.length > 0;
    else {
      *error = "thread_entries is not a number";
      return false;
    }
  }
  if (!has_columns) {
    *error = "no columns function, block and thread_entries";
    return false;
  }
  if (is_cut_off(text, length)) {
    *error = "the file of counts is cut off: it has no '# end'";
    return false;
  }
  qsort(profile->entry, profile->count, sizeof(entry), compare_entries);
  add_up(profile);
  lin_counts_error none; // what is no file of counts may be a profile
  profile->launches = lin_counts_read(&profile->memory, text, length, &none);
  return true;
}

void lin_profile_release(lin_profile *profile) {
  lin_arena_release(&profile->arena);
  lin_memory_release(&profile->memory);
}

// ---- from blocks to edges

// Edges that lead from one block to one other, as those of a switch do, are one way: counts tell no
// more. `way` is its first edge.
typedef struct ways {
  lin_edge *way;    // [num_edges]
  uint32_t *number; // [num_edges] of edges in the way, for its first one
} ways;

static ways find_ways(lin_arena *arena, const lin_graph *graph) {
  ways w = {LIN_ARRAY(arena, lin_edge, graph->num_edges),
            LIN_ARRAY(arena, uint32_t, graph->num_edges)};
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    // Edges from one block stand together, and rise.
    for (LIN_IN_EDGES(graph, block, i)) {
      lin_edge edge = graph->in_edge[i];
      lin_edge before = i > graph->first_in[block] ? graph->in_edge[i - 1] : edge;
      bool is_first = edge == before || graph->source[edge] != graph->source[before];
      w.way[edge] = is_first ? edge : w.way[before];
      w.number[w.way[edge]]++;
    }
  }
  return w;
}

// What is not known yet of the ways that enter, or leave, a block.
typedef struct balance {
  uint64_t left; // how often the unknown ones are taken together
  uint32_t unknown;
} balance;

typedef struct solver {
  const lin_graph *graph;
  balance *in, *out; // [num_blocks]
  uint64_t *taken;   // [num_edges]
  bool *known;       // [num_edges] of edges but the first of a way, nothing is to be found out
  lin_block *work;   // blocks of which the last unknown edge of a side may be found
  uint32_t num_work;
} solver;

static void take(balance *b, uint64_t count) {
  b->left -= count;
  b->unknown--;
}

// Counts of a run that was cut off don't add up: an edge is taken no more often than both its
// blocks allow.
static void settle(solver *s, lin_edge edge, uint64_t count) {
  lin_block from = s->graph->source[edge], to = s->graph->destination[edge];
  count = count < s->out[from].left ? count : s->out[from].left;
  count = count < s->in[to].left ? count : s->in[to].left;
  s->taken[edge] = count;
  s->known[edge] = true;
  take(&s->out[from], count);
  take(&s->in[to], count);
  if (s->out[from].unknown == 1)
    s->work[s->num_work++] = from;
  if (s->in[to].unknown == 1)
    s->work[s->num_work++] = to;
}

static void settle_last(solver *s, lin_block block) {
  for (LIN_OUT_EDGES(s->graph, block, edge))
    if (s->out[block].unknown == 1 && !s->known[edge])
      settle(s, edge, s->out[block].left);
  for (LIN_IN_EDGES(s->graph, block, i)) {
    lin_edge edge = s->graph->in_edge[i];
    if (s->in[block].unknown == 1 && !s->known[edge])
      settle(s, edge, s->in[block].left);
  }
}

static void solve(solver *s, lin_arena *arena, const uint64_t *count) {
  const lin_graph *graph = s->graph;
  uint32_t n = graph->num_blocks;
  s->in = LIN_ARRAY(arena, balance, n);
  s->out = LIN_ARRAY(arena, balance, n);
  s->taken = LIN_ARRAY(arena, uint64_t, graph->num_edges);
  s->known = LIN_ARRAY(arena, bool, graph->num_edges);
  s->work = LIN_ARRAY(arena, lin_block, 4 * (size_t)n); // once at first, and once for each side
  for (lin_block block = 0; block < n; block++) {
    s->in[block].left = s->out[block].left = count[block];
    s->work[s->num_work++] = block;
  }
  ways w = find_ways(arena, graph);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++) {
    s->known[edge] = w.way[edge] != edge;
    s->in[graph->destination[edge]].unknown += !s->known[edge];
    s->out[graph->source[edge]].unknown += !s->known[edge];
  }
  while (s->num_work > 0)
    settle_last(s, s->work[--s->num_work]);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (!s->known[edge]) {
      const balance *out = &s->out[graph->source[edge]];
      s->taken[edge] = out->left / out->unknown;
    }
  for (lin_edge edge = graph->num_edges; edge-- > 0;) // the first of a way last
    s->taken[edge] = s->taken[w.way[edge]] / w.number[w.way[edge]];
}

// ---- whether it is of this code

// The entries of one function, and how often each of its blocks was entered.
typedef struct counts {
  const entry *first;
  size_t num_entries;
  uint64_t *count; // [num_blocks]
  bool *is_named;  // [num_entries] the function has the block
} counts;

// The number of entries of the functions that come before `title`, or not after it.
static size_t count_before(const lin_profile *profile, const char *title, bool or_equal) {
  size_t low = 0, high = profile->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = compare_fields(profile->entry[middle].function, of(title));
    if (order < 0 || (order == 0 && or_equal))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static counts read_counts(lin_arena *arena, const lin_profile *profile, const lin_graph *graph) {
  const char *title = lin_counted_name(graph);
  size_t first = count_before(profile, title, false);
  counts c = {.first = profile->entry + first,
              .num_entries = count_before(profile, title, true) - first,
              .count = LIN_ARRAY(arena, uint64_t, graph->num_blocks)};
  c.is_named = LIN_ARRAY(arena, bool, c.num_entries);
  for (lin_block block = 0; c.num_entries > 0 && block < graph->num_blocks; block++) {
    entry key = {of(title), of(graph->name[block]), 0};
    const entry *found = bsearch(&key, c.first, c.num_entries, sizeof(entry), compare_entries);
    if (found == NULL)
      continue;
    c.count[block] = found->count;
    c.is_named[found - c.first] = true;
  }
  return c;
}

// How often threads may have come to `block` from others at most.
static uint64_t count_above(const lin_graph *graph, const uint64_t *count, lin_block block) {
  uint64_t above = 0;
  lin_block last = LIN_NONE; // edges from one block stand together
  for (LIN_IN_EDGES(graph, block, i)) {
    lin_block from = graph->source[graph->in_edge[i]];
    above = add(above, from == last ? 0 : count[from]);
    last = from;
  }
  return above;
}

// "FRONT'BLOCK'BACK"
static const char *clause(lin_arena *arena, const char *front, field block, const char *back) {
  size_t size = strlen(front) + block.length + strlen(back) + 3;
  char *text = lin_arena_bytes(arena, size);
  snprintf(text, size, "%s'%.*s'%s", front, (int)block.length, block.text, back);
  return text;
}

// Why the counts are of other code, or NULL.
static const char *find_strange(lin_arena *arena, const lin_graph *graph, const counts *c) {
  for (size_t i = 0; i < c->num_entries; i++)
    if (!c->is_named[i])
      return clause(arena, "it names block ", c->first[i].block,
                    ", which the function doesn't have");
  for (lin_block block = 1; block < graph->num_blocks; block++)
    if (c->count[block] > count_above(graph, c->count, block))
      return clause(arena, "in it block ", of(graph->name[block]),
                    " was entered more often than all blocks before it");
  return NULL;
}

// ---- weights

static bool is_run(const lin_graph *graph, const uint64_t *count) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (count[block] > 0)
      return true;
  return false;
}

// Weights are those among the edges of one block: what doesn't fit is halved there.
static void set_weights(lin_graph *graph, lin_block block, const uint64_t *taken) {
  uint64_t most = 0;
  unsigned shift = 0;
  for (LIN_OUT_EDGES(graph, block, edge))
    most = taken[edge] > most ? taken[edge] : most;
  while (most >> shift > UINT32_MAX)
    shift++;
  for (LIN_OUT_EDGES(graph, block, edge))
    if (most > 0)
      graph->weight[edge] = (uint32_t)(taken[edge] >> shift);
}

lin_profile_fit lin_profile_apply(lin_arena *arena, const lin_profile *profile, lin_graph *graph,
                                  const char **reason) {
  counts c = read_counts(arena, profile, graph);
  if (c.num_entries == 0)
    return LIN_PROFILE_UNKNOWN;
  *reason = find_strange(arena, graph, &c);
  if (*reason != NULL)
    return LIN_PROFILE_FOREIGN;
  if (!is_run(graph, c.count))
    return LIN_PROFILE_UNKNOWN;
  solver s = {.graph = graph};
  solve(&s, arena, c.count);
  for (lin_block block = 0; block < graph->num_blocks; block++)
    set_weights(graph, block, s.taken);
  return LIN_PROFILE_FITS;
}
