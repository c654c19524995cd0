// Blocks are laid out in a line and most of them go on to the next one; a kind says how often they
// do something else. Loops are spans of the line that open at one block and close at a later one:
//
//     0 ─▶ 1 ─▶ 2 ─▶ 3 ─▶ 4 ─▶ 5 ─▶ return
//          ▲         │    │
//          └─────────┴────┘  a span from 1 to 4, repeated from 3 too
#include "random_graph.h"

#include <stdio.h>

// Chances in percent.
typedef struct kind {
  const char *name;
  uint32_t returns;    // a block returns
  uint32_t traps;      // a block traps
  uint32_t last_ends;  // the last block returns or traps
  uint32_t falls;      // the first successor is the next block
  uint32_t max_degree; // of a block that doesn't end the function
  uint32_t opens;      // a loop begins
  uint32_t closes;     // the innermost open loop ends
  uint32_t repeats;    // a successor goes to the header of some open loop
  uint32_t goes_back;  // any other successor goes back
  uint32_t near;       // how far such successors go; 0: anywhere
  uint32_t parallel;   // a successor repeats the one before it
} kind;

static const kind kinds[] = {
    // name, returns, traps, last_ends, falls, max_degree, opens, closes, repeats, goes_back, near,
    // parallel
    {"acyclic", 2, 2, 100, 80, 2, 0, 0, 0, 0, 5, 2},
    {"acyclic far", 2, 0, 100, 60, 3, 0, 0, 0, 0, 0, 2},
    {"sparse", 5, 2, 80, 70, 2, 0, 0, 0, 40, 0, 2},
    {"dense", 3, 1, 80, 50, 6, 0, 0, 0, 40, 0, 5},
    {"loop nests", 1, 0, 100, 100, 2, 25, 25, 20, 0, 3, 0},
    {"loops left early", 4, 4, 80, 95, 3, 25, 20, 15, 0, 12, 3},
    {"loops entered late", 2, 2, 80, 75, 3, 25, 20, 15, 25, 10, 3},
    {"irreducible", 2, 1, 80, 85, 3, 0, 0, 0, 50, 4, 2},
    {"switches", 3, 3, 80, 60, 12, 10, 10, 5, 8, 0, 30},
    {"infinite loops", 0, 1, 30, 75, 2, 15, 15, 15, 20, 6, 2},
    {"infinite sparse", 1, 0, 30, 50, 2, 0, 0, 0, 35, 0, 2},
    {"dead ends", 6, 20, 80, 70, 3, 10, 10, 10, 15, 0, 2},
};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t random_below(uint64_t *state, uint32_t limit) {
  return (uint32_t)((random_next(state) >> 32) * limit >> 32);
}

bool random_chance(uint64_t *state, uint32_t percent) { return random_below(state, 100) < percent; }

typedef struct generator {
  uint64_t state;
  const kind *kind;
  uint32_t count;        // blocks
  lin_block *open;       // headers of the spans around the current block
  uint32_t num_open;     //
  uint32_t *degree;      // [count]
  uint32_t *flags;       // [count]
  lin_block *successors; // [count * max_degree], max_degree for each block
  bool connected;        // few blocks are unreachable
  bool *reached;         // [count] from the entry, over blocks made so far
} generator;

// A block other than the entry, ahead of `block` or not; there are at least two blocks.
static lin_block random_target(generator *g, lin_block block) {
  uint32_t ahead = g->count - 1 - block;
  bool back = block > 0 && (ahead == 0 || random_chance(&g->state, g->kind->goes_back));
  uint32_t room = back ? block : ahead;
  if (g->kind->near != 0 && room > g->kind->near)
    room = g->kind->near;
  uint32_t distance = random_below(&g->state, room);
  return back ? block - distance : block + 1 + distance;
}

static lin_block next_successor(generator *g, lin_block block, uint32_t index) {
  const lin_block *own = &g->successors[(size_t)block * g->kind->max_degree];
  if (index > 0 && random_chance(&g->state, g->kind->parallel))
    return own[index - 1];
  if (index == 0 && block + 1 < g->count && random_chance(&g->state, g->kind->falls))
    return block + 1;
  if (g->num_open > 0 && random_chance(&g->state, g->kind->repeats))
    return g->open[random_below(&g->state, g->num_open)];
  return random_target(g, block);
}

static bool ends(generator *g, lin_block block) {
  if (g->count == 1)
    return true;
  if (block == g->count - 1)
    return random_chance(&g->state, g->kind->last_ends);
  return block > 0 && random_chance(&g->state, g->kind->returns + g->kind->traps);
}

static uint32_t random_flags(generator *g) {
  static const uint32_t rare[] = {LIN_WAITS, LIN_POLLS, LIN_RELEASES, LIN_CROSS_LANE, LIN_REFUSED};
  uint32_t flags = random_chance(&g->state, 25) ? LIN_UNIFORM : 0;
  for (uint32_t i = 0; i < sizeof rare / sizeof rare[0]; i++)
    if (random_chance(&g->state, 2))
      flags |= rare[i];
  return flags;
}

