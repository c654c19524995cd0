#include "edit.h"

#include "graph/text.h"

#include <string.h>

uint32_t lin_edit_adds(const lin_edit *edit) {
  if (edit->kind == LIN_EDIT_CUT)
    return edit->length > 0 ? 1 : 0;
  if (edit->kind == LIN_EDIT_VOTE)
    return 2 + edit->count;
  return edit->kind == LIN_EDIT_STRIP ? 2 : 1;
}

// ---- applying: the graph as lists of edges, which lin_graph_new makes arrays of again

// An edge that is led about.
typedef struct link {
  lin_block to;
  uint64_t count; // how often it is taken, in any unit
} link;

typedef struct node {
  link *link; // [count]
  uint32_t count, capacity;
  lin_block *source; // [num_sources] of edges that lead here, or did; an edge each
  uint32_t num_sources, source_capacity;
  uint64_t entering; // threads, by all edges that lead here
  uint32_t flags, cost, most_trips;
  const char *name, *reason;
  lin_sharing sharing;
} node;

typedef struct draft {
  lin_arena *arena;
  node *node;
  uint32_t count;
} draft;

static void enter(draft *d, lin_block from, lin_block to, uint64_t count) {
  node *n = &d->node[to];
  n->source = LIN_ROOM(d->arena, n->source, n->num_sources, &n->source_capacity);
  n->source[n->num_sources++] = from;
  n->entering += count;
}

static void add_link(draft *d, lin_block from, lin_block to, uint64_t count) {
  node *n = &d->node[from];
  n->link = LIN_ROOM(d->arena, n->link, n->count, &n->capacity);
  n->link[n->count++] = (link){to, count};
  enter(d, from, to, count);
}

// Leads a link of `from` to another block.
static void lead(draft *d, lin_block from, link *l, lin_block to) {
  d->node[l->to].entering -= l->count;
  l->to = to;
  enter(d, from, to, l->count);
}

static void set_count(draft *d, link *l, uint64_t count) {
  d->node[l->to].entering += count - l->count;
  l->count = count;
}

static void drop_links(draft *d, lin_block from) {
  node *n = &d->node[from];
  for (uint32_t i = 0; i < n->count; i++)
    set_count(d, &n->link[i], 0);
  n->count = 0;
}

static uint64_t sum_of(const node *n) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n->count; i++)
    sum += n->link[i].count;
  return sum;
}

// What is known of a block that comes from `block`, and a name with `suffix` behind it.
static lin_block add_block(draft *d, lin_block block, const char *suffix) {
  const char *old = d->node[block].name;
  size_t length = strlen(old) + strlen(suffix);
  char *name = lin_arena_bytes(d->arena, length + 1);
  memcpy(name, old, strlen(old));
  memcpy(name + strlen(old), suffix, strlen(suffix) + 1);
  d->node[d->count] = (node){.name = name};
  return d->count++;
}

// Gives `part` threads of a block, each edge its share, to a copy that has the same edges.
static void share(draft *d, node *old, node *copy, uint64_t part) {
  uint64_t all = sum_of(old), before = 0, given = 0;
  for (uint32_t i = 0; i < old->count; i++) {
    before += old->link[i].count; // so that what is rounded off adds up
    uint64_t so_far = all == 0 ? 0 : (uint64_t)((double)before / (double)all * (double)part + 0.5);
    set_count(d, &copy->link[i], so_far - given);
    set_count(d, &old->link[i], old->link[i].count - copy->link[i].count);
    given = so_far;
  }
}

// Whether what enters a block leaves it: its weights are counts then, and not only shares.
static bool is_counted(const draft *d, lin_block block) {
  return d->node[block].entering > 0 && d->node[block].entering == sum_of(&d->node[block]);
}

// Leads the edges to the copy. Returns whether there are any.
static bool enter_copy(draft *d, const lin_edit *edit, lin_block made) {
  bool any = false;
  for (uint32_t k = 0; k < edit->count; k++) {
    node *n = &d->node[edit->from[k]];
    for (uint32_t i = 0; i < n->count; i++)
      if (n->link[i].to == edit->block) {
        lead(d, edit->from[k], &n->link[i], made);
        any = true;
      }
  }
  return any;
}

// Takes `count` threads from the edges of `n` to `to`, as far as they have so many.
static void take_from(draft *d, node *n, lin_block to, uint64_t count) {
  for (uint32_t i = 0; i < n->count; i++)
    if (n->link[i].to == to) {
      uint64_t less = n->link[i].count < count ? n->link[i].count : count;
      set_count(d, &n->link[i], n->link[i].count - less);
      count -= less;
    }
}

