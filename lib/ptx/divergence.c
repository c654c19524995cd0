// A register differs if anything it is computed from does, or if its values meet where threads come
// that a branch has parted. Where values meet is found once, for registers with several of them:
//
//     labels of a register %r in the blocks that need it, in order: which value it holds
//
//           D: set %r        a       b has two labels above it: values meet there, and threads come
//          ╱  ╲                      parted to it if a branch from D on, up to b, parts them
//     set %r   │           b: c,a
//          ╲  ╱
//           b                        a loop's header: values of this iteration and of the one
//           before
//                                    meet; they differ if the ways around the loop have several
//
// Then rounds: registers, by a list of those to be looked at; branches; where these part threads,
// the registers whose values meet, and those that a loop sets that is left in different iterations.
#include "divergence.h"

#include "live.h"

#include "graph/dominators.h"
#include "graph/order.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 16, MOST_LOOPS = 4 };

// Blocks in which registers with several values are needed, all together, about a second's work
// (0.1 us each, sorted: 40000 instructions of which every second register is needed from the entry
// on take 4.5 million and 0.4 s). Registers that are left differ.
enum { MOST_VISITS = 10000000 };

// Values of a register meet in front of block `to`; threads may be parted from `from` on.
typedef struct meeting {
  uint32_t reg;
  lin_block from, to;
} meeting;

typedef struct state {
  lin_arena *arena;
  lin_ptx_function *f;
  const lin_ptx_body *body;
  const lin_order *order;
  const lin_tree *dominators;
  const lin_ptx_uses *uses;
  lin_block *end;         // [loops] one past the last block of each
  uint32_t *first_reader; // [num_regs + 1]
  uint32_t *reader;       // instructions that read a register
  bool *differs;          // [num_regs]
  uint32_t *waiting;      // [num_regs] registers whose readers are to be looked at
  uint32_t num_waiting;
  bool *parts;       // [ordered blocks] its branch parts threads
  uint32_t *parting; // [ordered blocks + 1] such branches among the blocks before
  uint32_t *left;    // [loops] the innermost loop around it, itself included, that is left in
                     // different iterations; LIN_NONE: none
  bool *is_left;     // [loops]
  meeting *meeting;
  uint32_t num_meetings, meeting_capacity;
  // Of the register at hand:
  uint32_t *needed, *set; // [ordered blocks] reg + 1 if it is needed at the beginning; set in it
  uint32_t *label;        // [ordered blocks] where it is needed
  lin_block *block;       // [ordered blocks] these
  uint64_t visits;
} state;

static uint32_t loop_of(const state *s, lin_block block) { return s->order->loops->loop_of[block]; }

static lin_block ordered(const state *s, const lin_ptx_use *use) {
  return s->order->number[use->block];
}

// ---- values that meet

static void add_meeting(state *s, uint32_t reg, lin_block from, lin_block to) {
  s->meeting = LIN_ROOM(s->arena, s->meeting, s->num_meetings, &s->meeting_capacity);
  s->meeting[s->num_meetings++] = (meeting){reg, from, to};
}

// Whether one block alone sets the register, and that dominates all that read it.
static bool has_one_value(const state *s, uint32_t reg) {
  lin_block set = LIN_NONE;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    const lin_ptx_use *use = &s->uses->use[i];
    bool sets = (use->what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) != 0;
    if (ordered(s, use) == LIN_NONE || !sets)
      continue;
    if (set != LIN_NONE || (use->what & (LIN_PTX_READS | LIN_PTX_CHANGES)) != 0)
      return false;
    set = ordered(s, use);
  }
  for (LIN_PTX_USES(s->uses, reg, i)) {
    const lin_ptx_use *use = &s->uses->use[i];
    lin_block block = ordered(s, use);
    if (block != LIN_NONE && (use->what & LIN_PTX_READS) != 0 &&
        (set == LIN_NONE || !lin_tree_contains(s->dominators, set, block)))
      return set == LIN_NONE; // a parameter has one value
  }
  return true;
}

