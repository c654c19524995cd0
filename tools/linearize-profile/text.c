#define _POSIX_C_SOURCE 200809L // getcwd

#include "text.h"

#include "gains.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const profile_remedy_names[PROFILE_NUM_REMEDIES] = {
    "nothing",
    "regrouping in thread blocks",
    "regrouping, Sorting",
    "regrouping, Greedy",
    "regrouping, Greedy-Max",
    "refilling",
};

const char *profile_place(const char *source) {
  static char here[4096];
  if (here[0] == '\0' && getcwd(here, sizeof here) == NULL)
    return source;
  size_t length = strlen(here);
  return strncmp(source, here, length) == 0 && source[length] == '/' ? source + length + 1 : source;
}

// The order of blocks. qsort has no context to hand on.
typedef struct place {
  double cost;
  uint32_t block;
} place;

static int compare(const void *first, const void *second) {
  const place *a = first, *b = second;
  if (a->cost != b->cost)
    return a->cost > b->cost ? -1 : 1;
  return a->block < b->block ? -1 : 1;
}

void profile_order_blocks(const profile_estimate *e, uint32_t *order) {
  uint32_t count = e->launch->num_blocks;
  place *places = calloc(count + 1, sizeof *places);
  if (places == NULL)
    abort();
  for (uint32_t b = 0; b < count; b++)
    places[b] = (place){e->block[b].cost, b};
  qsort(places, count, sizeof *places, compare);
  for (uint32_t i = 0; i < count; i++)
    order[i] = places[i].block;
  free(places);
}

uint64_t profile_launches(const profile_estimate *e) {
  const lin_counts_launch *l = e->launch;
  return l->launched > l->times ? l->launched : l->times;
}

double profile_time(const profile_estimate *e) {
  const lin_counts_launch *l = e->launch;
  return (double)l->time / (double)l->times * (double)profile_launches(e);
}

bool profile_are_timed(const profile_estimate *e, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (e[i].launch->time > 0)
      return true;
  return false;
}

double profile_time_of(const profile_estimate *e, bool timed) {
  return timed ? profile_time(e) : e->now;
}

double profile_time_of_all(const profile_estimate *e, uint32_t count, bool timed) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += profile_time_of(&e[i], timed);
  return sum > 0 ? sum : 1;
}

double profile_gain(const profile_estimate *e, double cycles) {
  return cycles > 0 ? e->now / cycles : 1;
}

double profile_share(const profile_estimate *e, double cost) {
  return e->now > 0 ? cost / e->now : 0;
}

void profile_format_time(const profile_estimate *e, double cycles, char text[32]) {
  double time = (double)e->launch->time * (e->now > 0 ? cycles / e->now : 1);
  if (e->launch->time == 0)
    snprintf(text, 32, "%.0f cycles", cycles);
  else if (time < 1e3)
    snprintf(text, 32, "%.0f ns", time);
  else if (time < 1e6)
    snprintf(text, 32, "%.1f us", 1e-3 * time);
  else
    snprintf(text, 32, "%.2f ms", 1e-6 * time);
}

static void print_head(FILE *file, const profile_estimate *e) {
  const lin_counts_launch *l = e->launch;
  fputs(e->title, file);
  if (e->is_ambiguous)
    fprintf(file, " (code %016" PRIx64 ")", l->hash);
  fputc('\n', file);
  fprintf(file, "  launched       %" PRIu64 " %s, grid %u x %u x %u, block %u x %u x %u",
          profile_launches(e), profile_launches(e) == 1 ? "time" : "times", l->grid[0], l->grid[1],
          l->grid[2], l->block[0], l->block[1], l->block[2]);
  if (l->gpu[0] != '\0')
    fprintf(file, ", %s", l->gpu);
  fputc('\n', file);
  if (profile_launches(e) > l->times)
    fprintf(file, "  counted        %" PRIu64 " of these\n", l->times);
  if (e->num_threads < lin_counts_threads(l))
    fprintf(file, "  counted        %zu of %" PRIu64 " threads\n", e->num_threads,
            lin_counts_threads(l));
  char text[32];
  profile_format_time(e, e->now, text);
  fprintf(file, "  time           %s%s\n", text,
          l->time > 0 ? ", while counting" : " of warps, latencies added; not measured");
  fprintf(file, "  by divergence  %.1f%% of it%s\n", 100 * profile_share(e, e->now - e->none),
          e->has_passes ? "" : ", at least: how often warps entered blocks was not counted");
}

