#include "answer.h"

#include "common/command_line.h"
#include "gains.h"
#include "notes.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is less than this part of the time is nobody's problem, nor worth a word to type.
#define WORTH 0.05
// Causes of less aren't named.
#define NAMED 0.005

// ---- causes of all launches

// One of a kernel's causes; shapes of the kernel have it together.
typedef struct finding {
  const profile_estimate *e;
  uint32_t block;
  profile_kind kind;
  double lost; // part of the time of all launches
} finding;

static int compare_kernels(const profile_estimate *a, const profile_estimate *b) {
  const int names = strcmp(a->launch->kernel, b->launch->kernel);
  if (names != 0 || a->launch->hash == b->launch->hash)
    return names;
  return a->launch->hash < b->launch->hash ? -1 : 1;
}

// The source's, else the block's name.
static const char *place_of(const finding *f) {
  const lin_counts_block *block = &f->e->launch->blocks[f->block];
  return block->source[0] != '\0' ? profile_place(block->source) : block->name;
}

static int compare_places(const void *first, const void *second) {
  const finding *a = first, *b = second;
  const int kernels = compare_kernels(a->e, b->e);
  if (kernels != 0)
    return kernels;
  if (a->kind != b->kind)
    return a->kind < b->kind ? -1 : 1;
  const int places = strcmp(place_of(a), place_of(b));
  if (places != 0)
    return places;
  return a->e < b->e ? -1 : a->e > b->e;
}

static int compare_losses(const void *first, const void *second) {
  const finding *a = first, *b = second;
  if (a->lost != b->lost)
    return a->lost > b->lost ? -1 : 1;
  return compare_places(first, second);
}

// Makes one of what is the same, which stands together. Returns how many are left.
static uint32_t join(finding *f, uint32_t count, bool of_kernels) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    const finding *last = left == 0 ? NULL : &f[left - 1];
    const bool is_same =
        last != NULL && compare_kernels(last->e, f[i].e) == 0 &&
        (of_kernels || (last->kind == f[i].kind && strcmp(place_of(last), place_of(&f[i])) == 0));
    if (is_same)
      f[left - 1].lost += f[i].lost;
    else
      f[left++] = f[i];
  }
  return left;
}

typedef struct findings {
  finding *found, worst; // what costs most first; the kernel that loses most
  uint32_t count;
  double lost; // by divergence
} findings;

static findings find_all(lin_memory *memory, const profile_estimate *e, uint32_t count) {
  const bool timed = profile_are_timed(e, count);
  const double all = profile_time_of_all(e, count, timed);
  size_t size = 1;
  for (uint32_t i = 0; i < count; i++)
    size += e[i].causes.count;
  findings f = {.found = LIN_HAVE(memory, finding, size)};
  finding *kernels = LIN_HAVE(memory, finding, (size_t)count + 1);
  if (memory->is_out)
    tool_die(1, "out of memory");
  for (uint32_t i = 0; i < count; i++) {
    const double part = profile_time_of(&e[i], timed) / all;
    for (uint32_t c = 0; c < e[i].causes.count; c++) {
      const profile_cause *cause = &e[i].causes.cause[c];
      f.found[f.count++] =
          (finding){&e[i], cause->block, cause->kind, part * profile_share(&e[i], cause->cost)};
    }
    kernels[i] = (finding){.e = &e[i], .lost = part * profile_share(&e[i], e[i].now - e[i].none)};
    f.lost += kernels[i].lost;
  }
  qsort(f.found, f.count, sizeof *f.found, compare_places);
  f.count = join(f.found, f.count, false);
  qsort(f.found, f.count, sizeof *f.found, compare_losses);
  qsort(kernels, count, sizeof *kernels, compare_places);
  const uint32_t num_kernels = join(kernels, count, true);
  qsort(kernels, num_kernels, sizeof *kernels, compare_losses);
  f.worst = kernels[0];
  return f;
}

static void print_cause(FILE *file, const finding *f) {
  fprintf(file, "  %7.1f%%  %-24s %-25s %s\n", 100 * f->lost, f->e->title,
          profile_kind_names[f->kind],
          f->kind == PROFILE_IDLE ? "the size of its thread blocks" : place_of(f));
}

// What lines of PTX are lines of, and how to get others.
static void print_ptx(FILE *file, const findings *f, uint32_t rows, const char *counts) {
  for (uint32_t i = 0; i < f->count && i < rows; i++) {
    const lin_counts_block *block = &f->found[i].e->launch->blocks[f->found[i].block];
    const int length = (int)profile_ptx_place(block->source);
    const char *slash = counts == NULL ? NULL : strrchr(counts, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - counts) + 1;
    if (length == 0)
      continue;
    fprintf(file, "  PTX is in %.*s%.*s; nvcc -lineinfo gives lines of the source\n", folder,
            counts == NULL ? "" : counts, length, block->source);
    return;
  }
}