static int rising(const void *left, const void *right) {
  lin_block a = *(const lin_block *)left, b = *(const lin_block *)right;
  return a < b ? -1 : a > b;
}

// The blocks that need the register at their beginning, in order. Returns their number.
static uint32_t find_needed(state *s, uint32_t reg) {
  const lin_graph *graph = s->order->graph;
  uint32_t count = 0;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    const lin_ptx_use *use = &s->uses->use[i];
    lin_block block = ordered(s, use);
    if (block == LIN_NONE)
      continue;
    if ((use->what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) != 0)
      s->set[block] = reg + 1;
    // What is set perhaps is needed before.
    bool reads = (use->what & LIN_PTX_READS) != 0 ||
                 (use->what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) == LIN_PTX_CHANGES;
    if (reads && s->needed[block] != reg + 1) {
      s->needed[block] = reg + 1;
      s->block[count++] = block;
    }
  }
  for (uint32_t at = 0; at < count; at++)
    for (LIN_IN_EDGES(graph, s->block[at], i)) {
      lin_block from = graph->source[graph->in_edge[i]];
      if (s->needed[from] == reg + 1 || s->set[from] == reg + 1)
        continue;
      s->needed[from] = reg + 1;
      s->block[count++] = from;
    }
  qsort(s->block, count, sizeof *s->block, rising);
  return count;
}

// The value that the register has at the end of a block: the block that set it, or where values
// met.
static uint32_t label_behind(const state *s, uint32_t reg, lin_block block) {
  return s->set[block] == reg + 1 ? 2 * block + 1 : s->label[block];
}

static bool is_set_in_loop(const state *s, uint32_t reg, uint32_t loop) {
  for (LIN_PTX_USES(s->uses, reg, i)) {
    const lin_ptx_use *use = &s->uses->use[i];
    lin_block block = ordered(s, use);
    if (block != LIN_NONE && (use->what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) != 0 &&
        lin_loop_contains(s->order->loops, loop, block))
      return true;
  }
  return false;
}

static void find_meetings(state *s, uint32_t reg) {
  const lin_graph *graph = s->order->graph;
  const lin_loops *loops = s->order->loops;
  uint32_t count = find_needed(s, reg);
  s->visits += count;
  for (uint32_t at = 0; at < count; at++) {
    lin_block block = s->block[at];
    uint32_t label = LIN_NONE;
    bool meet = false, around = false;
    for (LIN_IN_EDGES(graph, block, i)) {
      lin_block from = graph->source[graph->in_edge[i]];
      around |= from >= block;
      if (from >= block)
        continue;
      uint32_t other = label_behind(s, reg, from);
      meet |= label != LIN_NONE && label != other;
      label = other;
    }
    if (meet)
      add_meeting(s, reg, s->dominators->parent[block], block);
    bool carries = around && is_set_in_loop(s, reg, loops->loop_of[block]);
    s->label[block] = meet || carries || label == LIN_NONE ? 2 * block : label;
  }
  for (uint32_t at = 0; at < count; at++) { // the ways around loops
    lin_block block = s->block[at];
    uint32_t label = LIN_NONE, loop = loops->loop_of[block];
    bool meet = false;
    for (LIN_IN_EDGES(graph, block, i)) {
      lin_block from = graph->source[graph->in_edge[i]];
      if (from < block)
        continue;
      uint32_t other = label_behind(s, reg, from);
      meet |= label != LIN_NONE && label != other;
      label = other;
    }
    // Threads enter an irreducible loop at different places, and are parted all the way through it.
    if (meet || (loops->irreducible[loop] && is_set_in_loop(s, reg, loop)))
      add_meeting(s, reg,
                  s->dominators->parent[loops->header[loop]] == LIN_NONE
                      ? 0
                      : s->dominators->parent[loops->header[loop]],
                  s->end[loop]);
  }
}

