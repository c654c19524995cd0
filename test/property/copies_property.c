// copies_property [first_seed] [count]
//
// Random functions that call each other, and builds that make random code of them:
//   1. what is the same is found by another way: functions are told apart step by step, by their
//      code and by what is known of those that they call, until nothing changes;
//   2. the copies that are kept are those that somebody gets to who starts at a kernel of some
//      build, and follows the calls, no more and no fewer;
//   3. of the versions of a kernel one is left of each kind, the first, and none that is the
//      kernel.
// The last line is `N modules, F failed`.
#include "choose/copies.h"
#include "random_graph.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BUILDS = 6, MOST_FUNCTIONS = 12, MOST_CALLS = 3, MOST_CODES = 3 };

typedef struct module {
  lin_builds builds;
  uint32_t code[MOST_BUILDS * MOST_FUNCTIONS]; // a number that says what it is
  uint32_t own[MOST_BUILDS * MOST_FUNCTIONS];
  uint32_t first_call[MOST_FUNCTIONS + 1], callee[MOST_FUNCTIONS * MOST_CALLS];
} module;

static bool complain(const char *what) {
  printf("%s\n", what);
  return false;
}

static void make(module *m, uint64_t *random) {
  const uint32_t builds = 1 + random_below(random, MOST_BUILDS);
  const uint32_t functions = 1 + random_below(random, MOST_FUNCTIONS);
  const uint32_t codes = 1 + random_below(random, MOST_CODES);
  m->builds = (lin_builds){builds, functions, m->own, m->first_call, m->callee};
  uint32_t calls = 0;
  for (uint32_t f = 0; f < functions; f++) {
    m->first_call[f] = calls;
    for (uint32_t i = random_below(random, MOST_CALLS + 1); i > 0; i--)
      m->callee[calls++] = random_below(random, functions);
  }
  m->first_call[functions] = calls;
  for (uint32_t b = 0; b < builds; b++)
    for (uint32_t f = 0; f < functions; f++) {
      const uint32_t at = b * functions + f;
      m->code[at] = random_chance(random, 60) ? 0 : random_below(random, codes);
      m->own[at] = b;
      for (uint32_t c = b; c-- > 0;)
        if (m->code[c * functions + f] == m->code[at])
          m->own[at] = c;
    }
}

// Whether two builds of a function are told apart: by what is known so far, if their code isn't.
static bool is_apart(const module *m, const uint32_t *kind, uint32_t a, uint32_t b, uint32_t f) {
  const uint32_t n = m->builds.num_functions;
  if (m->code[a * n + f] != m->code[b * n + f])
    return true;
  for (uint32_t i = m->first_call[f]; i < m->first_call[f + 1]; i++)
    if (kind[a * n + m->callee[i]] != kind[b * n + m->callee[i]])
      return true;
  return false;
}

// kind[b * functions + f]: the least build that isn't told apart.
static void tell_apart(const module *m, uint32_t *kind) {
  const uint32_t n = m->builds.num_functions, builds = m->builds.num_builds;
  uint32_t next[MOST_BUILDS * MOST_FUNCTIONS] = {0};
  for (uint32_t i = 0; i < n * builds; i++)
    kind[i] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t f = 0; f < n; f++)
      for (uint32_t b = 0; b < builds; b++) {
        uint32_t a = 0;
        while (a < b && (kind[a * n + f] != kind[b * n + f] || is_apart(m, kind, a, b, f)))
          a++;
        next[b * n + f] = a;
      }
    for (uint32_t i = 0; i < n * builds; i++) {
      changed |= kind[i] != next[i];
      kind[i] = next[i];
    }
  }
}

static bool check_same(const module *m, const lin_copies *copies, const uint32_t *kind) {
  for (uint32_t b = 0; b < m->builds.num_builds; b++)
    for (uint32_t f = 0; f < m->builds.num_functions; f++)
      if (lin_copy_of(copies, b, f) != kind[b * m->builds.num_functions + f])
        return complain("something else is the same");
  return true;
}

// Follows the calls from what is reached so far until there is nothing new.
static void reach(const module *m, const uint32_t *kind, bool *reached) {
  const uint32_t n = m->builds.num_functions;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = 1; b < m->builds.num_builds; b++)
      for (uint32_t f = 0; f < n; f++)
        for (uint32_t i = m->first_call[f]; reached[b * n + f] && i < m->first_call[f + 1]; i++) {
          const uint32_t called = kind[b * n + m->callee[i]];
          if (called == 0 || reached[called * n + m->callee[i]])
            continue;
          reached[called * n + m->callee[i]] = changed = true;
        }
  }
}

static bool check_kept(const module *m, lin_copies *copies, const uint32_t *kind,
                       uint64_t *random) {
  const uint32_t n = m->builds.num_functions, builds = m->builds.num_builds;
  bool reached[MOST_BUILDS * MOST_FUNCTIONS] = {0};
  for (uint32_t i = random_below(random, 4); i > 0; i--) {
    const uint32_t b = random_below(random, builds), f = random_below(random, n);
    lin_copies_keep(copies, b, f);
    if (kind[b * n + f] != 0)
      reached[kind[b * n + f] * n + f] = true;
  }
  reach(m, kind, reached);
  for (uint32_t i = 0; i < builds * n; i++)
    if (copies->is_kept[i] != reached[i])
      return complain(reached[i] ? "a copy is missing" : "a copy is kept that nobody calls");
  return true;
}

static bool check_distinct(const module *m, const lin_copies *copies, const uint32_t *kind,
                           uint64_t *random) {
  const uint32_t n = m->builds.num_functions, f = random_below(random, n);
  const uint32_t itself = random_below(random, m->builds.num_builds);
  uint32_t build[8], like[8], distinct = 0;
  const uint32_t count = random_below(random, 9);
  for (uint32_t i = 0; i < count; i++)
    build[i] = random_below(random, m->builds.num_builds);
  const uint32_t told = lin_copies_distinct(copies, f, itself, build, count, like);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t wanted = LIN_NONE;
    for (uint32_t j = i; j-- > 0;)
      if (kind[build[j] * n + f] == kind[build[i] * n + f])
        wanted = j;
    if (kind[build[i] * n + f] == kind[itself * n + f])
      wanted = LIN_LIKE_ITSELF;
    distinct += wanted == LIN_NONE;
    if (like[i] != wanted)
      return complain("a version is like another one");
  }
  return told == distinct || complain("another number of versions");
}

static bool try_module(uint64_t seed) {
  uint64_t random = seed;
  uint32_t kind[MOST_BUILDS * MOST_FUNCTIONS];
  lin_arena arena = {0};
  module m;
  make(&m, &random);
  tell_apart(&m, kind);
  lin_copies *copies = lin_copies_compare(&arena, &m.builds);
  const bool ok = check_same(&m, copies, kind) && check_distinct(&m, copies, kind, &random) &&
                  check_kept(&m, copies, kind, &random);
  lin_arena_release(&arena);
  return ok;
}

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 2000, failed = 0;
  for (uint64_t seed = first; seed < first + count; seed++)
    if (!try_module(seed)) {
      printf("seed %llu\n", (unsigned long long)seed);
      failed++;
    }
  printf("%llu modules, %llu failed\n", (unsigned long long)count, (unsigned long long)failed);
  return failed != 0;
}
