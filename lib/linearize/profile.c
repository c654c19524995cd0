#include "profile.h"

#include <stdlib.h>
#include <string.h>

// A piece of the text.
typedef struct field {
  const char *text;
  size_t length;
} field;

typedef struct entry {
  field function, block;
  uint64_t count;
} entry;

struct lin_profile {
  entry *entry; // [count] sorted by function and block
  size_t count;
};

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

// Cuts the next line, or the next field of a line, off `rest`. Quoted fields have no quotes inside.
static field cut(field *rest, char end) {
  const char *from = rest->text, *stop = memchr(from, end, rest->length);
  size_t length = stop == NULL ? rest->length : (size_t)(stop - from);
  rest->text += stop == NULL ? length : length + 1;
  rest->length -= stop == NULL ? length : length + 1;
  if (length > 0 && from[length - 1] == '\r')
    length--;
  if (end == ',' && length >= 2 && from[0] == '"' && from[length - 1] == '"')
    return (field){from + 1, length - 2};
  return (field){from, length};
}

static bool find_columns(field line, uint32_t *column) {
  uint32_t found = 0;
  for (uint32_t i = 0; line.length > 0; i++) {
    field name = cut(&line, ',');
    for (uint32_t c = 0; c < COLUMNS; c++)
      if (compare_fields(name, of(column_names[c])) == 0) {
        column[c] = i;
        found |= 1u << c;
      }
  }
  return found == (1u << COLUMNS) - 1;
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
    field value = cut(&line, ',');
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

lin_profile *lin_profile_parse(lin_arena *arena, const char *text, size_t length, size_t *line,
                               const char **error) {
  lin_profile *profile = LIN_NEW(arena, lin_profile);
  profile->entry = LIN_ARRAY(arena, entry, count_lines(text, length));
  uint32_t column[COLUMNS];
  bool has_columns = false;
  field rest = {text, length};
  *error = NULL;
  for (*line = 1; rest.length > 0; ++*line) {
    field at = cut(&rest, '\n');
    if (at.length == 0 || at.text[0] == '#')
      continue;
    entry *e = &profile->entry[profile->count];
    if (!has_columns)
      has_columns = find_columns(at, column);
    else if (!read_entry(at, column, e))
      *error = "thread_entries is not a number";
    else
      profile->count += e->block.length > 0;
    if (!has_columns)
      *error = "no columns function, block and thread_entries";
    if (*error != NULL)
      return NULL;
  }
  if (!has_columns) {
    *error = "no columns function, block and thread_entries";
    return NULL;
  }
  qsort(profile->entry, profile->count, sizeof(entry), compare_entries);
  return profile;
}

// ---- from blocks to edges

// What is not known yet of the edges that enter, or leave, a block.
typedef struct balance {
  uint64_t left; // how often the unknown ones are taken together
  uint32_t unknown;
} balance;

typedef struct solver {
  const lin_graph *graph;
  balance *in, *out; // [num_blocks]
  uint64_t *taken;   // [num_edges]
  bool *known;       // [num_edges]
  lin_block *work;   // blocks of which the last unknown edge of a side may be found
  uint32_t num_work;
} solver;

static void take(balance *b, uint64_t count) {
  b->left -= count < b->left ? count : b->left; // counts of a cut-off run don't add up
  b->unknown--;
}

static void settle(solver *s, lin_edge edge, uint64_t count) {
  lin_block from = s->graph->source[edge], to = s->graph->destination[edge];
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
    s->in[block] = (balance){count[block], lin_in_degree(graph, block)};
    s->out[block] = (balance){count[block], lin_out_degree(graph, block)};
    s->work[s->num_work++] = block;
  }
  while (s->num_work > 0)
    settle_last(s, s->work[--s->num_work]);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    if (!s->known[edge]) {
      const balance *out = &s->out[graph->source[edge]];
      s->taken[edge] = out->left / out->unknown;
    }
}

static bool find_function(const lin_profile *profile, const char *title) {
  size_t low = 0, high = profile->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_fields(profile->entry[middle].function, of(title)) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < profile->count && compare_fields(profile->entry[low].function, of(title)) == 0;
}

static uint64_t count_of(const lin_profile *profile, const char *title, const char *block) {
  entry key = {of(title), of(block), 0};
  const entry *found =
      bsearch(&key, profile->entry, profile->count, sizeof(entry), compare_entries);
  return found == NULL ? 0 : found->count;
}

bool lin_profile_apply(lin_arena *arena, const lin_profile *profile, lin_graph *graph) {
  if (!find_function(profile, graph->title))
    return false;
  uint64_t *count = LIN_ARRAY(arena, uint64_t, graph->num_blocks);
  unsigned shift = 0; // so that weights fit
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    count[block] = count_of(profile, graph->title, graph->name[block]);
    while (count[block] >> shift > UINT32_MAX)
      shift++;
  }
  solver s = {.graph = graph};
  solve(&s, arena, count);
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    graph->weight[edge] = (uint32_t)(s.taken[edge] >> shift);
  return true;
}
