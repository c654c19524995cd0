#include "refill.h"

#include "common/command_line.h"
#include "refill/counted.h"

#include <string.h>

// What an instruction takes a warp that is alone, in the mean: of mandelbrot of bench/refill, 2.7
// (linearize-simt --counts, and --csv).
enum { CYCLES = 3 };

static void *have(lin_memory *memory, size_t count, size_t size) {
  void *array = lin_memory_array(memory, count + 1, size);
  if (memory->is_out)
    tool_die(1, "there is no memory");
  return array;
}

// The header of the outermost loop around a block, or itself.
static uint32_t find_outermost(const lin_counts_launch *l, uint32_t block) {
  for (uint32_t around = l->blocks[block].around; around != UINT32_MAX;
       around = l->blocks[block].around) {
    if (l->blocks[around].around == UINT32_MAX)
      break; // the entry
    block = around;
  }
  return block;
}

// Whether some thread enters it more than once.
static bool is_repeated(const lin_counts_launch *l, uint32_t block) {
  for (uint32_t v = 0; v < l->num_vectors; v++)
    if (l->vector[(size_t)v * l->num_blocks + block] > l->times)
      return true;
  return false;
}

static bool has_calls(const lin_counts_launch *l) {
  for (uint32_t b = 0; b < l->num_blocks; b++)
    if (strcmp(l->blocks[b].function, l->kernel) != 0)
      return true;
  return false;
}

static uint32_t find_header(const lin_counts_launch *l, const uint32_t *outermost,
                            const double *work) {
  uint32_t best = UINT32_MAX;
  for (uint32_t b = 0; b < l->num_blocks; b++)
    if (outermost[b] == b && work[b] > 0 && (best == UINT32_MAX || work[b] > work[best]) &&
        is_repeated(l, b))
      best = b;
  return best;
}

profile_refill profile_refill_launch(lin_memory *memory, const lin_counts_launch *l,
                                     const double *warps) {
  profile_refill result = {.header = UINT32_MAX, .predicted = {.gain = 1}};
  double *work = have(memory, l->num_blocks, sizeof *work),
         *cost = have(memory, l->num_blocks, sizeof *cost);
  uint32_t *outermost = have(memory, l->num_blocks, sizeof *outermost);
  bool *is_inside = have(memory, l->num_blocks, sizeof *is_inside);
  lin_refill_items *items = have(memory, 1, sizeof *items);
  if (has_calls(l))
    return result;
  for (uint32_t b = 0; b < l->num_blocks; b++) {
    outermost[b] = find_outermost(l, b);
    cost[b] = l->blocks[b].latency;
    work[outermost[b]] += cost[b] * warps[b];
  }
  const uint32_t header = find_header(l, outermost, work);
  for (uint32_t b = 0; b < l->num_blocks; b++)
    is_inside[b] = outermost[b] == header;
  if (header == UINT32_MAX)
    return result;
  lin_refill_costs costs = {.look = CYCLES * LIN_REFILL_LOOK,
                            .round = CYCLES * LIN_REFILL_ROUND,
                            .fetch = CYCLES * LIN_REFILL_FETCH};
  const lin_refill_launch launch = {l, cost, is_inside, NULL, header};
  lin_refill_count(&launch, 1, items, &costs);
  result.predicted = lin_refill_predict(items, &costs, 0, 0);
  result.header = result.predicted.before > 0 ? header : UINT32_MAX;
  return result;
}
