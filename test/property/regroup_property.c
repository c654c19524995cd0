// regroup_property [first_seed] [count] [max_blocks]
//
// lib/regroup on random input, against what its headers promise:
//
//   moved      on small expressions, the least cost of all choices that there are, by trying each
//   layout     no two items share a bit, none is lost, and no more words than first fit may need
//   rounds     all stations of a kernel fit into the room that is left, and do what was asked
//   stations   threads on random walks: all come to a station, or none waits there; nobody waits
//              for ever, nobody passes a point alone, and where they are said to be together or in
//              step they are
//
// The last line is `N passed, M failed`.
#include "graph/order.h"
#include "graph/text.h"
#include "random_graph.h"
#include "regroup/layout.h"
#include "regroup/moved.h"
#include "regroup/rounds.h"
#include "regroup/stations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- moved

enum { MOST_VALUES = 7, MOST_OPERANDS = 3 };

typedef struct problem {
  uint32_t first[MOST_VALUES + 1], operand[MOST_VALUES * MOST_OPERANDS];
  uint32_t moving[MOST_VALUES], computing[MOST_VALUES];
  bool is_needed[MOST_VALUES];
  lin_expressions e;
} problem;

static uint32_t random_cost(uint64_t *state) {
  return random_chance(state, 20) ? LIN_NEVER : random_below(state, 12);
}

static void make_problem(problem *p, uint64_t *state) {
  const uint32_t count = 1 + random_below(state, MOST_VALUES);
  uint32_t operands = 0;
  for (uint32_t v = 0; v < count; v++) {
    p->first[v] = operands;
    for (uint32_t i = random_below(state, MOST_OPERANDS + 1); i > 0 && v > 0; i--)
      p->operand[operands++] = random_below(state, v);
    p->moving[v] = random_cost(state);
    p->computing[v] = random_cost(state);
    p->is_needed[v] = random_chance(state, 30);
  }
  p->first[count] = operands;
  p->e = (lin_expressions){count, p->first, p->operand, p->moving, p->computing, p->is_needed};
}

static const uint64_t impossible = UINT64_MAX;

static uint64_t cost_of(const lin_expressions *e, const uint8_t *what) {
  uint64_t sum = 0;
  for (uint32_t v = 0; v < e->num_values; v++) {
    if (e->is_needed[v] && what[v] == LIN_NOT_THERE)
      return impossible;
    uint32_t cost = what[v] == LIN_MOVES      ? e->moving[v]
                    : what[v] == LIN_COMPUTED ? e->computing[v]
                                              : 0;
    if (cost == LIN_NEVER)
      return impossible;
    sum += cost;
    for (uint32_t i = e->first_operand[v]; what[v] == LIN_COMPUTED && i < e->first_operand[v + 1];
         i++)
      if (what[e->operand[i]] == LIN_NOT_THERE)
        return impossible;
  }
  return sum;
}

static uint64_t least_cost(const lin_expressions *e) {
  uint64_t least = impossible;
  uint32_t choices = 1;
  for (uint32_t v = 0; v < e->num_values; v++)
    choices *= 3;
  for (uint32_t choice = 0; choice < choices; choice++) {
    uint8_t what[MOST_VALUES];
    for (uint32_t v = 0, rest = choice; v < e->num_values; v++, rest /= 3)
      what[v] = (uint8_t)(rest % 3);
    uint64_t cost = cost_of(e, what);
    least = cost < least ? cost : least;
  }
  return least;
}

static bool check_moved(lin_arena *arena, uint64_t *state) {
  problem p;
  make_problem(&p, state);
  const uint8_t *what = lin_moved_find(arena, &p.e);
  uint64_t least = least_cost(&p.e), found = what == NULL ? impossible : cost_of(&p.e, what);
  if (found != least)
    printf("moved: %llu instead of %llu\n", (unsigned long long)found, (unsigned long long)least);
  return found == least;
}

// ---- layout

enum { MOST_ITEMS = 30, MOST_WORDS = 200 };

static bool claim(uint32_t *taken, uint32_t word, uint32_t shift, uint32_t bits) {
  uint32_t mask = (bits == LIN_WORD ? UINT32_MAX : (UINT32_C(1) << bits) - 1) << shift;
  bool is_free = shift + bits <= LIN_WORD && (taken[word] & mask) == 0;
  taken[word] |= mask;
  return is_free;
}

