#define _POSIX_C_SOURCE 200809L // open_memstream

#include "table.h"

#include "common/command_line.h"
#include "common/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t plain_time(const lin_tuned_line *line) {
  return lin_tuned_version_of(line, LIN_VERSIONS_PLAIN)->time;
}

static int by_time(const void *a, const void *b) {
  const lin_tuned_line *left = *(const lin_tuned_line *const *)a;
  const lin_tuned_line *right = *(const lin_tuned_line *const *)b;
  uint64_t l = plain_time(left), r = plain_time(right);
  if (l != r)
    return l > r ? -1 : 1;
  return left < right ? -1 : 1; // the order of the file
}

static void print_head(FILE *file, const lin_tuned_line *line) {
  char *title = tool_demangle(line->kernel);
  const uint32_t *grid = line->grid, *block = line->block;
  fprintf(file, "%s\n", title == NULL ? line->kernel : title);
  fprintf(file, "  grid %u x %u x %u, block %u x %u x %u", grid[0], grid[1], grid[2], block[0],
          block[1], block[2]);
  if (line->shared > 0)
    fprintf(file, ", %u bytes of shared memory", line->shared);
  if (line->sizes != 0)
    fprintf(file, ", sizes %016" PRIx64, line->sizes);
  fprintf(file, ", %s\n", line->gpu);
  free(title);
}

static void print_version(FILE *file, const lin_tuned_line *line, const lin_tuned_version *v) {
  uint32_t missing = lin_tuned_missing(line, v, LIN_TUNED_LEAST);
  double plain = (double)plain_time(line), time = (double)v->time;
  if (v->launches == 0) {
    fprintf(file, "    %-20s not timed: %u launches are missing\n", v->name, missing);
    return;
  }
  fprintf(file, "    %-20s %12.3f us  +- %.3f, %u launches", v->name, time / 1e3,
          (double)v->noise / 1e3, v->launches);
  if (time > 0 && plain > 0)
    fprintf(file, "  x%.2f", plain / time);
  if (missing > 0)
    fprintf(file, "  %u launches are missing", missing);
  fprintf(file, "%s\n", strcmp(v->name, line->winner) == 0 ? "  winner" : "");
}

static void print_line(FILE *file, const lin_tuned_line *line) {
  uint32_t winner;
  print_head(file, line);
  for (uint32_t i = 0; i < line->count; i++)
    print_version(file, line, &line->version[i]);
  lin_tuned_verdict verdict = lin_tuned_judge(line, &winner);
  if (verdict == LIN_TUNED_TOO_FEW)
    fputs("    no winner: too few launches\n", file);
  else if (verdict == LIN_TUNED_TOO_CLOSE)
    fputs("    no winner: no difference beyond noise\n", file);
}

// By time. The caller frees it.
static const lin_tuned_line **sort(const lin_tuned *tuned) {
  const lin_tuned_line **order = malloc((tuned->count + (size_t)1) * sizeof *order);
  if (order == NULL)
    tool_die(1, "out of memory");
  for (uint32_t i = 0; i < tuned->count; i++)
    order[i] = &tuned->line[i];
  qsort(order, tuned->count, sizeof *order, by_time);
  return order;
}

void table_print_all(FILE *file, const lin_tuned *tuned) {
  const lin_tuned_line **order = sort(tuned);
  for (uint32_t i = 0; i < tuned->count; i++)
    print_line(file, order[i]);
  free(order);
}

// ---- those that gain ---------------------------------------------------------------------------

// The version that wins, or NULL: there is none, or it is the plain one.
static const lin_tuned_version *gain_of(const lin_tuned_line *line, double *gain) {
  uint32_t winner;
  if (lin_tuned_judge(line, &winner) != LIN_TUNED_IS_WON)
    return NULL;
  const lin_tuned_version *v = &line->version[winner];
  *gain = v->time > 0 ? (double)plain_time(line) / (double)v->time : 1;
  return strcmp(v->name, LIN_VERSIONS_PLAIN) == 0 ? NULL : v;
}

static void write_extent(FILE *file, const uint32_t extent[3]) {
  fprintf(file, "%u", extent[0]);
  if (extent[1] != 1 || extent[2] != 1)
    fprintf(file, "x%u", extent[1]);
  if (extent[2] != 1)
    fprintf(file, "x%u", extent[2]);
}

// As CUDA launches it. The caller frees it.
static char *title_of(const lin_tuned_line *line) {
  char *title = NULL, *name = tool_short_name(line->kernel);
  size_t length;
  FILE *memory = open_memstream(&title, &length);
  if (memory == NULL)
    tool_die(1, "out of memory");
  fprintf(memory, "%s<<<", name == NULL ? line->kernel : name);
  write_extent(memory, line->grid);
  fputs(", ", memory);
  write_extent(memory, line->block);
  if (line->shared > 0)
    fprintf(memory, ", %u", line->shared);
  fputs(">>>", memory);
  free(name);
  if (fclose(memory) != 0)
    tool_die(1, "out of memory");
  return title;
}

static void print_row(FILE *file, const lin_tuned_line *line) {
  double gain;
  const lin_tuned_version *v = gain_of(line, &gain);
  if (v == NULL)
    return;
  char *title = title_of(line);
  fprintf(file, "%-40s %12.3f us  %-20s %12.3f us  x%.2f\n", title, (double)plain_time(line) / 1e3,
          v->name, (double)v->time / 1e3, gain);
  free(title);
}

typedef struct sums {
  uint32_t kernels, gain, too_few; // the latter of those that don't gain
  double most;                     // of a kernel
} sums;

// Lines of a kernel stand behind each other.
static sums count_kernels(const lin_tuned *tuned) {
  sums all = {.most = 1};
  for (uint32_t i = 0, next; i < tuned->count; i = next) {
    bool gains = false, is_few = false;
    for (next = i; next < tuned->count; next++) {
      const lin_tuned_line *line = &tuned->line[next];
      double gain;
      uint32_t winner;
      if (strcmp(line->kernel, tuned->line[i].kernel) != 0 || line->hash != tuned->line[i].hash)
        break;
      is_few |= lin_tuned_judge(line, &winner) == LIN_TUNED_TOO_FEW;
      if (gain_of(line, &gain) == NULL)
        continue;
      gains = true;
      all.most = gain > all.most ? gain : all.most;
    }
    all.kernels++;
    all.gain += gains;
    all.too_few += is_few && !gains;
  }
  return all;
}

void table_print(FILE *file, const lin_tuned *tuned) {
  const lin_tuned_line **order = sort(tuned);
  const sums all = count_kernels(tuned);
  const uint32_t others = all.kernels - all.gain - all.too_few;
  if (all.gain > 0)
    fprintf(file, "%-40s %15s  %-20s %15s  %s\n", "kernel", "plain", "best version", "", "gain");
  for (uint32_t i = 0; i < tuned->count; i++)
    print_row(file, order[i]);
  if (others > 0)
    fprintf(file, "%u %skernel%s: plain is best, or differs by less than noise\n", others,
            all.gain > 0 ? "other " : "", others == 1 ? "" : "s");
  if (all.too_few > 0)
    fprintf(file, "%u kernel%s: too few launches\n", all.too_few, all.too_few == 1 ? "" : "s");
  free(order);
}

uint32_t table_print_verdict(FILE *file, const lin_tuned *tuned) {
  const sums all = count_kernels(tuned);
  if (all.gain > 0)
    fprintf(file, "%u of %u kernels: another version is faster, up to x%.2f", all.gain, all.kernels,
            all.most);
  else
    fprintf(file, "of %u kernels no other version is known to be faster", all.kernels);
  return all.gain;
}
