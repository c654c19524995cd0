#include "metrics.h"

#include "predicate.h"

#include <string.h>

static bool counts(const simt_instruction *in) { return (in->flags & SIMT_IS_FREE) == 0; }

static const simt_instruction *end_of(const simt_function *f, lin_block block) {
  return &f->code[f->first_code[block + 1] - 1];
}

// Neither the branch before a predicated arm nor the one at its end is there.
static void predicate(simt_metrics *metrics, uint32_t number, const simt_function *f) {
  lin_block *by = metrics->predicated_by[number];
  uint32_t *size = metrics->size[number];
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    by[b] = simt_predicated_by(f, b);
    if (by[b] == LIN_NONE)
      continue;
    size[b] -= counts(end_of(f, b));
    size[by[b]] = f->size[by[b]] - 1;
  }
}

simt_metrics *simt_metrics_new(lin_arena *arena, const simt_program *program, bool predicates) {
  uint32_t count = program->num_functions;
  simt_metrics *metrics = LIN_NEW(arena, simt_metrics);
  metrics->block = LIN_ARRAY(arena, simt_block_metrics *, count);
  metrics->size = LIN_ARRAY(arena, uint32_t *, count);
  metrics->predicated_by = LIN_ARRAY(arena, lin_block *, count);
  for (uint32_t i = 0; i < count; i++) {
    const simt_function *f = &program->function[i];
    uint32_t n = f->graph->num_blocks;
    metrics->block[i] = LIN_ARRAY(arena, simt_block_metrics, n);
    metrics->size[i] = LIN_ARRAY(arena, uint32_t, n);
    metrics->predicated_by[i] = LIN_ARRAY(arena, lin_block, n);
    memcpy(metrics->size[i], f->size, n * sizeof *f->size);
    memset(metrics->predicated_by[i], 0xff, n * sizeof(lin_block));
    if (predicates)
      predicate(metrics, i, f);
  }
  return metrics;
}

static void add_function(const simt_block_metrics *block, const uint32_t *size, uint32_t count,
                         simt_totals *totals) {
  for (lin_block b = 0; b < count; b++) {
    totals->warp_instructions += block[b].entries * size[b];
    totals->thread_instructions += block[b].threads * size[b];
    totals->entries += block[b].entries;
    totals->branches += block[b].branches;
    totals->divergent += block[b].divergent;
  }
}

simt_totals simt_metrics_sum(const simt_metrics *metrics, const simt_program *program,
                             uint32_t function) {
  simt_totals totals = {0};
  for (uint32_t i = 0; i < program->num_functions; i++)
    if (function == LIN_NONE || function == i)
      add_function(metrics->block[i], metrics->size[i], program->function[i].graph->num_blocks,
                   &totals);
  return totals;
}

uint32_t simt_count_sectors(const uint64_t *address, uint32_t mask, uint32_t size) {
  uint64_t seen[4 * SIMT_LANES];
  uint32_t count = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    uint64_t first = address[__builtin_ctz(left)] / 32;
    uint64_t last = (address[__builtin_ctz(left)] + size - 1) / 32;
    for (uint64_t sector = first; sector <= last; sector++) {
      uint32_t i = count;
      while (i > 0 && seen[i - 1] != sector) // neighbours are likely to be the same
        i--;
      if (i == 0 && count < 4 * SIMT_LANES)
        seen[count++] = sector;
    }
  }
  return count;
}
