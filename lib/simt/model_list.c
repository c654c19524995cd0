// Models frontier, none and volta: groups are a list, and each has its own pc.
//
// frontier: after every block, the group that stands at the lowest block in reverse post-order
//   runs, together with all that stand at the same place. A group in a called function stands where
//   its caller does.
// none: groups never become one again. They take turns.
// volta: they take turns, and wait for each other at joins (joins.c); but when no other group can
//   run, or one polls memory again and again (YIELD), the lanes that wait at a join go on without
//   the others.
#include "groups.h"

enum {
  TURN = 1024, // blocks
  POLLS = 128, // reads of what others may change, after which a turn ends
};

static void remove_empty(simt_warp *warp) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < warp->num_groups; i++) {
    if (warp->group[i].mask == 0)
      continue;
    if (i == warp->current)
      warp->current = kept;
    warp->group[kept++] = warp->group[i];
  }
  warp->num_groups = kept;
  if (warp->current >= kept)
    warp->current = 0;
}

// ---- branches ----------------------------------------------------------------------------------

static bool is_volta(const simt_warp *warp) { return warp->machine->launch.model == SIMT_VOLTA; }

static void move_to(simt_warp *warp, simt_group *group, lin_block block) {
  group->pc = simt_start_of(group->frame, block);
  if (is_volta(warp) && warp->num_joins > 0)
    simt_joins_enter(warp, group, block);
}

void simt_list_branch(simt_warp *warp, lin_block from, const simt_target *target, unsigned count) {
  if (is_volta(warp))
    simt_joins_set_up(warp, from);
  simt_frame *frame = simt_current(warp)->frame;
  for (unsigned i = 1; i < count; i++) {
    simt_groups_add(warp, (simt_group){.mask = target[i].mask, .frame = frame});
    move_to(warp, &warp->group[warp->num_groups - 1], target[i].block);
  }
  simt_current(warp)->mask = target[0].mask;
  move_to(warp, simt_current(warp), target[0].block);
  if (warp->num_joins > 0) {
    simt_joins_release_complete(warp);
    remove_empty(warp);
  }
}

void simt_list_return(simt_warp *warp, simt_frame *parent) {
  simt_group *group = simt_current(warp);
  simt_joins_leave(warp, group->frame, group->mask);
  group->pc = group->frame->call->next_pc;
  group->frame = parent;
  simt_joins_release_complete(warp);
  remove_empty(warp);
}

void simt_list_end(simt_warp *warp, uint32_t mask) {
  simt_joins_leave(warp, NULL, mask);
  simt_joins_release_complete(warp);
  remove_empty(warp);
}

// ---- turns -------------------------------------------------------------------------------------

// Negative if `a` stands before `b`: at the outermost frame in which they differ; a group that is
// still in a function before one that has returned from it.
static int compare_places(const simt_group *a, const simt_group *b) {
  const simt_frame *fa = a->frame, *fb = b->frame;
  uint32_t pa = a->pc, pb = b->pc;
  int deeper = fa->depth > fb->depth ? -1 : fa->depth < fb->depth ? 1 : 0;
  while (fa->depth > fb->depth) {
    pa = fa->call->next_pc;
    fa = fa->parent;
  }
  while (fb->depth > fa->depth) {
    pb = fb->call->next_pc;
    fb = fb->parent;
  }
  while (fa != fb) {
    pa = fa->call->next_pc;
    pb = fb->call->next_pc;
    fa = fa->parent;
    fb = fb->parent;
  }
  return pa != pb ? (pa < pb ? -1 : 1) : deeper;
}

static bool next_of_frontier(simt_warp *warp) {
  uint32_t best = LIN_NONE;
  for (uint32_t i = 0; i < warp->num_groups; i++)
    if (warp->group[i].state == SIMT_READY &&
        (best == LIN_NONE || compare_places(&warp->group[i], &warp->group[best]) < 0))
      best = i;
  if (best == LIN_NONE)
    return false;
  simt_group *first = &warp->group[best];
  for (uint32_t i = 0; i < warp->num_groups; i++) {
    simt_group *group = &warp->group[i];
    if (i == best || group->state != SIMT_READY || group->frame != first->frame ||
        group->pc != first->pc)
      continue;
    first->mask |= group->mask;
    group->mask = 0;
  }
  warp->current = best;
  remove_empty(warp);
  return true;
}

static bool rotate(simt_warp *warp) {
  for (uint32_t i = 1; i <= warp->num_groups; i++) {
    uint32_t index = (warp->current + i) % warp->num_groups;
    if (warp->group[index].state == SIMT_READY) {
      warp->current = index;
      warp->slice = TURN;
      warp->polls = 0;
      return true;
    }
  }
  return false;
}

static bool next_in_turn(simt_warp *warp) {
  if (warp->num_groups == 0)
    return false;
  const simt_group *group = simt_current(warp);
  bool is_ready = group->state == SIMT_READY, polls = warp->polls >= POLLS;
  if (is_ready && warp->slice > 0 && !polls) {
    warp->slice--;
    return true;
  }
  if (is_volta(warp) && is_ready && polls) {
    simt_joins_release_all(warp, group->mask);
    remove_empty(warp);
  }
  while (!rotate(warp)) {
    if (!is_volta(warp) || !simt_joins_release_oldest(warp))
      return false;
    remove_empty(warp);
  }
  return true;
}

bool simt_list_next(simt_warp *warp) {
  return warp->machine->launch.model == SIMT_FRONTIER ? next_of_frontier(warp) : next_in_turn(warp);
}
