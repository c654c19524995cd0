// lib/simt/order against vector clocks: random blocks, in which lanes of warps meet, threads come
// to barriers and leave them, and all meet. A failure prints its line; the last line is
// `N passed, M failed`.
#include "expect.h"
#include "simt/order.h"

enum { WARPS = 3, THREADS = WARPS * SIMT_LANES, BARRIERS = 2, EVENTS = 300, SEEDS = 60 };

// known[t][u]: what u did before that, t knows.
typedef struct clocks {
  uint64_t now, block;
  uint64_t known[THREADS][THREADS];
  uint64_t arrived[BARRIERS][THREADS];
} clocks;

static uint64_t random_word(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 33;
}

static void join(uint64_t *row, const uint64_t *other) {
  for (uint32_t i = 0; i < THREADS; i++)
    if (row[i] < other[i])
      row[i] = other[i];
}

static bool is_in(uint32_t thread, uint32_t warp, uint32_t lanes) {
  return thread / SIMT_LANES == warp && (lanes >> thread % SIMT_LANES & 1) != 0;
}

static void begin(clocks *c) {
  c->block = ++c->now;
  memset(c->known, 0, sizeof c->known);
  memset(c->arrived, 0, sizeof c->arrived);
}

static void meet(clocks *c, uint32_t warp, uint32_t lanes) {
  uint64_t joined[THREADS] = {0};
  c->now++;
  for (uint32_t t = 0; t < THREADS; t++)
    if (is_in(t, warp, lanes))
      join(joined, c->known[t]);
  for (uint32_t t = 0; t < THREADS; t++)
    if (is_in(t, warp, lanes))
      joined[t] = c->now;
  for (uint32_t t = 0; t < THREADS; t++)
    if (is_in(t, warp, lanes))
      memcpy(c->known[t], joined, sizeof joined);
}

static void arrive(clocks *c, uint32_t warp, uint32_t lanes, uint32_t barrier) {
  c->now++;
  for (uint32_t t = 0; t < THREADS; t++)
    if (is_in(t, warp, lanes)) {
      c->known[t][t] = c->now;
      join(c->arrived[barrier], c->known[t]);
    }
}

static void leave(clocks *c, uint32_t warp, uint32_t lanes, uint32_t barrier) {
  for (uint32_t t = 0; t < THREADS; t++)
    if (is_in(t, warp, lanes))
      join(c->known[t], c->arrived[barrier]);
}

static void meet_all(clocks *c, uint32_t barrier) {
  c->now++;
  for (uint32_t t = 0; t < THREADS; t++)
    for (uint32_t u = 0; u < THREADS; u++)
      c->known[t][u] = c->now;
  memset(c->arrived[barrier], 0, sizeof c->arrived[barrier]);
}

static bool knows_same(const clocks *c, const simt_order *order, uint32_t thread,
                       uint64_t *random) {
  const uint64_t *known = c->known[thread];
  for (uint32_t other = 0; other < THREADS; other++) {
    uint64_t time = c->now - random_word(random) % (c->now < 40 ? c->now : 40);
    bool knows = time >= c->block && (thread == other || time < known[other]);
    if (simt_order_knows(order, thread, other, time) != knows)
      return false;
  }
  return simt_order_last(order, thread) == (known[thread] > c->block ? known[thread] : c->block);
}

static bool know_same(const clocks *c, const simt_order *order, uint64_t *random) {
  for (uint32_t t = 0; t < THREADS; t++)
    if (!knows_same(c, order, t, random))
      return false;
  return order->now == c->now;
}

static void do_event(clocks *c, simt_order *order, uint64_t *random) {
  uint32_t warp = (uint32_t)random_word(random) % WARPS;
  uint32_t barrier = (uint32_t)random_word(random) % BARRIERS;
  uint32_t lanes = (uint32_t)(random_word(random) & random_word(random));
  switch (random_word(random) % 16) {
  case 0:
    simt_order_meet_all(order, barrier);
    meet_all(c, barrier);
    break;
  case 1:
    if (random_word(random) % 4 == 0) {
      simt_order_begin(order);
      begin(c);
    }
    break;
  case 2:
  case 3:
  case 4:
    simt_order_leave(order, warp, lanes, barrier);
    leave(c, warp, lanes, barrier);
    if (random_word(random) % 2 == 0) {
      simt_order_reset(order, barrier);
      memset(c->arrived[barrier], 0, sizeof c->arrived[barrier]);
    }
    break;
  case 5:
  case 6:
  case 7:
  case 8:
    simt_order_arrive(order, warp, lanes, barrier);
    arrive(c, warp, lanes, barrier);
    break;
  case 9:
    simt_order_step(order);
    c->now++;
    break;
  default:
    simt_order_meet(order, warp, lanes);
    meet(c, warp, lanes);
  }
}

int main(void) {
  static clocks c;
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    lin_arena arena = {0};
    simt_order order = simt_order_new(&arena, WARPS);
    uint64_t random = seed;
    c = (clocks){0};
    simt_order_begin(&order);
    begin(&c);
    for (uint32_t i = 0; i < EVENTS; i++) {
      do_event(&c, &order, &random);
      EXPECT(know_same(&c, &order, &random));
    }
    lin_arena_release(&arena);
  }
  return expect_end();
}
