// A warp of sm_90 that runs machine code: what translate.py's C is compiled with.
//
// Each instruction of the kernel is one piece of C over 32 lanes. Lanes that run together are a
// group; groups run one after the other, each until it waits, ends or parts.
//
//   BSSY B, x    every active lane notes in B who is active: all of them meet at the BSYNC B
//                before x
//   BSYNC B      waits until every lane of B that still lives stands at this BSYNC; they are one
//                group then
//   BREAK B      the active lanes go out of everybody's B
//   EXIT         ends lanes: nobody waits for them any more
//   WARPSYNC     as a BSYNC of all lanes that live
//   BRX          of lanes that want to go different ways takes one way at a time: it is issued once
//                for each
//
// A B is kept by lane, not by warp: a part of a warp that sets one up does not change what another
// part has noted. Lanes of two groups that stand at the same instruction stay two groups, but for
// one case: a group that takes a BRA with no lane, behind which the group stands that parted last,
// becomes one with it. (Source: without that, short_circuit_8 by clang and by nvcc runs 11% more
// than an H200 counted, and 0.1% with it; for groups that come straight on from any instruction,
// break_continue_goto by nvcc runs half of what it counted. Not all of it: irreducible_3 by clang
// runs 7% less with it than was counted, and 1% more without. scripts/bench machine.)
//
// What is counted is what Nsight Compute counts: smsp__inst_executed, an instruction each time that
// it is issued, whether its predicate holds or not; and the lanes that are active then.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, NOBODY = -1, EVERYBODY = 16 };

typedef struct group {
  uint32_t mask, pc;
  int waits; // at the BSYNC of this barrier; EVERYBODY: at a WARPSYNC; NOBODY
} group;

typedef struct warp {
  uint32_t R[256][LANES], P[8][LANES], B[16][LANES], A[LANES]; // A: active, 0 or 1
  uint32_t UR[64], UP[8];
  uint32_t live, mask; // of the current group: the rest stand in others[]
  group others[LANES];
  int num_others;
  uint32_t thread, block; // of lane 0; of the grid
  uint8_t *local[LANES], *shared;
} warp;

static uint64_t issued[NUM_INSTRUCTIONS], lanes[NUM_INSTRUCTIONS];
static uint8_t bank0[0x1000];
static uint32_t block_size, grid_size;
static uint8_t the_shared[1 << 16];

static float as_float(uint32_t x) {
  float f;
  memcpy(&f, &x, 4);
  return f;
}
static uint32_t bits(float f) {
  uint32_t x;
  memcpy(&x, &f, 4);
  return x;
}
static uint32_t ftz(uint32_t x) { return (x & 0x7f800000) == 0 ? x & 0x80000000 : x; }
static uint32_t popc(uint32_t x) { return (uint32_t)__builtin_popcount(x); }
static uint64_t pair(uint32_t low, uint32_t high) { return low | (uint64_t)high << 32; }
static uint32_t constant(uint32_t at) {
  uint32_t x;
  memcpy(&x, bank0 + at, 4);
  return x;
}

static uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t r = 0;
  for (int i = 0; i < 8; i++)
    if (table >> i & 1)
      r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return r;
}

static uint64_t shift(uint64_t v, uint32_t by, int left, int is_signed, int is_64, int wraps) {
  uint32_t most = is_64 ? 64 : 32;
  by = wraps ? by & (most - 1) : by > most ? most : by;
  if (by == 64)
    return left || !is_signed ? 0 : (uint64_t)((int64_t)v >> 63);
  return left ? v << by : is_signed ? (uint64_t)((int64_t)v >> by) : v >> by;
}

static uint32_t prmt(uint32_t a, uint32_t selector, uint32_t b) {
  uint64_t all = pair(a, b);
  uint32_t r = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t s = selector >> 4 * i & 15, byte = (uint32_t)(all >> 8 * (s & 7)) & 255;
    r |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
  }
  return r;
}

