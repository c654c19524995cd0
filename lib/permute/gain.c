#include "gain.h"

#include "choose/trip_counts.h"
#include "gpu/costs.h"
#include "gpu/target.h"
#include "graph/sorted.h"

enum {
  BANKS = 32,
  WORD = 4, // bytes
  SECTOR = 32,
  COST_OF_BANK = 4, // see the header
  COST_OF_SECTOR = 1,
};

typedef struct counter {
  const lin_samples *samples;
  double *cost;  // [section blocks] instructions of a warp that enters it
  double *trips; // [section blocks] how often
  uint32_t
      *issued_by; // [section blocks] the block whose branch ptxas replaces by predicates; LIN_NONE
  bool *is_partial; // [section blocks] not all indices come there
} counter;

typedef struct count {
  double issue, memory, active, warps;
} count;

static bool is_shared(const lin_touch *touch) {
  return touch->memory == LIN_MEMORY_SHARED || touch->memory == LIN_MEMORY_ANY_SHARED;
}

// The number of a block in a section; LIN_NONE: it isn't in it.
static uint32_t number_of(const lin_section *section, lin_block block) {
  uint32_t low = lin_count_below(section->block, section->num_blocks, block);
  return low < section->num_blocks && section->block[low] == block ? low : LIN_NONE;
}

// ---- what blocks cost

// How often a loop goes around: as often as it can, where that is clear before it begins, else as
// loops usually do.
static double trips_of(const lin_analysis *a, uint32_t loop) {
  lin_block header = a->loops->header[loop];
  bool counted = (a->graph->flags[header] & LIN_COUNTED) != 0;
  return counted && a->graph->most_trips[header] > 0 ? a->graph->most_trips[header]
                                                     : LIN_USUAL_TRIPS;
}

static void find_costs(counter *c) {
  const lin_values *v = c->samples->values;
  const lin_analysis *a = v->analysis;
  const lin_section *section = c->samples->section;
  const lin_tree *nest = a->loops->tree;
  uint32_t around = nest->depth[a->loops->loop_of[section->start]];
  for (uint32_t i = 0; i < section->num_blocks; i++) {
    lin_block block = section->block[i];
    c->trips[i] = 1;
    for (uint32_t value = v->first_value[block]; value < v->first_value[block + 1]; value++)
      c->cost[i] += lin_section_contains(v, section, value) ? v->value[value].cost : 0;
    for (uint32_t loop = a->loops->loop_of[block]; nest->depth[loop] > around;
         loop = nest->parent[loop])
      c->trips[i] *= trips_of(a, loop);
  }
}

// Where threads go on behind a short arm of one block; LIN_NONE: it is no such arm. A load from
// other memory than shared counts as two (gpu/costs.h).
static lin_block behind_arm(const counter *c, uint32_t i) {
  const lin_values *v = c->samples->values;
  const lin_graph *graph = v->analysis->graph;
  lin_block block = c->samples->section->block[i];
  double instructions = c->cost[i];
  for (uint32_t touch = 0; touch < c->samples->num_touches; touch++) {
    const lin_value *at = &v->value[c->samples->touch[touch]->value];
    instructions += c->samples->touch_block[touch] == i && (at->does & LIN_WRITES) == 0 &&
                    !is_shared(c->samples->touch[touch]);
  }
  bool is_arm = lin_in_degree(graph, block) == 1 && lin_out_degree(graph, block) == 1;
  return is_arm && instructions <= (double)LIN_PREDICATED
             ? graph->destination[graph->first_edge[block]]
             : LIN_NONE;
}

