// What threads do stays as it is: PTX functions before and after they are linearized, run by
// ptx_machine.
//
//   ptx_semantics SEED COUNT    so many random modules, of two to four functions each
//   ptx_semantics FILE...       the functions of these files, in every mode and at every level
//
// Prints what differs: the function, the thread, mode and level; of a random module its text, too.
#define _POSIX_C_SOURCE 200809L
#include "expect.h"
#include "ptx_machine.h"
#include "ptx_random.h"

#include "ptx/run.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, EVENTS = 120, STEPS = 4000 };

static const char *const mode_name[] = {"all",         "paper",       "needed",
                                        "irreducible", "merge-loops", "versions"};
static const lin_mode mode_of[] = {LIN_MODE_ALL, LIN_MODE_PAPER, LIN_MODE_NEEDED,
                                   LIN_MODE_IRREDUCIBLE};
enum { MERGES = 4, VERSIONS = 5, MODES = 6, LEVELS = 5 };

static uint64_t compared, changed, versions, unset_read, left;

// A whole function that is left alone isn't compared.
static void hear(void *context, const lin_ptx_remark *remark) {
  (void)context;
  left += remark->kind == LIN_PTX_MISSED && remark->block == NULL;
}

// The module, linearized, in the arena; NULL if nothing changes.
static const char *linearize(lin_arena *arena, const char *text, uint32_t mode, int level) {
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(arena, text, strlen(text), &error);
  if (module == NULL) {
    fprintf(stderr, "line %u: %s\n", error.line, error.message);
    failed++;
    return NULL;
  }
  lin_ptx_options options = {.core = {.level = level}, .force = true};
  if (mode == VERSIONS) {
    options.versions = "plain,all,paper,needed,irreducible,merge-loops.regardless,all.O0";
  } else if (mode == MERGES) {
    options.is_off = options.merges_loops = true;
    options.core.policy.regardless = true;
  } else {
    options.core.policy.mode = mode_of[mode];
  }
  lin_ptx_patch patch = {.arena = arena};
  lin_ptx_linearize(module, &options, &patch, hear, NULL);
  if (patch.count == 0)
    return NULL;
  char *result;
  size_t length;
  FILE *file = open_memstream(&result, &length);
  lin_ptx_patch_write(file, text, (uint32_t)strlen(text), &patch);
  fclose(file);
  const char *kept = lin_arena_text(arena, result, length);
  free(result);
  return kept;
}

static bool is_same(const ptx_trace *a, const ptx_trace *b) {
  uint32_t count = a->count < b->count ? a->count : b->count;
  if (memcmp(a->event, b->event, count * sizeof *a->event) != 0)
    return false;
  // Who spins, or is undefined from somewhere on, has done the same up to there.
  if (a->end == PTX_SPUN || a->end == PTX_UNDEFINED)
    return b->count >= a->count || b->end == PTX_SPUN || b->end == PTX_UNDEFINED;
  return a->count == b->count && a->end == b->end;
}

// The function that `function` of `after` is, or is a version or a copy of; the number of functions
// if there is none.
static uint32_t original_of(const ptx_machine *before, const ptx_machine *after,
                            uint32_t function) {
  const char *name = ptx_machine_name(after, function), *end = strstr(name, "__linearize_");
  const size_t length = end == NULL ? strlen(name) : (size_t)(end - name);
  uint32_t f = 0;
  while (f < ptx_machine_functions(before) &&
         (strlen(ptx_machine_name(before, f)) != length ||
          memcmp(ptx_machine_name(before, f), name, length) != 0))
    f++;
  versions += end != NULL;
  return f;
}

