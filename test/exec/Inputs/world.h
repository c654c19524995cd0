// What a random function of a test sees of the world: pseudo-random outcomes, memory, and a hash of
// all it does there. One for each run of a function; the same on the CPU (driver.c) and on a GPU
// (device.cu), where each thread has its own.
//
// Whoever includes this defines WORLD_FUNCTION, what a function is declared with.
#ifndef LINEARIZE_TEST_WORLD_H
#define LINEARIZE_TEST_WORLD_H

#include <stdint.h>

enum { BUDGET = 2000, WORDS = 64 };
enum world_end { RETURNED, OUT_OF_BUDGET, DIED, TRAPPED, CRASHED };

typedef struct world {
  uint64_t stream, hash, bias;
  int budget;
  uint64_t words[WORDS];
} world;

// Ends the run: the function that is run doesn't go on.
WORLD_FUNCTION void world_leave(world *w, enum world_end end);

WORLD_FUNCTION uint64_t world_mix(uint64_t x) {
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9u;
  x ^= x >> 27, x *= 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

WORLD_FUNCTION uint64_t world_draw(world *w) { return world_mix(w->stream += 0x9e3779b97f4a7c15u); }

WORLD_FUNCTION void world_note(world *w, uint64_t x) {
  w->hash = world_mix(w->hash ^ x) + 0x632be59bd9b4e019u;
}

WORLD_FUNCTION void world_spend(world *w) {
  if (--w->budget < 0)
    world_leave(w, OUT_OF_BUDGET);
}

// The argument of the function that is run.
WORLD_FUNCTION uint64_t world_start(world *w, int input) {
  w->stream = world_mix((uint64_t)input + 1);
  w->bias = 1 + world_draw(w) % 7;
  w->hash = 0;
  w->budget = BUDGET;
  for (int i = 0; i < WORDS; i++)
    w->words[i] = world_draw(w);
  return world_draw(w);
}

// The hash of all that was seen.
WORLD_FUNCTION uint64_t world_finish(world *w) {
  for (int i = 0; i < WORDS; i++)
    world_note(w, w->words[i]);
  return w->hash;
}

// The odds of a 1 differ from input to input: some leave loops soon, some late.
WORLD_FUNCTION int world_bit(world *w) {
  world_spend(w);
  return (world_draw(w) >> 32) % 8 < w->bias;
}

WORLD_FUNCTION int32_t world_pick(world *w, int32_t n) {
  world_spend(w);
  return (int32_t)((world_draw(w) >> 32) % (uint32_t)n);
}

WORLD_FUNCTION void world_effect(world *w, int32_t id, int64_t v) {
  world_spend(w);
  world_note(w, (uint64_t)id);
  world_note(w, (uint64_t)v);
}

// The value that an effect shows next: small ones too, so that comparisons go both ways.
WORLD_FUNCTION int64_t world_value(world *w) {
  int64_t v = (int64_t)world_draw(w);
  return v & 1 ? (v >> 1) % 16 : v;
}

#endif
