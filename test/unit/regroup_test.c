// lib/regroup on the examples of its headers, and on what decides between algorithms.
#include "graphs.h"

#include "graph/order.h"
#include "regroup/layout.h"
#include "regroup/moved.h"
#include "regroup/rounds.h"
#include "regroup/stations.h"

// ---- moved

// tid -> i -> two addresses: tid moves, all else is computed again.
static void test_index(void) {
  const uint32_t first[] = {0, 0, 1, 2, 3}, operand[] = {0, 1, 1}, ten = 10, wide = 64;
  const uint32_t moving[] = {ten, 32, wide, wide}, computing[] = {LIN_NEVER, 2, 2, 2};
  const bool needed[] = {false, false, true, true};
  const lin_expressions e = {4, first, operand, moving, computing, needed};
  const uint8_t *what = lin_moved_find(&arena, &e);
  EXPECT(what[0] == LIN_MOVES && what[1] == LIN_COMPUTED && what[2] == LIN_COMPUTED &&
         what[3] == LIN_COMPUTED);
}

// What is there costs nothing; what can't be had at all is told.
static void test_free(void) {
  const uint32_t first[] = {0, 0, 1}, operand[] = {0};
  const uint32_t free_of[] = {0, 5}, never[] = {LIN_NEVER, LIN_NEVER}, computing[] = {LIN_NEVER, 5};
  const bool needed[] = {false, true};
  const lin_expressions e = {2, first, operand, free_of, computing, needed};
  const uint8_t *what = lin_moved_find(&arena, &e);
  EXPECT(what[0] == LIN_NOT_THERE && what[1] == LIN_MOVES); // costs the same: less is computed
  const lin_expressions none = {2, first, operand, never, computing, needed};
  EXPECT(lin_moved_find(&arena, &none) == NULL);
}

// ---- layout

static void test_layout(void) {
  const uint32_t bits[] = {5, 64, 32, 1, 10};
  lin_layout l = lin_layout_find(&arena, 5, bits, true);
  EXPECT(l.num_words == 4);
  EXPECT(l.word[0] == 0 && l.shift[0] == 0);
  EXPECT(l.word[4] == 0 && l.shift[4] == 5);
  EXPECT(l.word[3] == 0 && l.shift[3] == 15);
  EXPECT(l.full[1] == 1 && l.full[2] == 3);
  EXPECT(!l.is_alone[0]);
  const uint32_t one[] = {37};
  l = lin_layout_find(&arena, 1, one, false);
  EXPECT(l.num_words == 2 && l.full[0] == 1 && l.word[0] == 0 && l.is_alone[0]);
}

// ---- rounds

static lin_room room_of(uint32_t sm, uint32_t threads) {
  return (lin_room){.target = lin_target_find(sm), .threads = threads};
}

// 8 blocks of 256 threads have 28.5 KB each on sm_90, of which one isn't the program's.
static void test_room(void) {
  lin_room room = room_of(90, 256);
  EXPECT(lin_room_left(&room) == (228 * 1024 / 8 - 1024) / 16 * 16);
  room.shared = 20 * 1024; // 8 blocks, as before
  EXPECT(lin_room_left(&room) == (228 * 1024 / 8 - 1024 - 20 * 1024) / 16 * 16);
  room.registers = 128; // 2 blocks: as much as a kernel can name itself
  EXPECT(lin_room_left(&room) == 28 * 1024);
  room = room_of(90, 0); // as for blocks of 128
  EXPECT(lin_room_left(&room) == (228 * 1024 / 16 - 1024) / 16 * 16);
  room.is_dynamic = true;
  EXPECT(lin_room_left(&room) == (228 * 1024 / 16 - 1024) / 2 / 16 * 16);
  room = room_of(75, 128);
  EXPECT(lin_room_left(&room) == 8 * 1024);
  EXPECT(lin_room_of_homes(&room) == 64 - 16 - 4); // four words of each can still move
  room.threads = 0;
  EXPECT(lin_room_of_homes(&room) == 0);
}