// Whether function `number` of `after` does by one thread what `function` of `before` does.
static bool agrees(const ptx_machine *before, uint32_t function, const ptx_machine *after,
                   uint32_t number, uint32_t thread) {
  uint64_t event[3][EVENTS];
  ptx_trace expected = {event[0], 0, EVENTS, PTX_SPUN}, other = {event[1], 0, EVENTS, PTX_SPUN},
            found = {event[2], 0, EVENTS, PTX_SPUN};
  ptx_machine_run(before, function, thread, 1, STEPS, &expected);
  ptx_machine_run(before, function, thread, 2, STEPS, &other);
  compared++;
  if (!is_same(&expected, &other) || expected.end != other.end) { // reads what nothing has set
    unset_read++;
    return true;
  }
  for (uint64_t unset = 1; unset <= 2; unset++) {
    ptx_machine_run(after, number, thread, unset, 10 * STEPS, &found);
    if (!is_same(&expected, &found))
      return false;
  }
  return true;
}

// Whether a whole module does the same in one mode at one level.
static bool check(const char *name, const char *text, uint32_t mode, int level) {
  lin_arena arena = {0};
  const char *reason, *after_text = linearize(&arena, text, mode, level);
  bool same = failed == 0;
  const ptx_machine *before = ptx_machine_read(&arena, text, &reason), *after = NULL;
  if (before == NULL ||
      (after_text != NULL && (after = ptx_machine_read(&arena, after_text, &reason)) == NULL)) {
    fprintf(stderr, "%s: %s linearized: %s\n", name, before == NULL ? "not" : "when", reason);
    same = false;
  }
  changed += after != NULL;
  for (uint32_t f = 0; after != NULL && f < ptx_machine_functions(after) && same; f++) {
    const uint32_t original = original_of(before, after, f);
    for (uint32_t thread = 0; thread < THREADS && same; thread++)
      if (original == ptx_machine_functions(before) ||
          !agrees(before, original, after, f, thread)) {
        fprintf(stderr, "%s, function %s, thread %u, mode %s, O%d: not the same\n", name,
                ptx_machine_name(after, f), thread, mode_name[mode], level);
        same = false;
      }
  }
  failed += !same;
  lin_arena_release(&arena);
  return same;
}

static char *read_file(const char *name) {
  FILE *file = fopen(name, "rb");
  char *text = NULL;
  size_t length = 0;
  if (file == NULL || getdelim(&text, &length, '\0', file) < 0) {
    fprintf(stderr, "%s can't be read\n", name);
    exit(2);
  }
  fclose(file);
  return text;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: ptx_semantics SEED COUNT | FILE...\n");
    return 2;
  }
  char *end;
  uint64_t seed = strtoull(argv[1], &end, 10);
  bool is_random = *end == '\0' && argc == 3;
  for (uint64_t i = 0; is_random && i < strtoull(argv[2], NULL, 10) && failed == 0; i++) {
    char *text = ptx_random_module(seed + i), name[32];
    snprintf(name, sizeof name, "seed %llu", (unsigned long long)(seed + i));
    // Half are linearized as a whole, a quarter have loops merged, the others take turns.
    uint32_t mode = i % 4 == 1 ? MERGES : (uint32_t)(i % 4 == 3 ? i / 4 % MODES : 0);
    if (!check(name, text, mode, (int)(i % 4 == 3 ? i / 20 % LEVELS : i / 4 % LEVELS)))
      fputs(text, stdout);
    free(text);
  }
  for (int i = 1; !is_random && i < argc; i++) {
    char *text = read_file(argv[i]);
    for (uint32_t mode = 0; mode < MODES; mode++)
      for (int level = 0; level < LEVELS; level++)
        check(argv[i], text, mode, level);
    free(text);
  }
  EXPECT(!is_random || left == 0);
  EXPECT(!is_random || strtoull(argv[2], NULL, 10) < 100 || versions > 0);
  printf(
      "%llu runs compared, %llu modules changed, %llu versions; %llu read what nothing has set\n",
      (unsigned long long)compared, (unsigned long long)changed, (unsigned long long)versions,
      (unsigned long long)unset_read);
  return failed > 0;
}
