#include "metrics.h"

#include "predicate.h"

#include <string.h>

static bool counts(const simt_instruction *in) { return (in->flags & SIMT_IS_FREE) == 0; }

static const simt_instruction *end_of(const simt_function *f, lin_block block) {
  return &f->code[f->first_code[block + 1] - 1];
}

static bool is_guard(const simt_instruction *in) {
  return counts(in) && (in->flags & SIMT_IS_GUARD) != 0;
}

static void count_instructions(const simt_function *f, uint32_t *size, uint32_t *guard_size) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++)
    for (uint32_t pc = f->first_code[b]; pc < f->first_code[b + 1]; pc++) {
      size[b] += counts(&f->code[pc]);
      guard_size[b] += is_guard(&f->code[pc]);
    }
}

static bool has_predicated_arm(const simt_metrics *metrics, uint32_t number, const lin_graph *graph,
                               lin_block branch) {
  for (LIN_OUT_EDGES(graph, branch, edge))
    if (metrics->predicated_by[number][graph->destination[edge]] == branch)
      return true;
  return false;
}

// Neither the branch before predicated arms nor those at their ends are there.
// A predicate that is true or false on a way is set by an instruction.
static void predicate(simt_metrics *metrics, uint32_t number, const simt_function *f) {
  lin_block *by = metrics->predicated_by[number];
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    by[b] = simt_predicated_by(f, b);
    metrics->size[number][b] += f->known_flags[b];
  }
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    if (by[b] == LIN_NONE && !has_predicated_arm(metrics, number, f->graph, b))
      continue;
    metrics->size[number][b] -= counts(end_of(f, b));
    metrics->guard_size[number][b] -= is_guard(end_of(f, b));
  }
}

simt_metrics *simt_metrics_new(lin_arena *arena, const simt_program *program, bool predicates) {
  uint32_t count = program->num_functions;
  simt_metrics *metrics = LIN_NEW(arena, simt_metrics);
  metrics->block = LIN_ARRAY(arena, simt_counts *, count);
  metrics->size = LIN_ARRAY(arena, uint32_t *, count);
  metrics->guard_size = LIN_ARRAY(arena, uint32_t *, count);
  metrics->predicated_by = LIN_ARRAY(arena, lin_block *, count);
  for (uint32_t i = 0; i < count; i++) {
    const simt_function *f = &program->function[i];
    uint32_t n = f->graph->num_blocks;
    metrics->block[i] = LIN_ARRAY(arena, simt_counts, n);
    metrics->size[i] = LIN_ARRAY(arena, uint32_t, n);
    metrics->guard_size[i] = LIN_ARRAY(arena, uint32_t, n);
    metrics->predicated_by[i] = LIN_ARRAY(arena, lin_block, n);
    count_instructions(f, metrics->size[i], metrics->guard_size[i]);
    memset(metrics->predicated_by[i], 0xff, n * sizeof(lin_block));
    if (predicates)
      predicate(metrics, i, f);
  }
  return metrics;
}

void simt_metrics_enter(simt_metrics *metrics, uint32_t number, lin_block block, uint32_t mask) {
  simt_counts *counts = &metrics->block[number][block];
  uint32_t size = metrics->size[number][block], threads = (uint32_t)__builtin_popcount(mask);
  counts->entries++;
  counts->threads += threads;
  counts->warp_instructions += size;
  counts->thread_instructions += (uint64_t)size * threads;
  counts->guard_instructions += metrics->guard_size[number][block];
}

static void add_traffic(simt_traffic *traffic, const simt_traffic *more) {
  for (unsigned space = 0; space < 3; space++) {
    traffic[space].instructions += more[space].instructions;
    traffic[space].sectors += more[space].sectors;
  }
}

void simt_counts_add(simt_counts *counts, const simt_counts *more) {
  counts->warp_instructions += more->warp_instructions;
  counts->thread_instructions += more->thread_instructions;
  counts->guard_instructions += more->guard_instructions;
  counts->entries += more->entries;
  counts->reentries += more->reentries;
  counts->threads += more->threads;
  counts->branches += more->branches;
  counts->divergent += more->divergent;
  add_traffic(counts->load, more->load);
  add_traffic(counts->store, more->store);
  if (more->deepest > counts->deepest)
    counts->deepest = more->deepest;
  if (more->nested > counts->nested)
    counts->nested = more->nested;
}

void simt_metrics_add(simt_metrics *metrics, const simt_metrics *more,
                      const simt_program *program) {
  for (uint32_t i = 0; i < program->num_functions; i++)
    for (lin_block b = 0; b < program->function[i].graph->num_blocks; b++)
      simt_counts_add(&metrics->block[i][b], &more->block[i][b]);
}

simt_counts simt_metrics_sum(const simt_metrics *metrics, const simt_program *program,
                             uint32_t function) {
  simt_counts sum = {0};
  for (uint32_t i = 0; i < program->num_functions; i++)
    for (lin_block b = 0; b < program->function[i].graph->num_blocks; b++)
      if (function == LIN_NONE || function == i)
        simt_counts_add(&sum, &metrics->block[i][b]);
  return sum;
}

void simt_metrics_of_module(const simt_metrics *metrics, const simt_program *program,
                            uint32_t number, simt_counts *counts) {
  const simt_function *f = &program->function[number];
  memset(counts, 0, f->graph->num_blocks * sizeof *counts);
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    simt_counts more = metrics->block[number][b];
    if (f->is_rest[b])
      more.entries = more.reentries = more.threads = 0;
    simt_counts_add(&counts[f->original[b]], &more);
  }
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