static void copy_block(draft *d, const lin_edit *edit) {
  bool counted = is_counted(d, edit->block), decided = edit->to != LIN_NONE;
  lin_block made = add_block(d, edit->block, ".copy");
  node *old = &d->node[edit->block], *new = &d->node[made];
  bool any = enter_copy(d, edit, made);
  uint64_t taken = new->entering; // what the edges bring
  new->flags = decided ? old->flags & ~(unsigned)(LIN_UNIFORM | LIN_COHERENT) : old->flags;
  new->cost = old->cost;
  new->reason = old->reason;
  new->sharing = old->sharing;
  for (uint32_t i = 0; i < old->count && !decided; i++)
    add_link(d, made, old->link[i].to, old->link[i].count);
  if (decided)
    add_link(d, made, edit->to, taken);
  if (counted && !decided)
    share(d, old, new, taken);
  else if (counted) // the edges brought those who went there
    take_from(d, old, edit->to, taken);
  if (edit->rest != LIN_NONE && any) {
    uint64_t left = sum_of(old);
    drop_links(d, edit->block);
    add_link(d, edit->block, edit->rest, left);
  }
}

static void fold_tests(draft *d, const lin_edit *edit) {
  uint32_t tests = edit->count;
  lin_block header = edit->from[0], apart = add_block(d, header, ".exit");
  uint64_t *leaving =
      LIN_ARRAY(d->arena, uint64_t, (size_t)tests + 1); // by this test or later ones
  lin_block *exit = LIN_ARRAY(d->arena, lin_block, tests);
  uint64_t around = 0;
  for (uint32_t i = tests; i-- > 0;) {
    lin_block next = edit->from[i + 1 < tests ? i + 1 : 0];
    const node *n = &d->node[edit->from[i]];
    uint32_t stays = n->link[0].to == next ? 0 : 1;
    exit[i] = n->link[1 - stays].to;
    leaving[i] = leaving[i + 1] + n->link[1 - stays].count;
    if (i + 1 == tests)
      around = n->link[stays].count;
    d->node[header].sharing = lin_share(d->node[header].sharing, n->sharing);
    if (i > 0)
      d->node[header].cost += n->cost;
  }
  for (uint32_t i = 0; i < tests; i++) {
    lin_block at = i == 0 ? apart : edit->from[i];
    node *n = &d->node[at];
    drop_links(d, at);
    n->cost = 1;
    n->sharing = (lin_sharing){0};
    n->flags = i + 1 < tests ? d->node[header].flags & (LIN_UNIFORM | LIN_COHERENT) : 0;
    add_link(d, at, exit[i], leaving[i] - (i + 1 < tests ? leaving[i + 1] : 0));
    if (i + 1 < tests)
      add_link(d, at, edit->from[i + 1], leaving[i + 1]);
  }
  drop_links(d, header);
  add_link(d, header, apart, leaving[0]);
  add_link(d, header, header, around);
}

// Leads all edges to `block` to `made`, but those of `but`.
static void lead_all(draft *d, lin_block block, lin_block made, lin_block but) {
  for (uint32_t k = 0; k < d->node[block].num_sources; k++) {
    lin_block source = d->node[block].source[k];
    node *n = &d->node[source];
    for (uint32_t i = 0; i < n->count && source != but; i++)
      if (n->link[i].to == block)
        lead(d, source, &n->link[i], made);
  }
}

static void strip_loop(draft *d, const lin_edit *edit) {
  lin_block header = edit->block, last = edit->to;
  lin_block entry = add_block(d, header, ".strip"), end = add_block(d, last, ".strip.end");
  link *out = d->node[last].link;
  uint32_t stays = out[0].to == header ? 0 : 1;
  uint64_t around = out[stays].count, strips = around / edit->length;
  link leaves = out[1 - stays];
  lead_all(d, header, entry, last);
  add_link(d, entry, header, d->node[entry].entering + strips);
  add_link(d, end, stays == 0 ? entry : leaves.to, stays == 0 ? strips : leaves.count);
  add_link(d, end, stays == 0 ? leaves.to : entry, stays == 0 ? leaves.count : strips);
  set_count(d, &out[stays], around - strips);
  lead(d, last, &out[1 - stays], end);
  set_count(d, &out[1 - stays], leaves.count + strips);
  d->node[entry].cost = d->node[end].cost = 1;
  d->node[end].flags = d->node[last].flags & (LIN_UNIFORM | LIN_COHERENT);
  d->node[header].flags |= LIN_STRIP;
}

enum {
  OF_CODE = LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN | LIN_MEMORY |
            LIN_OBSERVES
};
enum { OF_ENDS = LIN_RETURN | LIN_TRAP | LIN_UNIFORM | LIN_COHERENT | LIN_TWO_SIDED };

// Nobody says which of its instructions touch memory or wait: both parts may.
static void cut_block(draft *d, const lin_edit *edit) {
  lin_block block = edit->block;
  d->node[edit->to].flags |= LIN_TWO_SIDED;
  if (edit->length > 0) {
    lin_block made = add_block(d, block, ".stage");
    node *old = &d->node[block], *new = &d->node[made];
    new->flags = old->flags & ~(uint32_t)OF_ENDS;
    new->sharing = old->sharing;
    new->reason = old->reason;
    new->cost = edit->cost < old->cost ? edit->cost : old->cost;
    old->cost -= new->cost;
    lead_all(d, block, made, LIN_NONE);
    add_link(d, made, block, new->entering);
  }
  d->node[block].flags |= LIN_STAGE;
}