void profile_print_verdict(FILE *file, lin_memory *memory, const profile_estimate *e,
                           uint32_t count, const char *counts, uint32_t rows) {
  bool has_passes = true;
  for (uint32_t i = 0; i < count; i++)
    has_passes = has_passes && e[i].has_passes;
  const findings f = find_all(memory, e, count);
  fprintf(file, "divergence %s%s%.1f%% of %s",
          f.lost < WORTH && has_passes ? "isn't the problem: it costs " : "costs ",
          has_passes ? "" : "at least ", 100 * f.lost,
          profile_are_timed(e, count) ? "the GPU's time" : "the cycles of all warps");
  if (f.worst.lost > 0)
    fprintf(file, ", most of it in %s (%.1f%%)", f.worst.e->title, 100 * f.worst.lost);
  fputc('\n', file);
  for (uint32_t i = 0; i < f.count && i < rows && (f.found[i].lost >= NAMED || i == 0); i++) {
    if (i == 0)
      fprintf(file, "\n  %8s  %-24s %-25s %s\n", "lost", "kernel", "by", "where");
    print_cause(file, &f.found[i]);
  }
  print_ptx(file, &f, rows, counts);
}

// ---- what to type

// Parts of the time of all launches.
typedef struct savings {
  double expected; // by versions of which that is known
  double possible; // by the others at most
  double grouped;  // by threads of a block that trade work
  double moved;    // by threads in another order
  double lost, idle;
} savings;

static void save(savings *s, const profile_estimate *e, double part) {
  double expected = 0, possible = 0, moved = 0;
  const profile_version grouped = profile_version_of(e, PROFILE_REGROUPED),
                        redirected = profile_version_of(e, PROFILE_REDIRECTED);
  for (int v = 0; v < PROFILE_REGROUPED; v++) {
    const profile_version version = profile_version_of(e, v);
    if (version.reason != NULL)
      continue;
    if (!isnan(version.gain))
      expected = fmax(expected, version.gain);
    possible = fmax(possible, version.bound);
  }
  if (!isnan(e->measured))
    expected = possible = e->measured;
  for (int i = PROFILE_SORTING; i <= PROFILE_GREEDY_MAX; i++)
    moved = isnan(e->cycles[i]) ? moved : fmax(moved, e->now - e->cycles[i]);
  if (e->decided[PROFILE_REDIRECTED].says != NULL && redirected.reason != NULL)
    moved = 0;
  if (grouped.reason == NULL && !isnan(grouped.gain))
    s->grouped += part * profile_share(e, grouped.gain);
  s->expected += part * profile_share(e, expected);
  s->possible += part * profile_share(e, fmax(expected, possible));
  s->moved += part * profile_share(e, moved);
  s->lost += part * profile_share(e, e->now - e->none);
  for (uint32_t c = 0; c < e->causes.count; c++)
    if (e->causes.cause[c].kind == PROFILE_IDLE)
      s->idle += part * profile_share(e, e->causes.cause[c].cost);
}

// As a shell wants it.
static void print_word(FILE *file, const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  fputc(' ', file);
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    fputs(word, file);
    return;
  }
  fputc('\'', file);
  for (; *word != '\0'; word++)
    if (*word == '\'')
      fputs("'\\''", file);
    else
      fputc(*word, file);
  fputc('\'', file);
}

static void print_command(FILE *file, const char *command, char *const *program) {
  fprintf(file, "next: %s", command);
  if (program == NULL)
    fputs(" PROGRAM ARGUMENT...", file);
  for (; program != NULL && *program != NULL; program++)
    print_word(file, *program);
  fputc('\n', file);
}

static bool is_worth(double saved) { return saved > 0 && 1 / (1 - saved) > 1 + WORTH; }

void profile_print_next(FILE *file, const profile_estimate *e, uint32_t count,
                        char *const *program) {
  const bool timed = profile_are_timed(e, count);
  const double all = profile_time_of_all(e, count, timed);
  savings s = {.expected = 0};
  for (uint32_t i = 0; i < count; i++)
    save(&s, &e[i], profile_time_of(&e[i], timed) / all);
  fputc('\n', file);
  if (is_worth(s.expected))
    print_command(file, "linearize", program);
  else if (is_worth(s.possible))
    print_command(file, "linearize tune", program);
  else if (is_worth(s.grouped))
    print_command(file, "linearize run --regroup", program);
  else if (is_worth(s.moved))
    print_command(file, "linearize tune --versions plain,redirected", program);
  else if (is_worth(s.idle))
    fputs("nothing to type: the size of thread blocks is to be a multiple of 32\n", file);
  else if (s.lost < WORTH)
    fprintf(file, "nothing to type: divergence costs %.1f%%\n", 100 * s.lost);
  else
    fputs("nothing to type: no version and no order of threads gains 5%, the data is what it is\n",
          file);
}
