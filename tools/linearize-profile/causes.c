#include "causes.h"

#include "common/command_line.h"
#include "estimate.h"

#include <math.h>
#include <stdlib.h>

enum { WARP = 32 };

// Threads return early that do less than this part of what the others do.
#define EARLY 0.25

const char *const profile_kind_names[PROFILE_NUM_KINDS] = {
    "arms that alternate",   "trip counts that differ", "threads that return early",
    "shared code run twice", "too few threads",
};

// Counts of a block's threads are compared by weighted sums of them, modulo 2^64: a sum of counts
// has the sum of their weights. That two are equal by chance is as unlikely as it gets.
typedef struct block_facts {
  uint64_t sum;     // of its counts
  uint64_t zeros;   // of which threads enter it at all
  uint64_t first;   // the count of the first thread that enters it
  uint32_t witness; // that thread's vector
  bool is_entered, is_repeated, is_uniform, has_inner;
} block_facts;

// A block by what is around it and by a sum of its facts.
typedef struct entry {
  uint32_t around;
  uint64_t sum;
  uint32_t block;
} entry;

typedef struct finding {
  const profile_estimate *e;
  const lin_counts_launch *l;
  block_facts *facts; // [num_blocks]
  double *work;       // [num_vectors] cycles
  entry *by_counts;   // [num_blocks] in order, and so is:
  entry *by_threads;  // by which threads enter them
} finding;

static void *have(lin_memory *memory, size_t count, size_t size) {
  void *array = lin_memory_array(memory, count + 1, size);
  if (memory->is_out)
    tool_die(1, "out of memory");
  return array;
}

// ---- what is known of blocks

