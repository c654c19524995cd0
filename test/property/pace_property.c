// pace_property [first_seed] [count]
//
// Is lib/pipeline/pace.h's pace a good one? On made-up programs, by a clock of their own: chunks
// whose kernel takes so long, remappings that take r times as long, a pool of so many threads; as
// lib/pipeline/pipeline.c asks for chunks, begins and drops them.
//   1. with as many threads as that takes, all chunks are remapped in time after 3 r + 5 chunks, r
//   rounded up;
//   2. the depth is never more than twice that and two, and in the end, of what goes on, one above
//   it at most, also
//      where remappings become faster;
//   3. with fewer threads there are still 7 of 10 as many remapped as these can do, if none were
//   wasted;
//   4. what never is in time, and what gains nothing, as far as times are told, ends;
//   5. chunks that run as they are to be compared are one in 16 at most in a long program, and none
//   where no times
//      are told.
// The last line is `N programs, F failed`.
#include "pipeline/pace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64 };

typedef struct program {
  uint32_t chunks, threads, most_depth;
  uint64_t kernel, remapping; // how long they take
  uint64_t faster;            // from the middle on, remapping takes that
  bool tells;
  uint32_t gain; // %, of the kernel's time
} program;

typedef struct thread {
  size_t chunk; // SIZE_MAX: it is free
  uint64_t end;
  bool is_late;
} thread;

typedef struct outcome {
  uint32_t remapped, late, late_at_end, plain, plain_at_end;
  uint32_t depth, most_depth, ended; // ended: at which chunk, or all
  double share;                      // remapped, of the second half
} outcome;

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 20) % limit);
}

static program make(void) {
  program p = {.chunks = 400 + below(400), .threads = 1 + below(24), .kernel = 1000};
  p.remapping = below(4) == 0 ? 1 + below(1000) : 1 + below(20000);
  p.faster = below(3) == 0 ? 1 + p.remapping / 4 : p.remapping;
  p.most_depth = 64;
  p.tells = below(2) == 0;
  p.gain = below(3) == 0 ? 0 : 10 + below(60);
  return p;
}

// ---- a run -------------------------------------------------------------------------------------

typedef struct pool {
  thread thread[MOST_THREADS];
  uint32_t threads;
  size_t request, turn; // request SIZE_MAX: none
  size_t there[256];    // by chunk % 256: the turn before which it was there, or SIZE_MAX
} pool;

// Threads that are through by `now` are free, and one of them begins what was asked for.
static void let_pass(pool *w, uint64_t from, uint64_t now, uint64_t remapping) {
  for (uint64_t at = from; at < now;) {
    uint64_t next = now;
    for (uint32_t i = 0; i < w->threads; i++) {
      thread *t = &w->thread[i];
      if (t->chunk != SIZE_MAX && t->end <= at) {
        if (!t->is_late)
          w->there[t->chunk % 256] = t->chunk - w->turn;
        t->chunk = SIZE_MAX;
      }
      if (t->chunk == SIZE_MAX && w->request != SIZE_MAX) {
        *t = (thread){w->request, at + remapping, false};
        w->request = SIZE_MAX;
      }
      if (t->chunk != SIZE_MAX && t->end < next && t->end > at)
        next = t->end;
    }
    at = next > at ? next : at + 1;
  }
}

static lin_arrival arrive(pool *w, size_t chunk, size_t *before) {
  lin_arrival arrival = LIN_NOT_BEGUN;
  *before = w->there[chunk % 256];
  w->there[chunk % 256] = SIZE_MAX;
  if (*before != SIZE_MAX)
    return LIN_ARRIVED;
  *before = 0;
  for (uint32_t i = 0; i < w->threads; i++)
    if (w->thread[i].chunk == chunk) {
      arrival = LIN_LATE;
      w->thread[i].is_late = true;
    }
  if (w->request == chunk)
    w->request = SIZE_MAX;
  return arrival;
}

