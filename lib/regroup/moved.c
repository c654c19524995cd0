// Arcs come in pairs, 2 i and 2 i + 1: there and back. The source is node 0, the sink node 1, and
// value v has the nodes 2 v + 2 and 2 v + 3.
#include "moved.h"

static const uint64_t unlimited = UINT64_C(1) << 62;

enum { NOBODY = UINT32_MAX };

typedef struct network {
  uint32_t num_nodes, num_arcs;
  uint32_t *first; // [num_nodes] an arc of each node, the others follow by `next`; or NOBODY
  uint32_t *next, *to;
  uint64_t *room;  // [num_arcs] how much more may flow
  uint32_t *level; // [num_nodes] arcs from the source, while there is room; NOBODY: out of reach
  uint32_t *at;    // [num_nodes] the arc that is tried next
  uint32_t *way;   // [num_nodes] arcs from the source to where the search is
  uint32_t *queue; // [num_nodes]
} network;

static uint32_t node_there(uint32_t value) { return 2 * value + 2; }
static uint32_t node_computed(uint32_t value) { return 2 * value + 3; }

static void add_half(network *n, uint32_t from, uint32_t to, uint64_t room) {
  n->to[n->num_arcs] = to;
  n->room[n->num_arcs] = room;
  n->next[n->num_arcs] = n->first[from];
  n->first[from] = n->num_arcs++;
}

static void add_arc(network *n, uint32_t from, uint32_t to, uint64_t room) {
  add_half(n, from, to, room);
  add_half(n, to, from, 0);
}

static uint64_t room_for(uint32_t cost) { return cost == LIN_NEVER ? unlimited : cost; }

static network build(lin_arena *arena, const lin_expressions *e) {
  const uint32_t nodes = 2 * e->num_values + 2,
                 arcs = 2 * (3 * e->num_values + e->first_operand[e->num_values]);
  network n = {.num_nodes = nodes,
               .first = LIN_ARRAY(arena, uint32_t, nodes),
               .next = LIN_ARRAY(arena, uint32_t, arcs),
               .to = LIN_ARRAY(arena, uint32_t, arcs),
               .room = LIN_ARRAY(arena, uint64_t, arcs),
               .level = LIN_ARRAY(arena, uint32_t, nodes),
               .at = LIN_ARRAY(arena, uint32_t, nodes),
               .way = LIN_ARRAY(arena, uint32_t, nodes),
               .queue = LIN_ARRAY(arena, uint32_t, nodes)};
  for (uint32_t i = 0; i < nodes; i++)
    n.first[i] = NOBODY;
  for (uint32_t v = 0; v < e->num_values; v++) {
    if (e->is_needed[v])
      add_arc(&n, 0, node_there(v), unlimited);
    add_arc(&n, node_there(v), node_computed(v), room_for(e->moving[v]));
    add_arc(&n, node_computed(v), 1, room_for(e->computing[v]));
    for (uint32_t i = e->first_operand[v]; i < e->first_operand[v + 1]; i++)
      add_arc(&n, node_computed(v), node_there(e->operand[i]), unlimited);
  }
  return n;
}

// Whether the sink is within reach.
static bool find_levels(network *n) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n->num_nodes; i++)
    n->level[i] = NOBODY;
  n->level[0] = 0;
  n->queue[count++] = 0;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t arc = n->first[n->queue[i]]; arc != NOBODY; arc = n->next[arc])
      if (n->room[arc] > 0 && n->level[n->to[arc]] == NOBODY) {
        n->level[n->to[arc]] = n->level[n->queue[i]] + 1;
        n->queue[count++] = n->to[arc];
      }
  return n->level[1] != NOBODY;
}

// Sends what fits along n->way[0 .. length - 1]; returns how much, and how many arcs up to one that
// is full.
static uint64_t send(network *n, uint32_t *length) {
  uint64_t most = UINT64_MAX;
  uint32_t full = 0;
  for (uint32_t i = 0; i < *length; i++)
    if (n->room[n->way[i]] < most) {
      most = n->room[n->way[i]];
      full = i;
    }
  for (uint32_t i = 0; i < *length; i++) {
    n->room[n->way[i]] -= most;
    n->room[n->way[i] ^ 1] += most;
  }
  *length = full;
  return most;
}

// A flow that fills each shortest way. Returns how much.
static uint64_t fill(network *n) {
  uint64_t all = 0;
  uint32_t length = 0, node = 0;
  for (uint32_t i = 0; i < n->num_nodes; i++)
    n->at[i] = n->first[i];
  for (;;) {
    uint32_t arc = n->at[node];
    if (node == 1) {
      all += send(n, &length);
      if (all >= unlimited)
        return all;
      node = length == 0 ? 0 : n->to[n->way[length - 1]];
    } else if (arc == NOBODY) {
      if (length == 0)
        return all;
      length--;
      node = n->to[n->way[length] ^ 1];
      n->at[node] = n->next[n->way[length]];
    } else if (n->room[arc] > 0 && n->level[n->to[arc]] == n->level[node] + 1) {
      n->way[length++] = arc;
      node = n->to[arc];
    } else {
      n->at[node] = n->next[arc];
    }
  }
}

uint8_t *lin_moved_find(lin_arena *arena, const lin_expressions *e) {
  lin_arena own = {0};
  network n = build(&own, e);
  uint64_t flow = 0;
  while (flow < unlimited && find_levels(&n))
    flow += fill(&n);
  uint8_t *what = NULL;
  if (flow < unlimited) {
    what = LIN_ARRAY(arena, uint8_t, e->num_values);
    for (uint32_t v = 0; v < e->num_values; v++)
      if (n.level[node_there(v)] != NOBODY)
        what[v] = n.level[node_computed(v)] == NOBODY ? LIN_MOVES : LIN_COMPUTED;
  }
  lin_arena_release(&own);
  return what;
}
