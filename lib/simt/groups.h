// The list of a warp's groups, for the reconvergence models.
#ifndef LIN_SIMT_GROUPS_H
#define LIN_SIMT_GROUPS_H

#include "machine.h"

static inline void simt_groups_add(simt_warp *warp, simt_group group) {
  warp->group =
      LIN_ROOM(&warp->worker->arena, warp->group, warp->num_groups, &warp->capacity_groups);
  warp->group[warp->num_groups++] = group;
}

static inline uint32_t simt_start_of(const simt_frame *frame, lin_block block) {
  return frame->function->first_code[block];
}

// Joins (joins.c). The current group leaves `block`, which may set some up.
void simt_joins_set_up(simt_warp *warp, lin_block block);
// `group` enters `block`: it leaves the joins that can't be reached from there, or may have to
// wait.
void simt_joins_enter(simt_warp *warp, simt_group *group, lin_block block);
// Lanes have returned from `frame`; or ended, if it is NULL.
void simt_joins_leave(simt_warp *warp, const simt_frame *frame, uint32_t mask);
// Lets go who waits for nobody any more.
void simt_joins_release_complete(simt_warp *warp);
// Lets go who waits where somebody has waited longest. False if nobody waits.
bool simt_joins_release_oldest(simt_warp *warp);
// Lets go all that wait for lanes of `mask`.
void simt_joins_release_all(simt_warp *warp, uint32_t mask);

// The models that keep groups in a list (model_list.c): frontier, none, volta.
void simt_list_branch(simt_warp *warp, lin_block from, const simt_target *target, unsigned count);
void simt_list_return(simt_warp *warp, simt_frame *parent);
void simt_list_end(simt_warp *warp, uint32_t mask);
bool simt_list_next(simt_warp *warp);

#endif