static uint32_t flo(uint32_t x) { return x == 0 ? UINT32_MAX : 31 - (uint32_t)__builtin_clz(x); }
static uint32_t brev(uint32_t x) {
  uint32_t r = 0;
  for (int i = 0; i < 32; i++)
    r |= (x >> i & 1) << (31 - i);
  return r;
}
static uint32_t sgxt(uint32_t x, uint32_t width, int is_signed) {
  if (width >= 32)
    return x;
  if (width == 0)
    return 0;
  x <<= 32 - width;
  return is_signed ? (uint32_t)((int32_t)x >> (32 - width)) : x >> (32 - width);
}
static uint32_t bmsk(uint32_t at, uint32_t width) {
  uint64_t m = (width >= 32 ? UINT64_C(0xffffffff) : (UINT64_C(1) << width) - 1);
  return at >= 32 ? 0 : (uint32_t)(m << at);
}
static uint32_t to_u32(float f) {
  return f != f || f <= 0 ? 0 : f >= 4294967296.0f ? UINT32_MAX : (uint32_t)f;
}
static uint32_t to_s32(float f) {
  return f != f ? 0
         : f >= 2147483648.0f ? 0x7fffffffu
         : f <= -2147483648.0f ? 0x80000000u : (uint32_t)(int32_t)f;
}
// Whether a division has to be done by the slow way: exponents that are not in the middle.
static uint32_t fchk(uint32_t a, uint32_t b) {
  int x = (int)(a >> 23 & 255), y = (int)(b >> 23 & 255);
  return y == 0 || y == 255 || x == 255 || (x != 0 && x - y > 125) || (x - y < -124) || x <= 24 ||
         y >= 253;
}
static float to_odd(double exact, float nearest, int up) {
  if ((up > 0 && nearest < exact) || (up < 0 && nearest > exact))
    return nextafterf(nearest, up > 0 ? INFINITY : -INFINITY);
  return nearest;
}
// Rounded up, down, to zero; the product of two floats is exact in a double, the sum nearly.
static float directed(double exact, char mode) {
  float nearest = (float)exact;
  return mode == 'P' ? to_odd(exact, nearest, 1)
         : mode == 'M' ? to_odd(exact, nearest, -1)
         : mode == 'Z' ? to_odd(exact, nearest, exact > 0 ? -1 : 1) : nearest;
}

// ---- groups

static void activate(warp *w, uint32_t mask) {
  w->mask = mask;
  for (int l = 0; l < LANES; l++)
    w->A[l] = mask >> l & 1;
}

static uint32_t waiting_at(const warp *w, uint32_t pc, int barrier) {
  uint32_t all = 0;
  for (int i = 0; i < w->num_others; i++)
    if (w->others[i].waits == barrier && w->others[i].pc == pc)
      all |= w->others[i].mask;
  return all;
}

static void push(warp *w, uint32_t mask, uint32_t pc, int waits) {
  if (mask != 0)
    w->others[w->num_others++] = (group){mask, pc, waits};
}

// Lets go who waits for nobody any more.
static void release(warp *w, int forced) {
  for (int i = 0; i < w->num_others; i++) {
    group *g = &w->others[i];
    if (g->waits == NOBODY)
      continue;
    uint32_t at = waiting_at(w, g->pc, g->waits), lane = (uint32_t)__builtin_ctz(g->mask);
    uint32_t need = w->live & (g->waits == EVERYBODY ? UINT32_MAX : w->B[g->waits][lane]);
    if ((need & ~at) != 0 && !forced)
      continue;
    forced = 0;
    uint32_t met = (need & at) | g->mask, pc = g->pc;
    int kept = 0, barrier = g->waits;
    for (int k = 0; k < w->num_others; k++) {
      group other = w->others[k];
      if (other.waits == barrier && other.pc == pc)
        other.mask &= ~met;
      if (other.mask != 0)
        w->others[kept++] = other;
    }
    w->num_others = kept;
    push(w, met, pc + 1, NOBODY);
    i = -1;
  }
}

// The next group runs; returns where it stands.
static uint32_t next(warp *w) {
  release(w, 0);
  for (int tries = 0; tries < 2; tries++) {
    for (int i = w->num_others; i-- > 0;) {
      group g = w->others[i];
      if (g.waits != NOBODY)
        continue;
      memmove(&w->others[i], &w->others[i + 1], (size_t)(--w->num_others - i) * sizeof g);
      activate(w, g.mask);
      return g.pc;
    }
    release(w, 1);
  }
  return UINT32_MAX;
}

// The current group goes straight on to `pc`, behind a BRA; the last of the others may stand there.
static void join_last(warp *w, uint32_t pc) {
  const group *last = &w->others[w->num_others - 1];
  if (w->num_others == 0 || last->waits != NOBODY || last->pc != pc)
    return;
  w->num_others--;
  activate(w, w->mask | last->mask);
}

// The current group goes on later, at `pc`.
static void rotate(warp *w, uint32_t pc) {
  memmove(&w->others[1], w->others, (size_t)w->num_others++ * sizeof(group));
  w->others[0] = (group){w->mask, pc, NOBODY};
}
