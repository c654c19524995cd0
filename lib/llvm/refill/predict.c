// The plan of the kernel as it was counted, and what its blocks are to the launches.
#include "refill.h"

#include "alike.h"
#include "counts/traffic.h"
#include "refill/counted.h"
#include "refill/plan.h"
#include "llvm/edit/unreachable.h"

typedef struct kernel {
  const lin_graph *graph;
  const lin_loops *loops;
  uint32_t loop;
  const lin_refill_memory *memory; // [num_blocks]
} kernel;

// False if it isn't known how often threads came to the loop: the launch has other blocks.
static bool describe(lin_arena *arena, const kernel *k, const lin_counts_launch *launch,
                     const lin_block *number, lin_refill_launch *of) {
  double *cost = LIN_ARRAY(arena, double, launch->num_blocks);
  lin_refill_memory *memory = LIN_ARRAY(arena, lin_refill_memory, launch->num_blocks);
  bool *is_inside = LIN_ARRAY(arena, bool, launch->num_blocks);
  *of = (lin_refill_launch){launch, cost, is_inside, memory, LIN_NONE};
  for (uint32_t i = 0; i < launch->num_blocks; i++) {
    const lin_block b = number == NULL ? LIN_NONE : number[i];
    if (b == LIN_NONE)
      continue;
    cost[i] = k->graph->cost[b];
    memory[i] = k->memory[b];
    is_inside[i] = lin_loop_contains(k->loops, k->loop, b);
    if (b == k->loops->header[k->loop])
      of->header = i;
  }
  return of->header != LIN_NONE;
}

static lin_refill_prediction predict(lin_arena *arena, const kernel *k, const lin_counts *counts,
                                     uint32_t idle_lanes, uint32_t steps) {
  const lin_traffic_launches found = lin_traffic_find_launches(arena, k->graph, counts);
  lin_refill_launch *launch = LIN_ARRAY(arena, lin_refill_launch, found.count);
  lin_refill_items *items = LIN_NEW(arena, lin_refill_items);
  lin_refill_costs costs = {
      .look = LIN_REFILL_LOOK, .round = LIN_REFILL_ROUND, .fetch = LIN_REFILL_FETCH};
  uint32_t count = 0;
  for (uint32_t i = 0; i < found.count; i++)
    count += describe(arena, k, found.launch[i], found.number[i], &launch[count]);
  lin_refill_count(launch, count, items, &costs);
  return lin_refill_predict(items, &costs, idle_lanes, steps);
}

lin_refill_prediction lin_ir_predict_refill(lin_arena *arena, LLVMValueRef function,
                                            const lin_profile *profile, uint32_t idle_lanes,
                                            uint32_t steps) {
  const lin_counts *counts = lin_profile_launches(profile);
  const lin_refill_prediction unknown = {.idle_lanes = idle_lanes, .steps = steps};
  if (counts == NULL)
    return unknown;
  const lin_ir_read_options options = {.force = true};
  lin_ir_function *f = lin_ir_read(arena, function, &options);
  if (lin_ir_has_unreachable(arena, f))
    return unknown;
  const lin_loops *loops = lin_loops_build(arena, f->graph);
  kernel k = {f->graph, loops, 0, lin_ir_find_alike(arena, f, loops, NULL)};
  const lin_refill_plan plan = lin_refill_find(arena, f->graph, loops, /*regardless=*/true);
  if (plan.why != NULL)
    return unknown;
  k.loop = plan.loop;
  return predict(arena, &k, counts, idle_lanes, steps);
}
