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

void table_print(FILE *file, const lin_tuned *tuned) {
  const lin_tuned_line **order = malloc((tuned->count + (size_t)1) * sizeof *order);
  if (order == NULL)
    tool_die(1, "out of memory");
  for (uint32_t i = 0; i < tuned->count; i++)
    order[i] = &tuned->line[i];
  qsort(order, tuned->count, sizeof *order, by_time);
  for (uint32_t i = 0; i < tuned->count; i++)
    print_line(file, order[i]);
  free(order);
}
