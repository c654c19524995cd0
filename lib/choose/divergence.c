#include "divergence.h"

// Blocks stand in order, those of a loop together: what may be looked at is an interval.
typedef struct interval {
  lin_block first, end;
} interval;

// [num_loops] one past the last block of each loop.
static lin_block *find_ends(lin_arena *arena, const lin_analysis *a) {
  lin_block *end = LIN_ARRAY(arena, lin_block, a->loops->num_loops);
  for (lin_block block = 0; block < a->graph->num_blocks; block++)
    end[a->loops->loop_of[block]] = block + 1;
  for (uint32_t loop = a->loops->num_loops; loop-- > 1;) { // a loop after the one around it
    lin_block *around = &end[a->loops->tree->parent[loop]];
    *around = end[loop] > *around ? end[loop] : *around;
  }
  return end;
}

// The outermost loop that contains `block`, but not `meeting`; the innermost one if all do.
static uint32_t loop_to_leave(const lin_loops *loops, lin_block block, lin_block meeting) {
  uint32_t own = loops->loop_of[block];
  uint32_t common = meeting == LIN_NONE ? 0 : lin_loops_common(loops, block, meeting);
  return common == own ? own : lin_tree_ancestor(loops->tree, own, loops->tree->depth[common] + 1);
}

static interval find_looked_at(const lin_analysis *a, const lin_block *ends, lin_block block) {
  lin_block meeting = a->postdominators->tree->parent[block];
  if (meeting >= a->graph->num_blocks)
    meeting = LIN_NONE; // the end of the function
  uint32_t loop = loop_to_leave(a->loops, block, meeting);
  bool stays = meeting != LIN_NONE && meeting > block &&
               lin_loop_contains(a->loops, a->loops->loop_of[block], meeting);
  interval at = {block, meeting == LIN_NONE ? a->graph->num_blocks : meeting};
  if (loop != 0 && !stays) {
    at.first = a->loops->header[loop];
    at.end = at.end > ends[loop] ? at.end : ends[loop];
  }
  return at;
}

// [num_loops] how often the analysis comes to a block of each loop while it looks once.
static uint32_t *find_looks(lin_arena *arena, const lin_loops *loops) {
  uint32_t *looks = LIN_ARRAY(arena, uint32_t, loops->num_loops);
  bool *irreducible = LIN_ARRAY(arena, bool, loops->num_loops); // it, or a loop around it
  looks[0] = 1;
  irreducible[0] = false;
  for (uint32_t loop = 1; loop < loops->num_loops; loop++) { // a loop after the one around it
    uint32_t deep = 1 + loops->tree->depth[loop];
    irreducible[loop] = loops->irreducible[loop] || irreducible[loops->tree->parent[loop]];
    looks[loop] = deep < LIN_MOST_LOOKS ? deep : LIN_MOST_LOOKS;
    if (irreducible[loop] && deep / LIN_LOOPS_OF_LOOK > looks[loop])
      looks[loop] = deep / LIN_LOOPS_OF_LOOK;
  }
  return looks;
}

uint64_t lin_divergence_work(lin_arena *arena, const lin_analysis *a) {
  uint32_t n = a->graph->num_blocks;
  const lin_block *ends = find_ends(arena, a);
  const uint32_t *looks = find_looks(arena, a->loops);
  uint64_t *before = LIN_ARRAY(arena, uint64_t, (size_t)n + 1); // looks at the blocks before
  for (lin_block block = 0; block < n; block++) {
    before[block + 1] = before[block] + looks[a->loops->loop_of[block]];
  }
  uint64_t sum = 0;
  for (lin_block block = 0; block < n; block++) {
    if (lin_out_degree(a->graph, block) < 2)
      continue;
    interval at = find_looked_at(a, ends, block);
    sum += before[at.end] - before[at.first];
  }
  return LIN_WORK_OF_LOOK * sum;
}