// ---- rounds

static void mark(state *s, uint32_t reg) {
  if (s->differs[reg])
    return;
  s->differs[reg] = true;
  s->waiting[s->num_waiting++] = reg;
}

static void mark_results(state *s, uint32_t at) {
  for (LIN_PTX_ACCESSES(s->body, at, i))
    if (s->body->access[i].kind != LIN_PTX_READ)
      mark(s, s->body->access[i].reg);
}

static void follow(state *s) {
  while (s->num_waiting > 0) {
    uint32_t reg = s->waiting[--s->num_waiting];
    for (uint32_t i = s->first_reader[reg]; i < s->first_reader[reg + 1]; i++)
      mark_results(s, s->reader[i]);
  }
}

static bool reads_what_differs(const state *s, uint32_t at) {
  for (LIN_PTX_ACCESSES(s->body, at, i))
    if (s->differs[s->body->access[i].reg])
      return true;
  return false;
}

// Branches that part threads. Returns whether there are more than before.
static bool find_parting(state *s) {
  const lin_graph *graph = s->order->graph;
  bool found = false;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    const lin_ptx_block *b = &s->f->block[s->order->origin[block]];
    if (!s->parts[block] && lin_may_diverge(graph, block) && b->branch != LIN_NONE &&
        reads_what_differs(s, b->branch))
      found = s->parts[block] = true;
    s->parting[block + 1] = s->parting[block] + s->parts[block];
  }
  return found;
}

// Loops that threads leave in different iterations.
static void find_left(state *s) {
  const lin_graph *graph = s->order->graph;
  const lin_loops *loops = s->order->loops;
  for (lin_block block = 0; block < graph->num_blocks; block++) {
    if (!s->parts[block])
      continue;
    for (LIN_OUT_EDGES(graph, block, edge))
      for (uint32_t loop = loops->loop_of[block];
           !lin_loop_contains(loops, loop, graph->destination[edge]) && !s->is_left[loop];
           loop = loops->tree->parent[loop])
        s->is_left[loop] = true;
  }
  for (uint32_t loop = 0; loop < loops->num_loops; loop++) { // a loop after the one around it
    uint32_t around = loops->tree->parent[loop];
    s->left[loop] = s->is_left[loop] ? loop : around == LIN_NONE ? LIN_NONE : s->left[around];
  }
}

// Whether a loop that sets the register is left in different iterations, and it is read outside.
static bool is_read_outside(const state *s, uint32_t reg) {
  uint32_t loop[MOST_LOOPS], count = 0;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    const lin_ptx_use *use = &s->uses->use[i];
    lin_block block = ordered(s, use);
    if (block == LIN_NONE || (use->what & (LIN_PTX_SETS | LIN_PTX_CHANGES)) == 0)
      continue;
    uint32_t left = s->left[loop_of(s, block)], at = 0;
    if (left == LIN_NONE)
      continue;
    while (at < count && loop[at] != left)
      at++;
    if (at == MOST_LOOPS)
      return true;
    loop[at] = left;
    count = at == count ? count + 1 : count;
  }
  if (count == 0)
    return false;
  for (LIN_PTX_USES(s->uses, reg, i)) {
    const lin_ptx_use *use = &s->uses->use[i];
    lin_block block = ordered(s, use);
    if (block == LIN_NONE || (use->what & LIN_PTX_READS) == 0)
      continue;
    for (uint32_t at = 0; at < count; at++)
      if (!lin_loop_contains(s->order->loops, loop[at], block))
        return true;
  }
  return false;
}

static void find_parted(state *s) {
  for (uint32_t i = 0; i < s->num_meetings; i++) {
    const meeting *m = &s->meeting[i];
    if (s->parting[m->to] > s->parting[m->from])
      mark(s, m->reg);
  }
  for (uint32_t reg = 0; reg < s->body->num_regs; reg++)
    if (!s->differs[reg] && is_read_outside(s, reg))
      mark(s, reg);
}

