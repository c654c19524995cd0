#include "prospects.h"

#include "alike.h"
#include "divergence.h"

#include "driver/driver.h"
#include "meld/gain.h"

static bool may_part(const lin_graph *graph) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if (lin_out_degree(graph, block) > 1 && (graph->flags[block] & LIN_UNIFORM) == 0)
      return true;
  return false;
}

// What has to be gained by melding; 0: nothing is melded.
static double least_meld(const lin_ptx_wishes *wishes, bool is_kernel) {
  if (wishes->melds)
    return LIN_MELD_LEAST_GAIN;
  return wishes->mode[LIN_MODE_NEEDED] && !wishes->no_meld && is_kernel ? LIN_MELD_SURE_GAIN : 0;
}

static bool find(lin_arena *arena, const lin_ptx_body *body, const lin_ptx_wishes *wishes,
                 double least) {
  lin_ptx_function *f = lin_ptx_read(arena, body);
  const lin_shape shape = lin_shape_build(arena, f->graph);
  bool has_shape = wishes->parting, wants_all_edges = false;
  for (lin_mode mode = 0; mode < LIN_NO_MODE; mode++) {
    bool has = wishes->mode[mode] && lin_driver_has_work(&shape, lin_modes[mode].basis);
    has_shape |= has;
    wants_all_edges |= has && lin_modes[mode].all_edges;
  }
  if (wants_all_edges || (!has_shape && least == 0))
    return wants_all_edges;
  lin_ptx_find_uniform(f);
  return (has_shape && may_part(f->graph)) || (least > 0 && lin_ptx_may_be_alike(f, least));
}

bool lin_ptx_has_prospects(const lin_ptx_module *module, uint32_t number,
                           const lin_ptx_wishes *wishes) {
  if (wishes->anything)
    return true;
  lin_arena arena = {0};
  const double least = least_meld(wishes, module->function[number].is_kernel);
  const lin_ptx_body *body = lin_ptx_body_read(&arena, module, &module->function[number]);
  bool has = body->refused != NULL || find(&arena, body, wishes, least);
  lin_arena_release(&arena);
  return has;
}