// Short arms, which all threads of a warp that come to the branch run or pass through.
static void find_predicated(counter *c) {
  const lin_section *section = c->samples->section;
  const lin_graph *graph = c->samples->values->analysis->graph;
  for (uint32_t i = 0; i < section->num_blocks; i++)
    c->issued_by[i] = LIN_NONE;
  for (uint32_t i = 0; i < section->num_blocks; i++) {
    lin_edge first = graph->first_edge[section->block[i]];
    if (lin_out_degree(graph, section->block[i]) != 2)
      continue;
    lin_block to[2] = {graph->destination[first], graph->destination[first + 1]}, behind[2];
    uint32_t arm[2];
    for (unsigned way = 0; way < 2; way++) {
      arm[way] = number_of(section, to[way]);
      behind[way] = arm[way] == LIN_NONE ? LIN_NONE : behind_arm(c, arm[way]);
    }
    for (unsigned way = 0; way < 2; way++) {
      bool goes_around = behind[way] == to[1 - way];
      bool both = behind[way] != LIN_NONE && behind[way] == behind[1 - way];
      if (goes_around || both)
        c->issued_by[arm[way]] = i;
    }
  }
}

// ---- accesses

// How many times as long an access to shared memory takes as one without conflicts.
static uint32_t count_conflicts(const uint64_t *address, uint32_t lanes, uint32_t bytes) {
  uint64_t word[LIN_WARP * 4];
  uint32_t words = 0, in_bank[BANKS] = {0}, most = 1;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    if (address[lane] == LIN_NOWHERE)
      continue;
    for (uint64_t at = address[lane] / WORD; at <= (address[lane] + bytes - 1) / WORD; at++) {
      bool known = false;
      for (uint32_t i = 0; i < words; i++)
        known |= word[i] == at;
      if (known || words == LIN_WARP * 4)
        continue;
      word[words++] = at;
      uint32_t here = ++in_bank[at % BANKS];
      most = here > most ? here : most;
    }
  }
  return most;
}

static uint32_t count_sectors(const uint64_t *address, uint32_t lanes, uint32_t bytes) {
  uint64_t sector[LIN_WARP * 2];
  uint32_t sectors = 0, elsewhere = 0;
  for (uint32_t lane = 0; lane < lanes; lane++) {
    elsewhere += address[lane] == LIN_NOWHERE;
    if (address[lane] == LIN_NOWHERE)
      continue;
    for (uint64_t at = address[lane] / SECTOR; at <= (address[lane] + bytes - 1) / SECTOR; at++) {
      bool known = false;
      for (uint32_t i = 0; i < sectors; i++)
        known |= sector[i] == at;
      if (!known && sectors < LIN_WARP * 2)
        sector[sectors++] = at;
    }
  }
  return sectors + elsewhere;
}

static double cost_of_touch(const lin_samples *s, const lin_sample *sample, uint32_t touch,
                            const uint32_t *thread, uint32_t lanes) {
  uint64_t address[LIN_WARP];
  uint32_t here = 0, bytes = s->touch[touch]->bytes;
  for (uint32_t lane = 0; lane < lanes; lane++)
    if (sample->comes[(size_t)thread[lane] * s->section->num_blocks + s->touch_block[touch]])
      address[here++] = sample->address[(size_t)thread[lane] * s->num_touches + touch];
  if (here == 0)
    return 0;
  return is_shared(s->touch[touch])
             ? (double)COST_OF_BANK * (double)count_conflicts(address, here, bytes)
             : (double)COST_OF_SECTOR * (double)count_sectors(address, here, bytes);
}

// ---- warps

// A warp of the threads that do the work of `thread[0..lanes)`; others of it may have none.
static void count_warp(const counter *c, const lin_sample *sample, const uint32_t *thread,
                       uint32_t lanes, count *sum) {
  const lin_samples *s = c->samples;
  uint32_t num_blocks = s->section->num_blocks;
  for (uint32_t block = 0; block < num_blocks; block++) {
    uint32_t active = 0, by = c->issued_by[block], issuing = by == 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
      const bool *comes = &sample->comes[(size_t)thread[lane] * num_blocks];
      active += comes[block];
      issuing += by != LIN_NONE && comes[by];
    }
    sum->issue += active + issuing == 0 ? 0 : c->cost[block] * c->trips[block];
    sum->active += c->is_partial[block] ? active : 0;
    sum->warps += c->is_partial[block] && active > 0;
  }
  for (uint32_t touch = 0; touch < s->num_touches; touch++)
    sum->memory += c->trips[s->touch_block[touch]] * cost_of_touch(s, sample, touch, thread, lanes);
}