// ---- the whole

static void find_readers(state *s) {
  const lin_ptx_body *body = s->body;
  s->first_reader = LIN_ARRAY(s->arena, uint32_t, (size_t)body->num_regs + 2);
  s->reader = LIN_ARRAY(s->arena, uint32_t, body->num_accesses);
  for (uint32_t i = 0; i < body->num_accesses; i++)
    if (body->access[i].kind == LIN_PTX_READ)
      s->first_reader[body->access[i].reg + 2]++;
  for (uint32_t reg = 0; reg < body->num_regs; reg++)
    s->first_reader[reg + 2] += s->first_reader[reg + 1];
  for (uint32_t at = 0; at < body->count; at++)
    for (LIN_PTX_ACCESSES(body, at, i))
      if (body->access[i].kind == LIN_PTX_READ)
        s->reader[s->first_reader[body->access[i].reg + 1]++] = at;
}

static void find_ends(state *s) {
  const lin_loops *loops = s->order->loops;
  s->end = LIN_ARRAY(s->arena, lin_block, loops->num_loops);
  for (lin_block block = 0; block < s->order->graph->num_blocks; block++)
    s->end[loops->loop_of[block]] = block + 1;
  for (uint32_t loop = loops->num_loops; loop-- > 1;) { // a loop after the one around it
    lin_block *around = &s->end[loops->tree->parent[loop]];
    *around = s->end[loop] > *around ? s->end[loop] : *around;
  }
}

static void begin(state *s) {
  for (uint32_t reg = 0; reg < s->body->num_regs; reg++) {
    if (s->body->reg[reg].is_parameter && !s->body->place->is_kernel)
      mark(s, reg);
    if (has_one_value(s, reg))
      continue;
    if (s->visits > MOST_VISITS)
      mark(s, reg);
    else
      find_meetings(s, reg);
  }
  for (uint32_t at = 0; at < s->body->count; at++)
    if (s->body->instruction[at].is_own || s->body->instruction[at].is_closed ||
        lin_ptx_meaning(s->body, at)->flow == LIN_PTX_CALL)
      mark_results(s, at);
}

void lin_ptx_find_uniform(lin_ptx_function *f) {
  lin_arena arena = {0};
  const lin_order *order = lin_order_build(&arena, f->graph);
  uint32_t n = order->graph->num_blocks, regs = f->body->num_regs;
  state s = {.arena = &arena,
             .f = f,
             .body = f->body,
             .order = order,
             .dominators = lin_dominators_build(&arena, order->graph, 0),
             .uses = lin_ptx_uses_build(&arena, f),
             .differs = LIN_ARRAY(&arena, bool, regs),
             .waiting = LIN_ARRAY(&arena, uint32_t, regs),
             .parts = LIN_ARRAY(&arena, bool, n),
             .parting = LIN_ARRAY(&arena, uint32_t, (size_t)n + 1),
             .left = LIN_ARRAY(&arena, uint32_t, order->loops->num_loops),
             .is_left = LIN_ARRAY(&arena, bool, order->loops->num_loops),
             .needed = LIN_ARRAY(&arena, uint32_t, n),
             .set = LIN_ARRAY(&arena, uint32_t, n),
             .label = LIN_ARRAY(&arena, uint32_t, n),
             .block = LIN_ARRAY(&arena, lin_block, n)};
  find_ends(&s);
  find_readers(&s);
  begin(&s);
  bool is_done = false;
  for (uint32_t round = 0; round < MOST_ROUNDS && !is_done; round++) {
    follow(&s);
    is_done = !find_parting(&s);
    find_left(&s);
    if (!is_done)
      find_parted(&s);
  }
  for (lin_block block = 0; block < n && is_done; block++)
    if (lin_out_degree(order->graph, block) > 1 && !s.parts[block])
      f->graph->flags[order->origin[block]] |= LIN_UNIFORM;
  lin_arena_release(&arena);
}