static void print_blocks(FILE *file, const profile_estimate *e, uint32_t rows) {
  uint32_t count = e->launch->num_blocks;
  uint32_t *order = calloc(count + 1, sizeof *order);
  if (order == NULL)
    abort();
  profile_order_blocks(e, order);
  if (rows > 0 && count > 0 && e->block[order[0]].cost > 0)
    fprintf(file, "\n  %8s %8s %12s %10s  %-24s %s\n", "cost", "threads", "entered by", "parted",
            "block", "source");
  for (uint32_t i = 0; i < count && i < rows; i++) {
    const profile_block *block = &e->block[order[i]];
    const lin_counts_block *name = &e->launch->blocks[order[i]];
    if (block->cost <= 0)
      break;
    char parted[32] = "-";
    if (!isnan(block->parted) && block->parted > 0)
      snprintf(parted, sizeof parted, "%.0f", block->parted);
    bool is_kernel = strcmp(name->function, e->launch->kernel) == 0;
    fprintf(file, "  %7.1f%% %8.2f %12.0f %10s  %s%s%-*s %s\n", 100 * profile_share(e, block->cost),
            block->threads / block->now, block->now, parted, is_kernel ? "" : name->function,
            is_kernel ? "" : ": ", is_kernel ? 24 : 1, name->name, profile_place(name->source));
  }
  free(order);
}

static void print_condition(FILE *file, const profile_estimate *e, int remedy) {
  if (remedy == PROFILE_REFILLING)
    fprintf(file,
            "  refilled.refill-at.%u.refill-every.%u, loop at %s: before what memory takes, if its "
            "threads allow it",
            e->refill.predicted.idle_lanes, e->refill.predicted.steps,
            e->launch->blocks[e->refill.header].name);
  else if (remedy != PROFILE_NOTHING)
    fputs("  before what regrouping takes", file);
  fputc('\n', file);
}

// What a version saves, and at most; or why there is none.
static void print_version(FILE *file, const profile_estimate *e, int which) {
  const profile_version v = profile_version_of(e, which);
  const profile_decision *d = &e->decided[which];
  char text[32] = "unknown";
  fprintf(file, "    %-28s ", profile_version_names[which]);
  if (v.reason != NULL) {
    fprintf(file, "%20s  %s\n", "-", v.reason);
    return;
  }
  if (!isnan(v.gain))
    profile_format_time(e, e->now - v.gain, text);
  fprintf(file, "%20s  ", text);
  if (!isnan(v.gain))
    fprintf(file, "x%.2f, ", profile_gain(e, e->now - v.gain));
  fprintf(file, "x%.2f at most%s%s\n", profile_gain(e, e->now - v.bound),
          d->says == NULL ? "" : ": ", d->says == NULL ? "" : d->says);
}

// Each version, on these counts.
static void print_decided(FILE *file, const profile_estimate *e) {
  bool is_of_use = false;
  fputs("\n  decided by the compiler on these counts\n", file);
  for (int v = 0; v < PROFILE_NUM_VERSIONS; v++) {
    is_of_use = is_of_use || profile_version_of(e, v).reason == NULL;
    print_version(file, e, v);
  }
  if (!is_of_use)
    fputs("    nothing helps: the data is what it is\n", file);
}

static void print_remedies(FILE *file, const profile_estimate *e) {
  const bool is_decided = e->decided[PROFILE_REFILLED].says != NULL;
  fputs("\n  predicted\n", file);
  for (int i = 0; i < PROFILE_NUM_REMEDIES - is_decided; i++) {
    char text[32] = "unknown";
    if (isnan(e->cycles[i]) && i == PROFILE_REFILLING) {
      print_version(file, e, PROFILE_REFILLED);
      continue;
    }
    if (isnan(e->cycles[i])) {
      fprintf(file, "    %-28s %20s\n", profile_remedy_names[i], text);
      continue;
    }
    profile_format_time(e, e->cycles[i], text);
    fprintf(file, "    %-28s %20s  x%.2f", profile_remedy_names[i], text,
            profile_gain(e, e->cycles[i]));
    print_condition(file, e, i);
  }
  if (is_decided) {
    print_decided(file, e);
    return;
  }
  print_version(file, e, PROFILE_LINEARIZED);
  print_version(file, e, PROFILE_MERGED);
}

void profile_print(FILE *file, const profile_estimate *e, uint32_t rows) {
  print_head(file, e);
  print_blocks(file, e, rows);
  print_remedies(file, e);
}