static bool check_layout(lin_arena *arena, uint64_t *state) {
  static const uint32_t sizes[] = {1, 1, 8, 10, 16, 32, 32, 64, 128, 37};
  uint32_t count = random_below(state, MOST_ITEMS), bits[MOST_ITEMS], taken[MOST_WORDS] = {0},
           rest = 0, full = 0;
  for (uint32_t i = 0; i < count; i++)
    bits[i] =
        random_chance(state, 80) ? sizes[random_below(state, 10)] : 1 + random_below(state, 140);
  bool has_first = count > 0 && random_chance(state, 50), good = true;
  if (has_first)
    bits[0] = 1 + random_below(state, 6);
  lin_layout layout = lin_layout_find(arena, count, bits, has_first);
  for (uint32_t i = 0; i < count; i++) {
    full += bits[i] / LIN_WORD;
    rest += bits[i] % LIN_WORD;
    for (uint32_t word = 0; word < bits[i] / LIN_WORD; word++)
      good = good && layout.full[i] + word < layout.num_words &&
             claim(taken, layout.full[i] + word, 0, LIN_WORD);
    if (bits[i] % LIN_WORD != 0)
      good = good && layout.word[i] < layout.num_words &&
             claim(taken, layout.word[i], layout.shift[i], bits[i] % LIN_WORD);
  }
  for (uint32_t i = 0; i < count && good; i++)
    for (uint32_t j = 0; j < count; j++)
      if (i != j && bits[i] % LIN_WORD != 0 && bits[j] % LIN_WORD != 0 &&
          layout.word[i] == layout.word[j])
        good = good && !layout.is_alone[i];
  if (has_first)
    good = good && layout.word[0] == 0 && layout.shift[0] == 0;
  // First fit fills all words but one by half at least.
  good = good && layout.num_words <= full + 2 * rest / LIN_WORD + 1;
  if (!good)
    printf("layout: items overlap, are lost, or take too many words\n");
  return good;
}

// ---- rounds

static bool round_is_good(const lin_room *room, const lin_rounds *rounds, const lin_wish *wish,
                          const lin_round *round) {
  const uint32_t threads = room->threads == 0 ? LIN_LARGEST_BLOCK : room->threads;
  const uint32_t groups = round->keys + wish->waits;
  if (round->algorithm == LIN_BEST)
    return true;
  if (round->keys != lin_count_keys(wish, round->dropped) || round->keys == 0)
    return false;
  if (round->algorithm == LIN_HOT && groups > 2)
    return false;
  if (round->algorithm == LIN_DGI &&
      (rounds->dgi_at + lin_dgi_bytes(groups, threads, round->neighbours) > rounds->words_at ||
       round->neighbours < 4 || round->neighbours > 64))
    return false;
  if (round->algorithm == LIN_VOTES && lin_votes_bytes(round->keys, threads) > rounds->hot_at)
    return false;
  uint32_t beside = round->algorithm == LIN_VOTES ? lin_words_of_pass(round->keys) : 0;
  if (rounds->words_at + 4 * threads * (round->at_once > beside ? round->at_once : beside) >
          rounds->bytes ||
      rounds->words_at + 4 * LIN_SMALL_BLOCK * round->at_once_small > rounds->bytes)
    return false;
  return round->at_once <= wish->words && (wish->words == 0 || round->at_once > 0) &&
         (round->small == 0 || round->at_once_small >= round->at_once);
}

static bool check_rounds(lin_arena *arena, uint64_t *state) {
  static const uint32_t targets[] = {70, 75, 80, 86, 90, 100, 120};
  static const uint32_t sizes[] = {0, 0, 32, 64, 128, 200, 256, 512, 1000, 1024};
  lin_room room = {.target = lin_target_find(targets[random_below(state, 7)]),
                   .threads = sizes[random_below(state, 10)],
                   .shared = random_chance(state, 50) ? 0 : random_below(state, 48 * 1024),
                   .is_dynamic = random_chance(state, 20),
                   .registers = random_below(state, 255)};
  const uint32_t count = 1 + random_below(state, 4);
  lin_wish wish[4];
  uint32_t bits[4][4];
  for (uint32_t i = 0; i < count; i++) {
    wish[i] = (lin_wish){.key_bits = bits[i],
                         .num_points = 1 + random_below(state, 3),
                         .waits = random_chance(state, 50),
                         .words = random_below(state, 40),
                         .algorithm = (lin_algorithm)random_below(state, LIN_NUM_ALGORITHMS),
                         .neighbours = random_chance(state, 50) ? 0 : 4u << random_below(state, 5)};
    for (uint32_t j = 0; j < wish[i].num_points; j++)
      bits[i][j] = random_chance(state, 80) ? random_below(state, 6) : random_below(state, 33);
  }
  lin_rounds rounds = lin_rounds_choose(arena, &room, wish, count);
  bool good = true, any = false;
  for (uint32_t i = 0; i < count; i++) {
    any = any || rounds.round[i].algorithm != LIN_BEST;
    good = good && round_is_good(&room, &rounds, &wish[i], &rounds.round[i]);
  }
  good = good && (!any || rounds.bytes <= lin_room_left(&room));
  if (!good)
    printf("rounds: no room, or not what was asked for\n");
  return good;
}