// What is known of a block, for one that does the same for threads that have voted.
static void agree(draft *d, lin_block block, lin_block made) {
  const node *old = &d->node[block];
  node *new = &d->node[made];
  new->flags = (old->flags & ~(uint32_t)LIN_COHERENT) | LIN_AGREED | LIN_UNIFORM;
  new->cost = old->cost;
  new->most_trips = old->most_trips;
  new->sharing = old->sharing;
  new->reason = old->reason;
}

// Nobody knows how many agree: as far as counts say, nobody does.
static void vote(draft *d, const lin_edit *edit) {
  lin_block block = edit->block, together = add_block(d, block, ".together"),
            apart = add_block(d, block, ".apart"), first = d->count;
  uint64_t all = sum_of(&d->node[block]);
  lin_block *copy_of = LIN_ARRAY(d->arena, lin_block, d->count);
  for (uint32_t i = 0; i < edit->count; i++) {
    copy_of[edit->from[i]] = first + i;
    agree(d, edit->from[i], add_block(d, edit->from[i], ".agreed"));
  }
  agree(d, block, together);
  d->node[together].flags &= ~(uint32_t)OF_CODE;
  d->node[apart].flags = d->node[block].flags & OF_ENDS;
  d->node[together].sharing = d->node[apart].sharing = (lin_sharing){0};
  d->node[together].cost = d->node[apart].cost = 0;
  for (uint32_t k = 0; k <= edit->count; k++) {
    lin_block from = k == edit->count ? block : edit->from[k];
    lin_block to = k == edit->count ? together : first + k;
    for (uint32_t i = 0; i < d->node[from].count; i++) {
      lin_block next = d->node[from].link[i].to;
      add_link(d, to, copy_of[next] != 0 ? copy_of[next] : next, 0);
    }
  }
  for (uint32_t i = 0; i < d->node[block].count; i++)
    add_link(d, apart, d->node[block].link[i].to, d->node[block].link[i].count);
  drop_links(d, block);
  add_link(d, block, together, 0);
  add_link(d, block, apart, all);
  d->node[block].flags = (d->node[block].flags & ~(uint32_t)OF_ENDS) | LIN_UNIFORM | LIN_AGREED;
}

static lin_graph *finish(const draft *d, const lin_graph *graph) {
  uint32_t edges = 0;
  for (lin_block block = 0; block < d->count; block++)
    edges += d->node[block].count;
  lin_graph *result = lin_graph_new(d->arena, d->count, edges);
  result->title = graph->title;
  if (graph->sharing != NULL)
    result->sharing = LIN_ARRAY(d->arena, lin_sharing, d->count);
  lin_edge next = 0;
  for (lin_block block = 0; block < d->count; block++) {
    const node *n = &d->node[block];
    result->first_edge[block] = next;
    result->flags[block] = n->flags;
    result->cost[block] = n->cost;
    result->most_trips[block] = n->most_trips;
    result->name[block] = n->name;
    result->reason[block] = n->reason;
    if (graph->sharing != NULL)
      result->sharing[block] = n->sharing;
    for (uint32_t i = 0; i < n->count; i++) {
      uint64_t count = n->link[i].count;
      result->weight[next] = count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
      result->destination[next++] = n->link[i].to;
    }
  }
  result->first_edge[d->count] = next;
  lin_graph_finish(d->arena, result);
  return result;
}

lin_graph *lin_edit_apply(lin_arena *arena, const lin_graph *graph, const lin_edits *edits) {
  uint32_t added = 0;
  for (uint32_t i = 0; i < edits->count; i++)
    added += lin_edit_adds(&edits->edit[i]);
  draft d = {.arena = arena,
             .node = LIN_ARRAY(arena, node, (size_t)graph->num_blocks + added),
             .count = graph->num_blocks};
  for (lin_block block = 0; block < graph->num_blocks; block++)
    d.node[block] =
        (node){.flags = graph->flags[block],
               .cost = graph->cost[block],
               .most_trips = graph->most_trips[block],
               .name = graph->name[block],
               .reason = graph->reason[block],
               .sharing = graph->sharing == NULL ? (lin_sharing){0} : graph->sharing[block]};
  for (lin_edge edge = 0; edge < graph->num_edges; edge++)
    add_link(&d, graph->source[edge], graph->destination[edge], graph->weight[edge]);
  for (uint32_t i = 0; i < edits->count; i++) {
    const lin_edit *edit = &edits->edit[i];
    switch (edit->kind) {
    case LIN_EDIT_COPY:
      copy_block(&d, edit);
      break;
    case LIN_EDIT_FOLD:
      fold_tests(&d, edit);
      break;
    case LIN_EDIT_STRIP:
      strip_loop(&d, edit);
      break;
    case LIN_EDIT_CUT:
      cut_block(&d, edit);
      break;
    case LIN_EDIT_VOTE:
      vote(&d, edit);
      break;
    }
  }
  return finish(&d, graph);
}

// ---- text

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
  *edit = (lin_edit){.to = LIN_NONE, .rest = LIN_NONE, .exit = LIN_NONE, .place = LIN_NONE};
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