static lin_round choose(const lin_room *room, uint32_t bits, uint32_t words, bool waits,
                        lin_algorithm algorithm) {
  uint32_t *key_bits = LIN_NEW(&arena, uint32_t);
  *key_bits = bits;
  const lin_wish wish = {key_bits, 1, waits, words, algorithm, 0};
  return lin_rounds_choose(&arena, room, &wish, 1).round[0];
}

static void test_algorithms(void) {
  const lin_room room = room_of(90, 256);
  EXPECT(choose(&room, 1, 8, false, LIN_BEST).algorithm == LIN_VOTES); // a word costs HoT more
  EXPECT(choose(&room, 3, 2, false, LIN_BEST).algorithm == LIN_VOTES);
  EXPECT(choose(&room, 3, 2, false, LIN_DGI).algorithm == LIN_DGI);
  EXPECT(choose(&room, 3, 2, false, LIN_DGI).neighbours == 16);
  EXPECT(choose(&room, 0, 2, true, LIN_HOT).algorithm == LIN_HOT);
  lin_round round = choose(&room, 1, 2, true, LIN_HOT); // three sorts of threads
  EXPECT(round.algorithm == LIN_VOTES && round.is_other);
  round = choose(&room, 6, 2, false, LIN_DGI);
  EXPECT(round.algorithm == LIN_VOTES && round.is_other);
  EXPECT(choose(&room, 32, 2, false, LIN_BEST).dropped == 2); // 30 bits are sorted by
}

// As the room gets less: fewer words at a time, fewer keys, no round.
static void test_retreat(void) {
  lin_room room = room_of(90, 1024);
  lin_round round = choose(&room, 5, 8, true, LIN_BEST); // no more at a time than four
  EXPECT(round.at_once == 4 && round.small == 0);
  room.shared = 48 * 1024 - 12000;
  round = choose(&room, 5, 8, true, LIN_BEST);
  EXPECT(round.at_once == 2 && round.small == 256 && round.at_once_small == 4);
  EXPECT(round.algorithm == LIN_VOTES && round.dropped == 0);
  room.shared = 48 * 1024 - 5800; // 1.6 KB for counts, 4 KB for a word of each thread
  round = choose(&room, 5, 8, true, LIN_BEST);
  EXPECT(round.at_once == 1 && round.dropped == 1 && round.keys == 16);
  room.shared = 48 * 1024 - 4200;
  round = choose(&room, 1, 8, false, LIN_BEST);
  EXPECT(round.algorithm == LIN_HOT && round.at_once == 1);
  room.shared = 48 * 1024 - 4000;
  EXPECT(choose(&room, 5, 8, true, LIN_BEST).algorithm == LIN_BEST);
}

// ---- stations