// ---- stations

enum { THREADS = 12, MOST_STEPS = 400, MOST_ROUNDS = 4000 };
enum { RUNS, WAITS, ENDED, TRAPPED };
enum { FROM_POINT, FROM_BARRIER, FROM_EXIT };

typedef struct walker {
  int state;
  lin_block at;     // where it runs, or is to go on
  uint32_t station; // at which it waits
  int from;         // where it came from
  lin_block place;  // which
  uint32_t landing; // the way on which it waits, LIN_NONE
  uint64_t random;
  uint32_t passed, steps; // places; blocks since the last one
} walker;

typedef struct walk {
  const lin_graph *graph;
  const lin_stations *s;
  const lin_postdominators *postdominators;
  const uint8_t *what;
  const bool *parts; // or NULL
  uint64_t seed;
  walker thread[THREADS];
  const char *wrong;
} walk;

// Threads that part choose by chance, others by where they are and how many places they have
// passed.
static lin_edge choose(walk *w, walker *t) {
  uint64_t common = w->seed ^ ((uint64_t)t->at << 32 | t->passed);
  uint64_t *state = w->parts == NULL || w->parts[t->at] ? &t->random : &common;
  return w->graph->first_edge[t->at] + random_below(state, lin_out_degree(w->graph, t->at));
}

static void wait_at(walker *t, uint32_t station, int from, lin_block place) {
  t->state = WAITS;
  t->station = station;
  t->from = from;
  t->place = place;
}

// Takes an edge, on which there may be an exit.
static void take(walk *w, walker *t, lin_edge edge) {
  t->at = w->graph->destination[edge];
  t->landing = w->s->landing_of[edge];
  if (t->landing != LIN_NONE)
    wait_at(t, w->s->landing[t->landing].from, FROM_EXIT, t->at);
}

static void run(walk *w, walker *t) {
  while (t->state == RUNS && t->steps++ < MOST_STEPS) {
    if (w->s->is_end[t->at]) {
      wait_at(t, 0, FROM_EXIT, t->at);
      return;
    }
    if (lin_out_degree(w->graph, t->at) == 0) {
      t->state = (w->graph->flags[t->at] & LIN_RETURN) != 0 ? ENDED : TRAPPED;
      return;
    }
    if (w->s->station_of[t->at] != LIN_NONE) {
      wait_at(t, w->s->station_of[t->at], w->what[t->at] == LIN_POINT ? FROM_POINT : FROM_BARRIER,
              t->at);
      return;
    }
    take(w, t, choose(w, t));
  }
}

static void go_on(walk *w, walker *t) {
  t->state = RUNS;
  t->passed++;
  t->steps = 0;
  if (t->from == FROM_EXIT && w->s->is_end[t->place]) {
    t->state = ENDED;
  } else if (t->from != FROM_EXIT) {
    take(w, t, w->graph->first_edge[t->place]);
  } else if (t->station + 1 < w->s->landing[t->landing].to) {
    wait_at(t, t->station + 1, FROM_EXIT, t->place);
  } else {
    t->landing = LIN_NONE;
  }
}

