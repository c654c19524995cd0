// counts_file_property [first_seed] [count]
//
// Random files of counts, made from random threads:
//   1. what was gathered is what the threads had, and adding a launch adds each thread's counts;
//   2. reading what was written and writing that gives the same bytes;
//   3. with a few bytes, words or lines changed, moved or taken away it is refused in one line, or
//      is a file of which 2 holds.
// Meant for a build with sanitizers, too. The last line is `N files, F failed`.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "threads/gather.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 96, MOST_BLOCKS = 6, MOST_LAUNCHES = 3, MUTANTS = 8 };

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state += 0x9e3779b97f4a7c15u; // splitmix64
  uint64_t z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return limit == 0 ? 0 : (uint32_t)((z ^ (z >> 31)) % limit);
}

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

// ---- gathering

typedef struct thread {
  bool is_known;
  uint64_t count[MOST_BLOCKS];
} thread;

static void choose_threads(thread *threads, uint32_t n, uint32_t num_blocks) {
  uint32_t different = 1 + below(n);
  for (uint32_t t = 0; t < n; t++) {
    threads[t].is_known = below(8) != 0;
    for (uint32_t b = 0; b < num_blocks; b++)
      threads[t].count[b] = below(4) == 0 ? 0 : below(1000);
    if (t >= different || below(2) == 0)
      threads[t] = threads[below(t + 1)];
  }
}

static bool gather(lin_memory *memory, const thread *threads, uint32_t n,
                   const lin_counts_launch *before, lin_counts_launch *launch) {
  lin_gather *g = lin_gather_new(memory, launch->num_blocks, before);
  for (uint32_t t = 0; t < n; t++)
    if (!lin_gather_thread(g, threads[t].is_known ? threads[t].count : NULL))
      return false;
  lin_gather_end(g, launch);
  return true;
}

static bool are(const lin_counts_launch *l, const thread *a, const thread *b, uint32_t n) {
  uint32_t t = 0;
  for (uint32_t i = 0; i < l->num_runs; i++)
    for (uint32_t k = 0; k < l->run[i].num_threads && t < n; k++, t++) {
      uint32_t v = l->run[i].vector;
      if ((v != LIN_COUNTS_UNKNOWN) != (a[t].is_known && b[t].is_known))
        return false;
      for (uint32_t block = 0; v != LIN_COUNTS_UNKNOWN && block < l->num_blocks; block++)
        if (l->vector[v * l->num_blocks + block] != a[t].count[block] + b[t].count[block])
          return false;
    }
  return t == n;
}

static bool make_launch(lin_memory *memory, lin_counts_launch *l) {
  static const char *const names[] = {"entry", "%12", "a, b", "for.body", "", "x#y"};
  thread first[MOST_THREADS], second[MOST_THREADS];
  static thread nothing[MOST_THREADS];
  uint32_t most[3] = {8, 4, 3};
  *l = (lin_counts_launch){.kernel = names[below(6)],
                           .hash = (uint64_t)below(UINT32_MAX) << 32 | below(UINT32_MAX),
                           .times = 1 + below(3),
                           .sample = 1 + below(4),
                           .gpu = names[below(6)],
                           .multiprocessors = below(200),
                           .time = below(UINT32_MAX),
                           .grid = {1, 1, 1},
                           .num_blocks = 1 + below(MOST_BLOCKS)};
  for (int i = 0; i < 3; i++)
    l->block[i] = 1 + below(most[i]);
  l->blocks = LIN_HAVE(memory, lin_counts_block, l->num_blocks);
  for (uint32_t b = 0; b < l->num_blocks; b++)
    l->blocks[b] = (lin_counts_block){names[below(6)], names[below(6)], below(500), names[below(6)],
                                      b == 0 || below(2) == 0 ? UINT32_MAX : below(b)};
  uint32_t n = (uint32_t)lin_counts_threads(l);
  choose_threads(first, n, l->num_blocks);
  choose_threads(second, n, l->num_blocks);
  for (uint32_t t = 0; t < n; t++)
    nothing[t].is_known = true;
  lin_counts_launch before = *l;
  return gather(memory, first, n, NULL, &before) && are(&before, first, nothing, n) &&
         gather(memory, second, n, &before, l) && are(l, first, second, n);
}

// ---- texts

typedef struct text {
  char *bytes;
  size_t length;
} text;

