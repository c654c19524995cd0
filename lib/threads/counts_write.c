#include "counts_file.h"

#include <inttypes.h>
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

static uint64_t entries_of(const lin_counts_launch *launch, uint32_t block) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < launch->num_runs; i++) {
    lin_counts_run run = launch->run[i];
    if (run.vector == LIN_COUNTS_UNKNOWN)
      continue;
    uint64_t count = launch->vector[(size_t)run.vector * launch->num_blocks + block];
    sum = add(sum, count > UINT64_MAX / run.num_threads ? UINT64_MAX : count * run.num_threads);
  }
  return sum;
}

static void write_profile(FILE *file, const lin_counts_launch *launch) {
  for (uint32_t b = 0; b < launch->num_blocks; b++) {
    write_field(file, launch->blocks[b].function);
    fputc(',', file);
    write_field(file, launch->blocks[b].name);
    fprintf(file, ",%" PRIu64 "\n", entries_of(launch, b));
  }
}

// ---- the launch

static void write_head(FILE *file, const lin_counts_launch *l) {
  fputs("# launch ", file);
  write_name(file, l->kernel);
  fprintf(file, "\n# hash %016" PRIx64 "\n# times %" PRIu64, l->hash, l->times);
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
    fputc('\n', file);
  }
}

static void write_vectors(FILE *file, const lin_counts_launch *l) {
  fprintf(file, "# vectors %u\n", l->num_vectors);
  for (uint32_t v = 0; v < l->num_vectors; v++) {
    fputc('#', file);
    const uint64_t *count = l->vector + (size_t)v * l->num_blocks;
    for (uint32_t b = 0; b < l->num_blocks; b++)
      if (count[b] != 0)
        fprintf(file, " %u:%" PRIu64, b, count[b]);
    fputc('\n', file);
  }
}

static void write_threads(FILE *file, const lin_counts_launch *l) {
  fprintf(file, "# threads %u\n#", l->num_runs);
  for (uint32_t i = 0; i < l->num_runs; i++)
    if (l->run[i].vector == LIN_COUNTS_UNKNOWN)
      fprintf(file, " %u*-", l->run[i].num_threads);
    else
      fprintf(file, " %u*%u", l->run[i].num_threads, l->run[i].vector);
  fputc('\n', file);
}

void lin_counts_write(FILE *file, const lin_counts *counts) {
  fputs("# linearize counts 1\nfunction,block,thread_entries\n", file);
  for (uint32_t i = 0; i < counts->num_launches; i++)
    write_profile(file, &counts->launch[i]);
  for (uint32_t i = 0; i < counts->num_launches; i++) {
    write_head(file, &counts->launch[i]);
    write_blocks(file, &counts->launch[i]);
    write_vectors(file, &counts->launch[i]);
    write_threads(file, &counts->launch[i]);
  }
  fputs("# end\n", file);
}
