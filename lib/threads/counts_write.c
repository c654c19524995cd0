// Writes the file of counts.
#include "counts_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void write_name(FILE *file, const char *name) {
  for (; *name != '\0'; name++)
    fputc(strchr("\"\r\n", *name) == NULL ? *name : '_', file);
}

// A row that begins with # would be a comment.
static void write_field(FILE *file, const char *name) {
  const char *quote = strchr(name, ',') != NULL || name[0] == '#' ? "\"" : "";
  fputs(quote, file);
  write_name(file, name);
  fputs(quote, file);
}

// ---- the profile

static uint64_t add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static uint64_t multiply(uint64_t a, uint64_t b) {
  return b > 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

// How many threads have each vector, to be freed; NULL if there is no memory.
static uint64_t *count_threads(const lin_counts_launch *launch) {
  uint64_t *threads = calloc((size_t)launch->num_vectors + 1, sizeof *threads);
  for (uint32_t i = 0; threads != NULL && i < launch->num_runs; i++)
    if (launch->run[i].vector != LIN_COUNTS_UNKNOWN)
      threads[launch->run[i].vector] += launch->run[i].num_threads;
  return threads;
}

static void write_profile(FILE *file, const lin_counts_launch *launch) {
  uint64_t *threads = count_threads(launch);
  for (uint32_t b = 0; threads != NULL && b < launch->num_blocks; b++) {
    uint64_t sum = 0;
    for (uint32_t v = 0; v < launch->num_vectors; v++)
      sum = add(sum, multiply(launch->vector[(size_t)v * launch->num_blocks + b], threads[v]));
    write_field(file, launch->blocks[b].function);
    fputc(',', file);
    write_field(file, launch->blocks[b].name);
    fprintf(file, ",%" PRIu64 "\n", sum);
  }
  free(threads);
}

// ---- the launch

static void write_head(FILE *file, const lin_counts_launch *l) {
  fputs("# launch ", file);
  write_name(file, l->kernel);
  fprintf(file, "\n# hash %016" PRIx64 "\n# times %" PRIu64, l->hash, l->times);
  if (l->launched > l->times)
    fprintf(file, " of %" PRIu64, l->launched);
  fprintf(file, "\n# grid %u %u %u", l->grid[0], l->grid[1], l->grid[2]);
  fprintf(file, "\n# block %u %u %u", l->block[0], l->block[1], l->block[2]);
  fprintf(file, "\n# sample %u\n# gpu ", l->sample);
  write_name(file, l->gpu);
  fprintf(file, "\n# multiprocessors %u\n# time %" PRIu64 "\n", l->multiprocessors, l->time);
}

static void write_blocks(FILE *file, const lin_counts_launch *l) {
  fprintf(file, "# blocks %u\n", l->num_blocks);
  for (uint32_t b = 0; b < l->num_blocks; b++) {
    fputs("# ", file);
    write_field(file, l->blocks[b].function);
    fputc(',', file);
    write_field(file, l->blocks[b].name);
    fprintf(file, ",%u,", l->blocks[b].latency);
    write_field(file, l->blocks[b].source);
    if (l->blocks[b].around == UINT32_MAX)
      fputs(",\n", file);
    else
      fprintf(file, ",%u\n", l->blocks[b].around);
  }
}

// printf would take most of the time that a file takes.
static char *put_number(char *to, uint64_t number) {
  char digits[20];
  int count = 0;
  do
    digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0)
    *to++ = digits[--count];
  return to;
}

enum { LONGEST = sizeof " 4294967295:18446744073709551615" };

static void write_vector(FILE *file, const lin_counts_launch *l, const uint64_t *count) {
  fputc('#', file);
  for (uint32_t b = 0; b < l->num_blocks; b++)
    if (count[b] != 0) {
      char text[LONGEST], *to = text;
      *to++ = ' ';
      to = put_number(to, b);
      *to++ = ':';
      to = put_number(to, count[b]);
      fwrite(text, 1, (size_t)(to - text), file);
    }
  fputc('\n', file);
}

static void write_vectors(FILE *file, const lin_counts_launch *l) {
  fprintf(file, "# vectors %u\n", l->num_vectors);
  for (uint32_t v = 0; v < l->num_vectors; v++)
    write_vector(file, l, l->vector + (size_t)v * l->num_blocks);
}

static void write_threads(FILE *file, const lin_counts_launch *l) {
  fprintf(file, "# threads %u\n#", l->num_runs);
  for (uint32_t i = 0; i < l->num_runs; i++) {
    char text[LONGEST], *to = text;
    *to++ = ' ';
    to = put_number(to, l->run[i].num_threads);
    *to++ = '*';
    if (l->run[i].vector == LIN_COUNTS_UNKNOWN)
      *to++ = '-';
    else
      to = put_number(to, l->run[i].vector);
    fwrite(text, 1, (size_t)(to - text), file);
  }
  fputc('\n', file);
}

static void write_passes(FILE *file, const lin_counts_launch *l) {
  if (l->passes == NULL)
    return;
  fputs("# passes\n", file);
  write_vector(file, l, l->passes);
  write_vector(file, l, l->passes_at_most);
}

void lin_counts_write(FILE *file, const lin_counts *counts) {
  fputs("# linearize counts 2\nfunction,block,thread_entries\n", file);
  for (uint32_t i = 0; i < counts->num_launches; i++)
    write_profile(file, &counts->launch[i]);
  for (uint32_t i = 0; i < counts->num_launches; i++) {
    write_head(file, &counts->launch[i]);
    write_blocks(file, &counts->launch[i]);
    write_vectors(file, &counts->launch[i]);
    write_threads(file, &counts->launch[i]);
    write_passes(file, &counts->launch[i]);
  }
  fputs("# end\n", file);
}