static uint32_t linear(const uint32_t *index, const uint32_t *size) {
  return index[0] + size[0] * (index[1] + size[1] * index[2]);
}

// All warps, with the indices that `formula` gives them, or their own (NULL).
static void count_block(const counter *c, const lin_sampled_launch *launch,
                        const lin_sample *sample, const lin_formula *formula, uint32_t working,
                        count *sum) {
  const uint32_t *size = launch->size;
  for (uint32_t first = 0; first < launch->threads; first += LIN_WARP) {
    uint32_t thread[LIN_WARP], lanes = 0;
    for (uint32_t at = first; at < first + LIN_WARP && at < launch->threads; at++) {
      uint32_t position[3] = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]};
      uint32_t index[3] = {position[0], position[1], position[2]};
      if (formula == NULL || lin_formula_apply(formula, position, size, sample->at, index))
        thread[lanes++] = linear(index, size);
    }
    count_warp(c, sample, thread, lanes, sum);
    sum->issue += lanes > 0 ? working : 0;
  }
}

static void find_partial(const counter *c, const lin_sampled_launch *launch,
                         const lin_sample *sample) {
  uint32_t num_blocks = c->samples->section->num_blocks;
  for (uint32_t block = 0; block < num_blocks; block++) {
    c->is_partial[block] = false;
    for (uint32_t thread = 0; thread < launch->threads; thread++)
      c->is_partial[block] |= !sample->comes[(size_t)thread * num_blocks + block];
  }
}

static double per_warp(const count *c) { return c->warps == 0 ? 0 : c->active / c->warps; }

static lin_gain gain_of(const counter *c, const lin_sampled_launch *launch,
                        const lin_formula *formula, lin_change change) {
  count before = {0}, after = {0};
  for (uint32_t i = 0; i < launch->count; i++) {
    find_partial(c, launch, &launch->sample[i]);
    count_block(c, launch, &launch->sample[i], NULL, 0, &before);
    count_block(c, launch, &launch->sample[i], formula, change.working, &after);
  }
  const uint32_t whole_warps = (launch->threads + LIN_WARP - 1) / LIN_WARP;
  const double samples = launch->count, warps = whole_warps;
  return (lin_gain){.issue_before = before.issue / samples + warps * change.saved,
                    .issue_after =
                        after.issue / samples + warps * (lin_formula_cost(formula) + change.all),
                    .memory_before = before.memory / samples,
                    .memory_after = after.memory / samples,
                    .warps_before = before.warps / samples,
                    .warps_after = after.warps / samples,
                    .active_before = per_warp(&before),
                    .active_after = per_warp(&after),
                    .threads = launch->threads};
}

uint64_t lin_gain_work(const lin_samples *s) {
  uint64_t work = 0;
  for (uint32_t i = 0; i < s->num_launches; i++)
    work += (uint64_t)s->launch[i].count * s->launch[i].threads *
            (s->section->num_blocks + s->num_touches);
  return work;
}

// Of several sizes, the one that gains least.
lin_gain lin_gain_of(const lin_samples *s, const lin_formula *formula, lin_change change) {
  lin_arena scratch = {0};
  uint32_t blocks = s->section->num_blocks;
  counter c = {.samples = s,
               .cost = LIN_ARRAY(&scratch, double, blocks),
               .trips = LIN_ARRAY(&scratch, double, blocks),
               .issued_by = LIN_ARRAY(&scratch, uint32_t, blocks),
               .is_partial = LIN_ARRAY(&scratch, bool, blocks)};
  lin_gain least = {0};
  bool any = false;
  find_costs(&c);
  find_predicated(&c);
  for (uint32_t i = 0; i < s->num_launches; i++) {
    if (s->launch[i].count == 0)
      continue;
    lin_gain here = gain_of(&c, &s->launch[i], formula, change);
    if (!any || lin_gain_ratio(&here) > lin_gain_ratio(&least))
      least = here;
    any = true;
  }
  lin_arena_release(&scratch);
  return least;
}