static outcome run(const program *p) {
  outcome o = {.ended = p->chunks};
  lin_pace pace;
  static pool w;
  w.threads = p->threads;
  w.request = SIZE_MAX;
  for (uint32_t i = 0; i < MOST_THREADS; i++)
    w.thread[i].chunk = SIZE_MAX;
  for (uint32_t i = 0; i < 256; i++)
    w.there[i] = SIZE_MAX;
  lin_pace_begin(&pace, p->chunks, p->most_depth);
  uint64_t now = 0;
  for (uint32_t chunk = 0; chunk < p->chunks; chunk++) {
    size_t before;
    w.turn = chunk;
    lin_arrival arrival = arrive(&w, chunk, &before);
    const bool is_half = chunk >= p->chunks / 2, is_end = chunk >= p->chunks * 3 / 4;
    o.remapped += arrival == LIN_ARRIVED;
    o.share += arrival == LIN_ARRIVED && is_half;
    o.late += arrival == LIN_LATE;
    o.late_at_end += arrival == LIN_LATE && is_end;
    o.plain += arrival == LIN_NOT_BEGUN;
    o.plain_at_end += arrival == LIN_NOT_BEGUN && is_end;
    lin_pace_turn(&pace, chunk, arrival, before);
    size_t next = lin_pace_ask(&pace, chunk);
    if (next != SIZE_MAX)
      w.request = next;
    uint64_t took = p->kernel - (arrival == LIN_ARRIVED ? p->kernel * p->gain / 100 : 0);
    took += below((uint32_t)p->kernel / 50);
    let_pass(&w, now, now + p->kernel, is_half ? p->faster : p->remapping);
    now += p->kernel; // whatever the kernel gains, so that r is known
    if (p->tells)
      lin_pace_took(&pace, arrival == LIN_ARRIVED, took);
    if (pace.is_over && o.ended == p->chunks)
      o.ended = chunk;
    o.most_depth = pace.depth > o.most_depth ? pace.depth : o.most_depth;
  }
  o.depth = pace.depth;
  o.share /= p->chunks - p->chunks / 2;
  return o;
}

// ---- what has to hold --------------------------------------------------------------------------

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

static bool check(const program *p) {
  const outcome o = run(p);
  const uint32_t needed = (uint32_t)((p->remapping + p->kernel - 1) / p->kernel);
  const uint32_t end = (uint32_t)((p->faster + p->kernel - 1) / p->kernel);
  const bool gains = !p->tells || p->gain > 0, are_enough = p->threads >= needed;
  if (o.most_depth > 2 * needed + 2)
    return complain("it gets too deep");
  if (!gains && are_enough && o.ended == p->chunks)
    return complain("what gains nothing goes on");
  if (!gains)
    return true;
  if (are_enough && o.ended < p->chunks)
    return complain("what gains is ended");
  if (are_enough && (o.late > 2 * needed + 2 || o.late_at_end > 0))
    return complain("late ones, though there are threads enough");
  if (are_enough && !p->tells && o.plain + o.late > 3 * needed + 5)
    return complain("some aren't begun, though there are threads enough");
  if (are_enough && p->tells && o.plain_at_end > p->chunks / 4 / 16)
    return complain("too many run as they are to be compared");
  if (are_enough && o.depth > end + 1)
    return complain("it stays deeper than it has to be");
  // Each thread does one remapping in `faster`, or, at best, a chunk in each turn.
  const double most = (double)p->threads * (double)p->kernel / (double)p->faster;
  if (!are_enough && o.share < 0.7 * (most < 1 ? most : 1) - 0.05)
    return complain("fewer are remapped than these threads can do");
  return true;
}

// No thread is ever in time: at the greatest depth that is allowed remapping takes longer.
static bool check_never(void) {
  program p = make();
  p.most_depth = 1 + below(4);
  p.remapping = p.faster = (p.most_depth + 2) * p.kernel;
  p.threads = 32;
  const outcome o = run(&p);
  return (o.remapped == 0 && o.ended < 2 * p.most_depth + 60) ||
         complain("what is never in time goes on");
}

int main(int argc, char **argv) {
  unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
  unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 2000;
  unsigned long failed = 0;
  for (unsigned long seed = first; seed < first + count && failed < 10; seed++) {
    state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    const program p = make();
    if (!check(&p) || !check_never()) {
      printf("seed %lu: %u chunks, remapping %llu, then %llu, of 1000, %u threads, gain %u%%%s\n",
             seed, p.chunks, (unsigned long long)p.remapping, (unsigned long long)p.faster,
             p.threads, p.gain, p.tells ? "" : ", untold");
      failed++;
    }
  }
  printf("%lu programs, %lu failed\n", count, failed);
  return failed != 0;
}