// Leads an edge of a block before `block` to it, if there is a free one. Most loops get a way out
// like that; without, the blocks behind the first that has none would be unreachable, and no graph
// of some kinds large.
static void connect(generator *g, lin_block block) {
  uint32_t skipped = random_below(&g->state, block < 4 ? block : 4);
  for (lin_block above = block - skipped; above-- > 0;)
    if (g->reached[above] && g->degree[above] > 0 && g->degree[above] < g->kind->max_degree) {
      g->successors[(size_t)above * g->kind->max_degree + g->degree[above]++] = block;
      g->reached[block] = true;
      return;
    }
}

static void make_block(generator *g, lin_block block) {
  if (g->connected && !g->reached[block])
    connect(g, block);
  g->flags[block] = random_flags(g);
  if (ends(g, block)) {
    uint32_t traps = 100 * g->kind->traps / (g->kind->returns + g->kind->traps + 1);
    g->flags[block] |= random_chance(&g->state, traps) ? LIN_TRAP : LIN_RETURN;
    return;
  }
  if (block > 0 && random_chance(&g->state, g->kind->opens))
    g->open[g->num_open++] = block;
  uint32_t degree = 1 + random_below(&g->state, g->kind->max_degree);
  lin_block *own = &g->successors[(size_t)block * g->kind->max_degree];
  for (uint32_t i = 0; i < degree; i++)
    own[i] = next_successor(g, block, i);
  if (g->num_open > 0 && random_chance(&g->state, g->kind->closes))
    own[degree - 1] = g->open[--g->num_open];
  if (degree > 1 && random_chance(&g->state, 50)) {
    lin_block first = own[0];
    own[0] = own[degree - 1];
    own[degree - 1] = first;
  }
  g->degree[block] = degree;
  for (uint32_t i = 0; i < degree && g->reached[block]; i++)
    g->reached[own[i]] = true;
}

// Puts the blocks behind the entry in a random order; returns the new number of each.
static lin_block *shuffle(generator *g, lin_arena *arena) {
  lin_block *number = LIN_ARRAY(arena, lin_block, g->count);
  for (lin_block block = 0; block < g->count; block++)
    number[block] = block;
  if (random_chance(&g->state, 50))
    for (uint32_t i = g->count - 1; i > 1; i--) {
      uint32_t other = 1 + random_below(&g->state, i);
      lin_block moved = number[i];
      number[i] = number[other];
      number[other] = moved;
    }
  return number;
}

static lin_graph *make_graph(generator *g, lin_arena *arena) {
  lin_block *number = shuffle(g, arena);
  lin_block *origin = LIN_ARRAY(arena, lin_block, g->count);
  uint32_t num_edges = 0;
  for (lin_block block = 0; block < g->count; block++) {
    origin[number[block]] = block;
    num_edges += g->degree[block];
  }
  lin_graph *graph = lin_graph_new(arena, g->count, num_edges);
  lin_edge next = 0;
  uint64_t costs = g->state, turns = ~g->state;
  for (lin_block block = 0; block < g->count; block++) {
    lin_block from = origin[block];
    char name[16];
    int length = snprintf(name, sizeof name, "B%u", (unsigned)block);
    graph->name[block] = lin_arena_text(arena, name, (size_t)length);
    graph->flags[block] = g->flags[from];
    graph->cost[block] = random_below(&costs, 2 * LIN_USUAL_COST);
    graph->most_trips[block] = random_below(&turns, 4) == 0 ? random_below(&turns, 200) : 0;
    if ((g->flags[from] & LIN_REFUSED) != 0)
      graph->reason[block] = "refused in the input";
    graph->first_edge[block] = next;
    bool weighted = random_below(&costs, 4) == 0;
    for (uint32_t i = 0; i < g->degree[from]; i++) {
      graph->weight[next] = weighted ? random_below(&costs, 100) : 0;
      graph->destination[next++] = number[g->successors[(size_t)from * g->kind->max_degree + i]];
    }
  }
  graph->first_edge[g->count] = next;
  lin_graph_finish(arena, graph);
  return graph;
}

const char *random_graph_kind(uint64_t seed) { return kinds[seed % NUM_KINDS].name; }

lin_graph *random_graph(lin_arena *arena, uint64_t seed, uint32_t min_blocks, uint32_t max_blocks) {
  generator g = {.state = seed, .kind = &kinds[seed % NUM_KINDS]};
  g.count = min_blocks + random_below(&g.state, max_blocks - min_blocks + 1);
  g.open = LIN_ARRAY(arena, lin_block, g.count);
  g.degree = LIN_ARRAY(arena, uint32_t, g.count);
  g.flags = LIN_ARRAY(arena, uint32_t, g.count);
  g.successors = LIN_ARRAY(arena, lin_block, (size_t)g.count * g.kind->max_degree);
  g.connected = random_chance(&g.state, 75);
  g.reached = LIN_ARRAY(arena, bool, g.count);
  g.reached[0] = true;
  for (lin_block block = 0; block < g.count; block++)
    make_block(&g, block);
  lin_graph *graph = make_graph(&g, arena);
  char title[48];
  int length = snprintf(title, sizeof title, "seed_%llu", (unsigned long long)seed);
  graph->title = lin_arena_text(arena, title, (size_t)length);
  return graph;
}