static text write_text(const lin_counts *counts) {
  text t = {NULL, 0};
  FILE *file = open_memstream(&t.bytes, &t.length);
  lin_counts_write(file, counts);
  fclose(file);
  return t;
}

// Reads `t`; returns what is written of that, without bytes if it is refused.
static text read_and_write(text t, bool *ok) {
  lin_memory memory = {0};
  lin_counts_error error = {0};
  char *exact = malloc(t.length + 1); // nothing behind its end may be read
  memcpy(exact, t.bytes, t.length);
  exact = realloc(exact, t.length > 0 ? t.length : 1);
  lin_counts *counts = lin_counts_read(&memory, exact, t.length, &error);
  free(exact);
  text again = {NULL, 0};
  if (counts != NULL)
    again = write_text(counts);
  else if (error.line == 0 || error.text[0] == '\0' || strchr(error.text, '\n') != NULL)
    *ok = complain("a refusal that is not one line");
  lin_memory_release(&memory);
  return again;
}

static bool are_equal(text a, text b) {
  return a.bytes != NULL && a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

// A piece of the text: some bytes, a word, a line.
static void choose_piece(text t, size_t *start, size_t *end) {
  static const char *const stops[] = {"", " \n:*,", "\n"};
  const char *stop = stops[below(3)];
  *start = below((uint32_t)t.length);
  *end = *start + 1 + below(3);
  while (*stop != '\0' && *start > 0 && strchr(stop, t.bytes[*start - 1]) == NULL)
    --*start;
  while (*stop != '\0' && *end < t.length && strchr(stop, t.bytes[*end - 1]) == NULL)
    ++*end;
  *end = *end < t.length ? *end : t.length;
}

static text mutate(text t) {
  static const char *const odd[] = {"",          "0",  "-1", "4294967295", "18446744073709551616",
                                    "*-",        "\n", "# ", "\"",         "# end\n",
                                    "# launch ", ":",  "x",  "99999999"};
  size_t start, end, from, to;
  choose_piece(t, &start, &end);
  choose_piece(t, &from, &to);
  const char *with = odd[below(sizeof odd / sizeof *odd)];
  size_t length = strlen(with);
  if (below(2) == 0) {
    with = t.bytes + from;
    length = to - from;
  }
  text m = {malloc(t.length + length + 1), start + length + (t.length - end)};
  memcpy(m.bytes, t.bytes, start);
  memcpy(m.bytes + start, with, length);
  memcpy(m.bytes + start + length, t.bytes + end, t.length - end);
  if (below(10) == 0)
    m.length = below((uint32_t)m.length);
  return m;
}

static uint64_t accepted, refused;

static bool try_mutants(text t) {
  bool ok = true;
  for (int i = 0; i < MUTANTS && ok; i++) {
    text m = mutate(t);
    for (uint32_t more = below(3); more > 0 && m.length > 0; more--) {
      text next = mutate(m);
      free(m.bytes);
      m = next;
    }
    text once = read_and_write(m, &ok);
    if (once.bytes != NULL) {
      text twice = read_and_write(once, &ok);
      if (!are_equal(twice, once))
        ok = complain("what is read of a changed file doesn't last");
      free(twice.bytes);
    }
    *(once.bytes != NULL ? &accepted : &refused) += 1;
    free(once.bytes);
    free(m.bytes);
  }
  return ok;
}

static bool try_file(uint64_t seed) {
  state = seed * 1000003;
  lin_memory memory = {0};
  lin_counts_launch launch[MOST_LAUNCHES];
  lin_counts counts = {launch, below(MOST_LAUNCHES + 1)};
  bool ok = true;
  for (uint32_t i = 0; i < counts.num_launches && ok; i++)
    ok = make_launch(&memory, &launch[i]) || complain("gathered wrongly");
  if (ok) {
    text t = write_text(&counts), again = read_and_write(t, &ok);
    if (!are_equal(again, t))
      ok = complain("read wrongly");
    ok = ok && try_mutants(t);
    free(t.bytes);
    free(again.bytes);
  }
  lin_memory_release(&memory);
  return ok;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 2000, failed = 0;
  for (uint64_t seed = first; seed < first + count; seed++)
    if (!try_file(seed)) {
      printf("seed %llu\n", (unsigned long long)seed);
      failed++;
    }
  printf("changed files: %llu accepted, %llu refused\n", (unsigned long long)accepted,
         (unsigned long long)refused);
  printf("%llu files, %llu failed\n", (unsigned long long)count, (unsigned long long)failed);
  return failed != 0;
}
