// Edits applied: the graph becomes lists of edges, and lin_graph_new makes arrays of these again.
#include "edit.h"

#include <string.h>

uint32_t lin_edit_adds(const lin_edit *edit) {
  if (edit->kind == LIN_EDIT_CUT)
    return edit->length > 0 ? 1 : 0;
  if (edit->kind == LIN_EDIT_VOTE)
    return 2 + edit->count;
  return edit->kind == LIN_EDIT_STRIP ? 2 : 1;
}

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
  lin_visits visits; // of edits that aren't strips nobody knows them
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

static lin_visits part_of(lin_visits v, double part) {
  return (lin_visits){v.threads * part, v.passes * part, v.slowest * part, v.some};
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
  const double iterations = (double)d->node[header].entering,
               part = iterations > 0 ? (double)d->node[entry].entering / iterations : 0;
  d->node[entry].visits = d->node[end].visits = part_of(d->node[header].visits, part);
  d->node[entry].cost = d->node[end].cost = 1;
  d->node[end].flags = d->node[last].flags & (LIN_UNIFORM | LIN_COHERENT);
  d->node[header].flags |= LIN_STRIP;
}

enum {
  OF_CODE = LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN | LIN_MEMORY |
            LIN_OBSERVES | LIN_FOREIGN
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
  add_link(d, block, apart, all);
  add_link(d, block, together, 0);
  d->node[block].flags = (d->node[block].flags & ~(uint32_t)OF_ENDS) | LIN_UNIFORM | LIN_AGREED;
}

static lin_graph *finish(const draft *d, const lin_graph *graph, bool strips) {
  uint32_t edges = 0;
  for (lin_block block = 0; block < d->count; block++)
    edges += d->node[block].count;
  lin_graph *result = lin_graph_new(d->arena, d->count, edges);
  result->title = graph->title;
  if (graph->sharing != NULL)
    result->sharing = LIN_ARRAY(d->arena, lin_sharing, d->count);
  if (graph->visits != NULL && strips)
    result->visits = LIN_ARRAY(d->arena, lin_visits, d->count);
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
    if (result->visits != NULL)
      result->visits[block] = n->visits;
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
               .sharing = graph->sharing == NULL ? (lin_sharing){0} : graph->sharing[block],
               .visits = graph->visits == NULL ? (lin_visits){0} : graph->visits[block]};
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
  const bool strips = edits->count > 0 && edits->edit[0].kind == LIN_EDIT_STRIP;
  return finish(&d, graph, strips); // edits are of one kind
}