// Blocks of which `together` has the names do something together with others.
static lin_stations *stations_with(const char *text, const char *points, const char *barriers,
                                   const char *together, bool all_agree, lin_order **order) {
  *order = lin_order_build(&arena, parse(text));
  const lin_graph *graph = (*order)->graph;
  uint8_t *what = LIN_ARRAY(&arena, uint8_t, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    what[b] = strstr(points, graph->name[b]) != NULL     ? LIN_POINT
              : strstr(barriers, graph->name[b]) != NULL ? LIN_BARRIER
                                                         : LIN_PLAIN;
  bool *is_alone = LIN_ARRAY(&arena, bool, graph->num_blocks);
  for (lin_block b = 0; b < graph->num_blocks; b++)
    is_alone[b] = together != NULL && strstr(together, graph->name[b]) == NULL;
  bool *parts = all_agree ? LIN_ARRAY(&arena, bool, graph->num_blocks) : NULL;
  return lin_stations_find(&arena, graph, (*order)->loops, lin_dominators_build(&arena, graph, 0),
                           lin_postdominators_build(&arena, graph), what, parts, is_alone);
}

static lin_stations *stations(const char *text, const char *points, const char *barriers,
                              bool all_agree, lin_order **order) {
  return stations_with(text, points, barriers, NULL, all_agree, order);
}

static uint32_t first_of(const lin_stations *s, const lin_order *order, const char *name) {
  return s->first[find(order->graph, name)];
}

// The header's first drawing.
static const char loop[] = "function f\n"
                           "e: h\n"
                           "h: a x\n"
                           "a: p r\n"
                           "p: w\n"
                           "w: h\n"
                           "r: return\n"
                           "x: r\n";

static void test_loop(void) {
  lin_order *order;
  lin_stations *s = stations(loop, "p", "", false, &order);
  EXPECT(s->num_stations == 1 && s->in_loop[0] && !s->is_together[0] && !s->in_step);
  EXPECT(first_of(s, order, "w") == 0 && first_of(s, order, "r") == 1);
  EXPECT(s->num_landings == 2); // to r from a, to x from h
  s = stations(loop, "p", "", true, &order);
  EXPECT(s->in_step && s->is_together[0] && s->num_landings == 0);
}

// What follows the loop is done at once, if it is short and takes nobody else.
static void test_ends(void) {
  lin_order *order;
  lin_stations *s = stations_with(loop, "p", "", "", false, &order);
  EXPECT(s->has_ends && s->num_landings == 0 && !s->is_together[0]);
  EXPECT(s->is_end[find(order->graph, "r")] && !s->is_end[find(order->graph, "x")]);
  s = stations_with(loop, "p", "", "x", false, &order);
  EXPECT(!s->has_ends && s->num_landings == 2 && !s->is_end[find(order->graph, "r")]);
  s = stations_with("function f\ne: h\nh: p x\np: h\nx [cost 65]: return\n", "p", "", "", false,
                    &order);
  EXPECT(!s->has_ends);
  // A loop behind it, and a point that isn't in one.
  s = stations_with("function f\ne: h\nh: p x\np: h\nx: x y\ny: return\n", "p", "", "", false,
                    &order);
  EXPECT(!s->has_ends);
  s = stations_with("function f\ne: p x\np: x\nx: return\n", "p", "", "", false, &order);
  EXPECT(!s->has_ends && s->num_landings == 1);
}

// The header's second one, and who passes both by a return.
static void test_two_loops(void) {
  static const char text[] = "function f\n"
                             "e: p q\n"
                             "p: m\n"
                             "m: p c\n"
                             "c: d q\n"
                             "d: k\n"
                             "k: d q\n"
                             "q: return\n";
  lin_order *order;
  lin_stations *s = stations(text, "pd", "", false, &order);
  EXPECT(s->num_stations == 2);
  EXPECT(first_of(s, order, "e") == 0 && first_of(s, order, "c") == 1 &&
         first_of(s, order, "q") == 2);
  uint32_t passes_both = 0;
  for (uint32_t i = 0; i < s->num_landings; i++)
    passes_both += s->landing[i].from == 0 && s->landing[i].to == 2;
  EXPECT(passes_both == 1);
}

// A barrier in front of all is left alone; one between is a place; so is one that some pass by.
static void test_barriers(void) {
  lin_order *order;
  static const char text[] = "function f\n"
                             "e: b\n"
                             "b: c r\n"
                             "c: d\n"
                             "d: p\n"
                             "p: r\n"
                             "r: return\n";
  lin_stations *s = stations(text, "p", "c", false, &order);
  EXPECT(s->station_of[find(order->graph, "c")] == 0);
  s = stations("function f\ne: b\nb: c\nc: p r\np: r\nr: return\n", "p", "b", false, &order);
  EXPECT(s->station_of[find(order->graph, "b")] == LIN_NONE);
  s = stations(loop, "p", "w", false, &order);
  EXPECT(s->station_of[find(order->graph, "w")] == 0);
}

// Threads on their way to a trap wait for nobody.
static void test_trap(void) {
  lin_order *order;
  lin_stations *s =
      stations("function f\ne: p t\np: r\nr: return\nt: trap\n", "p", "", false, &order);
  EXPECT(s->num_landings == 0 && s->is_together[0]);
}

int main(void) {
  test_index();
  test_free();
  test_layout();
  test_room();
  test_algorithms();
  test_retreat();
  test_loop();
  test_ends();
  test_two_loops();
  test_barriers();
  test_trap();
  lin_arena_release(&arena);
  return expect_end();
}
