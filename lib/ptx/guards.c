#include "guards.h"

#include <assert.h>

typedef struct liveness {
  lin_arena *arena;
  lin_ptx_guards *guards;
  uint32_t *found_for; // [blocks] the guard, + 1, that was last found live there
  lin_block *stack;    // [blocks]
} liveness;

static void add_live(liveness *l, lin_block block, uint32_t guard, uint32_t *depth) {
  if (l->found_for[block] == guard + 1)
    return;
  l->found_for[block] = guard + 1;
  l->stack[(*depth)++] = block;
  lin_ptx_live *cell = LIN_NEW(l->arena, lin_ptx_live);
  *cell = (lin_ptx_live){guard, l->guards->live[block]};
  l->guards->live[block] = cell;
}

// Where a guard is live: from the tests of it back to the edges that set all guards.
static void find_live(liveness *l, uint32_t guard, const lin_block *test, uint32_t num_tests) {
  const lin_flow *flow = l->guards->flow;
  uint32_t depth = 0;
  for (uint32_t i = 0; i < num_tests; i++)
    add_live(l, test[i], guard, &depth);
  while (depth > 0) {
    lin_block block = l->stack[--depth];
    for (LIN_IN_EDGES(flow->graph, block, i)) {
      lin_edge edge = flow->graph->in_edge[i];
      if (flow->leaves[edge])
        continue;
      assert(flow->node[flow->graph->source[edge]] !=
             LIN_NONE); // a guard block, which sets nothing
      add_live(l, flow->graph->source[edge], guard, &depth);
    }
  }
}

lin_ptx_guards *lin_ptx_guards_build(lin_arena *arena, const lin_flow *flow) {
  uint32_t n = flow->graph->num_blocks, count = flow->plan->num_guards;
  lin_ptx_guards *guards = LIN_NEW(arena, lin_ptx_guards);
  guards->flow = flow;
  guards->guard = LIN_ARRAY(arena, lin_ptx_guard, count);
  guards->live = LIN_ARRAY(arena, const lin_ptx_live *, n);
  lin_arena scratch = {0};
  uint32_t *first = LIN_ARRAY(&scratch, uint32_t, (size_t)count + 2);
  lin_block *test = LIN_ARRAY(&scratch, lin_block, n);
  for (lin_block block = 0; block < n; block++)
    if (flow->node[block] != LIN_NONE)
      first[flow->plan->node[flow->node[block]].guard + 2]++;
  for (uint32_t guard = 0; guard < count; guard++)
    first[guard + 2] += first[guard + 1];
  for (lin_block block = 0; block < n; block++)
    if (flow->node[block] != LIN_NONE)
      test[first[flow->plan->node[flow->node[block]].guard + 1]++] = block;

  liveness l = {.arena = arena,
                .guards = guards,
                .found_for = LIN_ARRAY(&scratch, uint32_t, n),
                .stack = LIN_ARRAY(&scratch, lin_block, n)};
  guards->num_flags = guards->num_integers = 1;
  for (uint32_t guard = count; guard-- > 0;)
    find_live(&l, guard, &test[first[guard]], first[guard + 1] - first[guard]);
  for (uint32_t guard = 0; guard < count; guard++) {
    if (first[guard + 1] == first[guard]) // nobody asks
      continue;
    bool is_flag = flow->plan->guard[guard].is_flag;
    guards->guard[guard] =
        (lin_ptx_guard){is_flag, is_flag ? guards->num_flags++ : guards->num_integers++};
  }
  if (guards->num_integers == 1)
    guards->num_integers = 0;
  if (guards->num_flags == 1 && guards->num_integers == 0)
    guards->num_flags = 0;
  lin_arena_release(&scratch);
  return guards;
}

const lin_ptx_live *lin_ptx_guards_set(const lin_ptx_guards *guards, lin_edge edge) {
  const lin_flow *flow = guards->flow;
  assert(flow->leaves[edge] || flow->assigned[edge] == NULL);
  return flow->leaves[edge] ? guards->live[flow->graph->destination[edge]] : NULL;
}

uint32_t lin_ptx_guards_value(const lin_ptx_guards *guards, lin_edge edge, uint32_t guard) {
  const lin_assignment *assigned = lin_assignment_to(guards->flow->assigned[edge], guard);
  return assigned != NULL ? assigned->value : guards->flow->plan->guard[guard].otherwise;
}