// All threads have come. Those that may go on do.
static void release(walk *w, uint32_t station) {
  uint32_t count[3] = {0};
  bool same = true;
  for (int i = 0; i < THREADS; i++) {
    const walker *t = &w->thread[i], *first = &w->thread[0];
    count[t->from]++;
    same = same && t->from == first->from && t->place == first->place;
  }
  if (w->s->is_together[station] && (!same || count[FROM_POINT] == 0))
    w->wrong = "threads that are together come from several places";
  int from = count[FROM_POINT] > 0     ? FROM_POINT
             : count[FROM_BARRIER] > 0 ? FROM_BARRIER
                                       : FROM_EXIT;
  if (!w->s->in_loop[station] && count[FROM_BARRIER] > 0)
    from = FROM_BARRIER;
  bool all = from == FROM_POINT && !w->s->in_loop[station];
  for (int i = 0; i < THREADS; i++)
    if (all || w->thread[i].from == from)
      go_on(w, &w->thread[i]);
}

// Returns false if a thread went around too long, so that nothing is known, or trapped.
static bool do_walk(walk *w) {
  for (uint32_t round = 0; round < MOST_ROUNDS && w->wrong == NULL; round++) {
    uint32_t ended = 0, station = LIN_NONE;
    for (int i = 0; i < THREADS; i++) {
      walker *t = &w->thread[i];
      run(w, t);
      if (t->state == RUNS || t->state == TRAPPED)
        return false;
      ended += t->state == ENDED;
      if (t->state != WAITS)
        continue;
      if (station != LIN_NONE && station != t->station)
        w->wrong = "threads wait at different stations";
      station = t->station;
    }
    if (ended == THREADS)
      return true;
    if (ended > 0)
      w->wrong = "threads have ended while others wait";
    if (w->wrong == NULL)
      release(w, station);
  }
  return w->wrong != NULL;
}

static uint8_t *random_places(lin_arena *arena, const lin_graph *graph, uint64_t *state) {
  uint8_t *what = LIN_ARRAY(arena, uint8_t, graph->num_blocks);
  uint32_t points = 10 + random_below(state, 40), barriers = random_below(state, 30);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    if (lin_out_degree(graph, b) == 1)
      what[b] = random_chance(state, points)     ? LIN_POINT
                : random_chance(state, barriers) ? LIN_BARRIER
                                                 : LIN_PLAIN;
  return what;
}

// A barrier that all pass before any can wait is left alone; its threads don't come to a station,
// and it is of no interest here.
static bool check_stations(lin_arena *arena, uint64_t seed, uint32_t max_blocks) {
  uint64_t state = seed * 7919 + 1;
  lin_order *order = lin_order_build(arena, random_graph(arena, seed, 3, max_blocks));
  const lin_graph *graph = order->graph;
  lin_tree *dominators = lin_dominators_build(arena, graph, 0);
  lin_postdominators *postdominators = lin_postdominators_build(arena, graph);
  uint8_t *what = random_places(arena, graph, &state);
  bool *parts = NULL;
  if (random_chance(&state, 60)) {
    parts = LIN_ARRAY(arena, bool, graph->num_blocks);
    uint32_t percent = random_below(&state, 60);
    for (lin_block b = 0; b < graph->num_blocks; b++)
      parts[b] = random_chance(&state, percent);
  }
  bool *is_alone = NULL;
  if (random_chance(&state, 60)) {
    is_alone = LIN_ARRAY(arena, bool, graph->num_blocks);
    for (lin_block b = 0; b < graph->num_blocks; b++)
      is_alone[b] = random_chance(&state, 95);
  }
  lin_stations *s = lin_stations_find(arena, graph, order->loops, dominators, postdominators, what,
                                      parts, is_alone);
  for (int i = 0; i < 4; i++) {
    walk w = {.graph = graph,
              .s = s,
              .postdominators = postdominators,
              .what = what,
              .parts = parts,
              .seed = random_next(&state)};
    for (int t = 0; t < THREADS; t++)
      w.thread[t] = (walker){.landing = LIN_NONE, .random = random_next(&state)};
    if (!do_walk(&w))
      continue;
    if (w.wrong != NULL) {
      printf("seed %llu: stations: %s\n", (unsigned long long)seed, w.wrong);
      lin_text_print(stdout, graph);
      return false;
    }
  }
  return true;
}

// ---- all

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
  uint32_t max_blocks = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 20;
  unsigned passed = 0, failed = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    lin_arena arena = {0};
    uint64_t state = seed;
    bool good[] = {check_moved(&arena, &state), check_layout(&arena, &state),
                   check_rounds(&arena, &state), check_stations(&arena, seed, max_blocks)};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
      passed += good[i];
      failed += !good[i];
    }
    lin_arena_release(&arena);
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
