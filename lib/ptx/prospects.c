#include "prospects.h"

#include "alike.h"
#include "divergence.h"

#include "driver/driver.h"

static bool may_part(const lin_graph *graph) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (lin_out_degree(graph, block) > 1 && (graph->flags[block] & LIN_UNIFORM) == 0)
      return true;
  return false;
}

static bool find(lin_arena *arena, const lin_ptx_body *body, const lin_ptx_wishes *wishes) {
  lin_ptx_function *f = lin_ptx_read(arena, body);
  bool has_shape = wishes->parting, wants_all_edges = false;
  for (lin_mode mode = 0; mode < LIN_NO_MODE; mode++) {
    bool has = wishes->mode[mode] && lin_driver_has_work(arena, f->graph, lin_modes[mode].basis);
    has_shape |= has;
    wants_all_edges |= has && lin_modes[mode].all_edges;
  }
  if (wants_all_edges || (!has_shape && !wishes->melds))
    return wants_all_edges;
  lin_ptx_find_uniform(f);
  return (has_shape && may_part(f->graph)) || (wishes->melds && lin_ptx_may_be_alike(f));
}

bool lin_ptx_has_prospects(const lin_ptx_module *module, uint32_t number,
                           const lin_ptx_wishes *wishes) {
  if (wishes->anything)
    return true;
  lin_arena arena = {0};
  const lin_ptx_body *body = lin_ptx_body_read(&arena, module, &module->function[number]);
  bool has = body->refused != NULL || find(&arena, body, wishes);
  lin_arena_release(&arena);
  return has;
}