static uint64_t weight_of(uint32_t vector) {
  uint64_t x = (vector + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static uint64_t count_of(const finding *f, uint32_t vector, uint32_t block) {
  return block == UINT32_MAX ? 0 : f->l->vector[(size_t)vector * f->l->num_blocks + block];
}

static void look_at(const finding *f, uint32_t b) {
  block_facts *facts = &f->facts[b];
  const uint32_t around = f->l->blocks[b].around;
  facts->is_uniform = true;
  if (around != UINT32_MAX)
    f->facts[around].has_inner = true;
  for (uint32_t v = 0; v < f->l->num_vectors; v++) {
    const uint64_t count = count_of(f, v, b), weight = weight_of(v);
    f->work[v] += (double)count * f->l->blocks[b].latency;
    facts->sum += weight * count;
    if (count == 0)
      continue;
    facts->zeros += weight;
    if (!facts->is_entered) {
      facts->first = count;
      facts->witness = v;
    }
    facts->is_entered = true;
    facts->is_uniform &= count == facts->first;
    facts->is_repeated |= around != UINT32_MAX && count > count_of(f, v, around);
  }
}

static int compare_entries(const void *first, const void *second) {
  const entry *a = first, *b = second;
  if (a->around != b->around)
    return a->around < b->around ? -1 : 1;
  if (a->sum != b->sum)
    return a->sum < b->sum ? -1 : 1;
  return a->block < b->block ? -1 : a->block > b->block;
}

static void sort_entries(const finding *f, entry *entries, bool by_counts) {
  for (uint32_t b = 0; b < f->l->num_blocks; b++)
    entries[b] =
        (entry){f->l->blocks[b].around, by_counts ? f->facts[b].sum : f->facts[b].zeros, b};
  qsort(entries, f->l->num_blocks, sizeof *entries, compare_entries);
}

// The first block with what is around it and that sum, or UINT32_MAX.
static uint32_t find_block(const finding *f, const entry *entries, uint32_t around, uint64_t sum) {
  const entry wanted = {around, sum, 0};
  uint32_t low = 0, high = f->l->num_blocks;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (compare_entries(&entries[middle], &wanted) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const entry *found = &entries[low];
  const bool is_there = low < f->l->num_blocks && found->around == around && found->sum == sum;
  return is_there ? found->block : UINT32_MAX;
}

// ---- the cause of a block's cost

static uint32_t around_of(const finding *f, uint32_t block) {
  return block == UINT32_MAX ? UINT32_MAX : f->l->blocks[block].around;
}

static uint64_t sum_of(const finding *f, uint32_t block) {
  return block == UINT32_MAX ? 0 : f->facts[block].sum;
}

// Whether all threads enter it a fixed number of times for each time that they begin (or end) a
// pass of the loop around it.
static bool follows(const finding *f, uint32_t block, uint32_t around) {
  const block_facts *facts = &f->facts[block];
  if (!facts->is_entered)
    return true;
  const uint32_t outer = around_of(f, around), v = facts->witness;
  for (int is_behind = 0; is_behind < 2; is_behind++) {
    const uint64_t base = count_of(f, v, around) - (is_behind ? count_of(f, v, outer) : 0);
    const uint64_t sum = sum_of(f, around) - (is_behind ? sum_of(f, outer) : 0);
    if (base > 0 && facts->first % base == 0 && facts->sum == facts->first / base * sum)
      return true;
  }
  return false;
}

// The first arm of the branch that has this one.
static uint32_t find_arm(const finding *f, uint32_t block) {
  const uint32_t around = around_of(f, block), outer = around_of(f, around);
  const uint64_t own = sum_of(f, block), all = sum_of(f, around), ended = sum_of(f, outer);
  const uint32_t arms[] = {find_block(f, f->by_counts, around, own),
                           find_block(f, f->by_counts, around, all - own),
                           find_block(f, f->by_counts, around, all - ended - own)};
  for (size_t i = 0; i < sizeof arms / sizeof *arms; i++)
    block = arms[i] < block ? arms[i] : block;
  return block;
}

// Whether threads that don't enter the block do little.
static bool is_return(const finding *f, uint32_t block) {
  double others = 0, own = 0;
  uint32_t num_others = 0, num_own = 0;
  for (uint32_t v = 0; v < f->l->num_vectors; v++) {
    const bool enters = count_of(f, v, block) > 0;
    *(enters ? &own : &others) += f->work[v];
    num_own += enters;
    num_others += !enters;
  }
  return num_others > 0 && num_own > 0 && others / num_others < EARLY * own / num_own;
}

static profile_cause find_cause(const finding *f, uint32_t block) {
  uint32_t at = block, around;
  while ((around = around_of(f, at)) != UINT32_MAX && follows(f, at, around))
    at = around;
  if (around == UINT32_MAX && (at == 0 || follows(f, at, 0))) // all do the same, but not together
    return (profile_cause){.kind = PROFILE_AGAIN, .block = block};
  if (around == UINT32_MAX) // a function that some threads call
    return (profile_cause){.kind = PROFILE_ARMS, .block = at};
  const bool is_outside = around_of(f, around) == UINT32_MAX;
  const block_facts *facts = &f->facts[at];
  const bool is_loop = facts->has_inner || facts->is_repeated;
  if (is_loop && !facts->is_uniform)
    return (profile_cause){.kind = PROFILE_TRIPS, .block = at, .is_inner = !is_outside};
  if (is_outside && is_return(f, at))
    return (profile_cause){.kind = PROFILE_RETURNS,
                           .block = find_block(f, f->by_threads, around, facts->zeros)};
  return (profile_cause){.kind = PROFILE_ARMS, .block = find_arm(f, at), .is_inner = !is_outside};
}

// ---- all of them

static void add(profile_cause *sums, profile_cause cause, double cost) {
  profile_cause *sum = &sums[(size_t)cause.block * PROFILE_NUM_KINDS + cause.kind];
  const double before = sum->cost;
  *sum = cause;
  sum->cost = before + cost;
}

static void add_block(const finding *f, uint32_t b, profile_cause *sums) {
  const profile_block *block = &f->e->block[b];
  const double again = fmin(block->cost, block->again * f->l->blocks[b].latency);
  if (again > 0)
    add(sums, (profile_cause){.kind = PROFILE_AGAIN, .block = b}, again);
  if (block->cost > again)
    add(sums, find_cause(f, b), block->cost - again);
}

static void add_idle(const finding *f, profile_cause *sums) {
  const uint64_t threads = lin_counts_block_threads(f->l);
  const uint64_t lanes = (threads + WARP - 1) / WARP * WARP;
  add(sums, (profile_cause){.kind = PROFILE_IDLE, .block = 0},
      f->e->none * (double)(lanes - threads) / (double)lanes);
}

static int compare_causes(const void *first, const void *second) {
  const profile_cause *a = first, *b = second;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  if (a->block != b->block)
    return a->block < b->block ? -1 : 1;
  return (int)a->kind - (int)b->kind;
}

profile_causes profile_find_causes(lin_memory *memory, const profile_estimate *e) {
  const lin_counts_launch *l = e->launch;
  finding f = {.e = e, .l = l};
  f.facts = have(memory, l->num_blocks, sizeof *f.facts);
  f.work = have(memory, l->num_vectors, sizeof *f.work);
  f.by_counts = have(memory, l->num_blocks, sizeof *f.by_counts);
  f.by_threads = have(memory, l->num_blocks, sizeof *f.by_threads);
  const size_t size = (size_t)l->num_blocks * PROFILE_NUM_KINDS;
  profile_causes causes = {have(memory, size, sizeof *causes.cause), 0};
  for (uint32_t b = 0; b < l->num_blocks; b++)
    look_at(&f, b);
  sort_entries(&f, f.by_counts, true);
  sort_entries(&f, f.by_threads, false);
  for (uint32_t b = 0; b < l->num_blocks; b++)
    add_block(&f, b, causes.cause);
  add_idle(&f, causes.cause);
  qsort(causes.cause, size, sizeof *causes.cause, compare_causes);
  while (causes.count < size && causes.cause[causes.count].cost > 0)
    causes.count++;
  return causes;
}