// ---- branches with two arms

enum { MOST_BLOCKS = 200, MOST_NESTED = 3 };

typedef struct builder {
  uint64_t state;
  uint32_t flags[MOST_BLOCKS];
  lin_block next[MOST_BLOCKS][2];
  uint32_t degree[MOST_BLOCKS];
  uint32_t count;
} builder;

static lin_block add_plain(builder *b, lin_block from) {
  lin_block block = b->count++;
  b->next[from][b->degree[from]++] = block;
  return block;
}

static lin_block add_branch(builder *b, lin_block from, uint32_t nested);

// Appends blocks, loops and branches to `from`; returns the last block, which has no edges yet.
static lin_block add_arm(builder *b, lin_block from, uint32_t nested) {
  lin_block last = add_plain(b, from);
  for (uint32_t i = 1 + (uint32_t)random_below(&b->state, 3); i > 0; i--) {
    if (b->count + 40 > MOST_BLOCKS)
      break;
    uint32_t what = (uint32_t)random_below(&b->state, 6);
    if (what == 0 && nested < MOST_NESTED) {
      last = add_branch(b, last, nested + 1);
      continue;
    }
    last = add_plain(b, last);
    if (what == 1) // goes back to itself
      b->next[last][b->degree[last]++] = last;
    else if (what < 4)
      b->flags[last] |= LIN_STAGE;
  }
  return b->degree[last] > 0 ? add_plain(b, last) : last;
}

static lin_block add_branch(builder *b, lin_block from, uint32_t nested) {
  lin_block branch = add_plain(b, from);
  b->flags[branch] |= LIN_TWO_SIDED;
  lin_block end[2];
  for (uint32_t arm = 0; arm < 2; arm++)
    end[arm] = add_arm(b, branch, nested);
  lin_block meeting = add_plain(b, end[0]);
  b->next[end[1]][b->degree[end[1]]++] = meeting;
  return meeting;
}

lin_graph *random_two_sided(lin_arena *arena, uint64_t seed) {
  builder b = {.state = seed, .count = 1};
  lin_block last = 0;
  do
    last = add_branch(&b, last, 0);
  while (b.count + 80 < MOST_BLOCKS && random_below(&b.state, 2) == 0);
  uint32_t num_edges = 0;
  for (lin_block block = 0; block < b.count; block++)
    num_edges += b.degree[block];
  lin_graph *graph = lin_graph_new(arena, b.count, num_edges);
  lin_edge next = 0;
  for (lin_block block = 0; block < b.count; block++) {
    char name[16];
    int length = snprintf(name, sizeof name, "B%u", (unsigned)block);
    graph->name[block] = lin_arena_text(arena, name, (size_t)length);
    graph->flags[block] = b.flags[block] | (block == last ? LIN_RETURN : 0u);
    graph->first_edge[block] = next;
    for (uint32_t i = 0; i < b.degree[block]; i++)
      graph->destination[next++] = b.next[block][i];
  }
  graph->first_edge[b.count] = next;
  graph->title = "two_sided";
  lin_graph_finish(arena, graph);
  return graph;
}

// ---- a loop that threads leave by a flag

enum { MOST_TESTS = 5, MOST_EXITS = 3 };

lin_graph *random_flag_loop(lin_arena *arena, uint64_t seed) {
  uint64_t state = seed;
  uint32_t tests = 2 + random_below(&state, MOST_TESTS - 1);
  uint32_t exits = 1 + random_below(&state, MOST_EXITS), turn = random_below(&state, exits + 1);
  lin_block header = 1, flag = header + tests, exit = flag + 1, end = exit + exits;
  lin_graph *graph = lin_graph_new(arena, end + 1, 2 * tests + 2 * exits + 2);
  lin_edge next = 0;
  for (lin_block block = 0; block <= end; block++) {
    char name[8];
    int length = snprintf(name, sizeof name, "b%u", block);
    graph->name[block] = lin_arena_text(arena, name, (size_t)length);
    graph->cost[block] = 1 + random_below(&state, LIN_USUAL_COST);
    graph->first_edge[block] = next;
    if (block != flag && block < exit)
      graph->destination[next++] = block + 1;
    if (block >= header && block + 1 < flag && random_chance(&state, 75))
      graph->destination[next++] = flag;
    for (uint32_t i = 0; block == flag && i <= exits; i++)
      graph->destination[next++] =
          (turn + i) % (exits + 1) == exits ? header : exit + (turn + i) % (exits + 1);
    if (block >= exit && block < end) // to the end, or to the next exit
      graph->destination[next++] = random_chance(&state, 50) ? end : block + 1;
  }
  graph->flags[end] = LIN_RETURN;
  graph->first_edge[end + 1] = graph->num_edges = next;
  graph->title = "flag_loop";
  lin_graph_finish(arena, graph);
  return graph;
}
