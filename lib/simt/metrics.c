#include "metrics.h"

simt_metrics *simt_metrics_new(lin_arena *arena, const simt_program *program) {
  simt_metrics *metrics = LIN_NEW(arena, simt_metrics);
  metrics->block = LIN_ARRAY(arena, simt_block_metrics *, program->num_functions);
  for (uint32_t i = 0; i < program->num_functions; i++)
    metrics->block[i] =
        LIN_ARRAY(arena, simt_block_metrics, program->function[i].graph->num_blocks);
  return metrics;
}

static void add_function(const simt_block_metrics *block, const simt_function *function,
                         simt_totals *totals) {
  for (lin_block b = 0; b < function->graph->num_blocks; b++) {
    totals->warp_instructions += block[b].entries * simt_block_size(function, b);
    totals->thread_instructions += block[b].threads * simt_block_size(function, b);
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
      add_function(metrics->block[i], &program->function[i], &totals);
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
