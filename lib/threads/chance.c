#include "chance.h"

// ---- what is around what

static uint32_t around_of(const lin_chance *c, size_t block) {
  return c->around == NULL ? UINT32_MAX : c->around[block];
}

// Sets depths; false if blocks are around themselves.
static bool find_depths(const lin_chance *c) {
  for (size_t block = 0; block < c->num_blocks; block++)
    c->depth[block] = UINT32_MAX;
  for (size_t block = 0; block < c->num_blocks; block++) {
    size_t steps = 0;
    uint32_t at = (uint32_t)block;
    for (; at != UINT32_MAX && c->depth[at] == UINT32_MAX && steps <= c->num_blocks; steps++)
      at = around_of(c, at);
    if (steps > c->num_blocks)
      return false;
    uint32_t depth = (uint32_t)steps + (at == UINT32_MAX ? 0 : c->depth[at] + 1);
    for (at = (uint32_t)block; steps > 0; steps--, at = around_of(c, at))
      c->depth[at] = --depth;
  }
  return true;
}

// By depth, and where that is the same, by number. `first` has room for num_blocks + 1.
static void sort_by_depth(const lin_chance *c, uint32_t *first) {
  for (size_t block = 0; block < c->num_blocks; block++)
    first[c->depth[block] + 1]++;
  for (size_t depth = 1; depth <= c->num_blocks; depth++)
    first[depth] += first[depth - 1];
  for (size_t block = 0; block < c->num_blocks; block++)
    c->sequence[first[c->depth[block]]++] = (uint32_t)block;
}

static void find_asked(const lin_chance *c) {
  for (size_t i = c->num_blocks; i > 0; i--) {
    const uint32_t block = c->sequence[i - 1], around = around_of(c, block);
    if (c->correction[block] > 0)
      c->is_asked[block] = true;
    if (c->is_asked[block] && around != UINT32_MAX)
      c->is_asked[around] = true;
  }
}

bool lin_chance_start(lin_chance *c, lin_memory *memory, size_t num_blocks, const uint32_t *around,
                      const double *correction) {
  *c = (lin_chance){.num_blocks = num_blocks, .around = around, .correction = correction};
  for (size_t block = 0; around != NULL && block < num_blocks; block++)
    if (around[block] != UINT32_MAX && around[block] >= num_blocks)
      return false;
  c->sequence = LIN_HAVE(memory, uint32_t, num_blocks);
  c->depth = LIN_HAVE(memory, uint32_t, num_blocks);
  c->odds = LIN_HAVE(memory, lin_odds *, num_blocks);
  c->expected = LIN_HAVE(memory, double, num_blocks);
  c->is_asked = LIN_HAVE(memory, bool, num_blocks);
  c->deepest = UINT32_MAX;
  uint32_t *first = LIN_HAVE(memory, uint32_t, num_blocks + 2);
  if (memory->is_out || !find_depths(c))
    return false;
  for (size_t block = 0; block < num_blocks; block++)
    if (around_of(c, block) != UINT32_MAX && c->odds[around[block]] == NULL)
      c->odds[around[block]] = LIN_HAVE(memory, lin_odds, 1);
  if (memory->is_out)
    return false;
  sort_by_depth(c, first);
  if (correction != NULL)
    find_asked(c);
  return true;
}

// ---- a warp

typedef struct sums {
  double all, most;
} sums;

static sums add_up(const lin_kinds *k, size_t block) {
  sums s = {0, 0};
  for (size_t i = 0; i < k->count; i++) {
    double here = k->vector[i][block];
    s.all += here * k->threads[i];
    s.most = here > s.most ? here : s.most;
  }
  return s;
}

static double within(double number, double least, double most) {
  return number < least ? least : number > most ? most : number;
}

static double correction_of(const lin_chance *c, uint32_t block) {
  return c->correction == NULL ? 0 : c->correction[block];
}

// Passes by chance, for each of the warp over what is around the block. As much as it is chance how
// often that is, it is known who is there when.
static double expect(const lin_chance *c, const lin_kinds *k, uint32_t block, double passes) {
  const uint32_t around = around_of(c, block);
  lin_odds own, *odds = c->odds[block] == NULL ? &own : c->odds[block];
  lin_odds_find(k, block, around, passes, odds);
  double expected = lin_odds_expect(k, odds);
  c->expected[block] = expected;
  double known = around == UINT32_MAX ? 0 : within(correction_of(c, around), 0, 1);
  if (known > 0)
    expected +=
        known * (lin_odds_expect_within(k, odds, c->odds[around], c->expected[around]) - expected);
  return expected;
}

// Above 1 warps may pass over a block more often than its threads do: an arm that is predicated.
static double correct(double correction, double most, double chance) {
  return correction <= 1 ? most + correction * (chance - most) : correction * chance;
}

void lin_chance_warp(const lin_chance *c, const uint32_t *const *thread, size_t count,
                     const lin_passes *p) {
  const lin_kinds k = lin_kinds_find(thread, count, c->num_blocks);
  for (size_t i = 0; i < c->num_blocks && c->depth[c->sequence[i]] <= c->deepest; i++) {
    const uint32_t block = c->sequence[i], around = around_of(c, block);
    const double passes = around == UINT32_MAX || p->passes[around] < 1 ? 1 : p->passes[around];
    const sums s = add_up(&k, block);
    double chance = s.most;
    c->expected[block] = 0;
    if (s.most > 0 && (p->chance != NULL || c->is_asked[block]))
      chance = within(passes * expect(c, &k, block, passes), s.most, s.all);
    p->mean[block] = s.all / (double)count;
    p->most[block] = s.most;
    p->passes[block] = correct(correction_of(c, block), s.most, chance);
    if (p->chance != NULL)
      p->chance[block] = chance;
  }
}
