// Models frontier, none and volta: groups are a list, and each has its own pc.
//
// frontier: after every block, the group that stands at the lowest block in reverse post-order
// runs,
//   together with all that stand at the same place. A group in a called function stands where its
//   caller does.
// none: groups never become one again. They take turns.
// volta: a branch that parts its lanes sets up a join, its reconvergence point with the lanes that
//   will wait for each other there (BSSY, BSYNC). They take turns. Nobody waits for ever: when no
//   other group can run, or one polls memory for a whole turn (YIELD), the lanes that wait at a
//   join go on without the others.
#include "groups.h"

#include <string.h>

enum { TURN = 1024 }; // blocks

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

// ---- joins -------------------------------------------------------------------------------------

static uint32_t waiting_at(const simt_warp *warp, const simt_join *join) {
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < warp->num_groups; i++) {
    const simt_group *group = &warp->group[i];
    if (group->state == SIMT_AT_JOIN && group->frame == join->frame &&
        group->pc == simt_start_of(join->frame, join->at) && (group->mask & join->lanes) != 0)
      waiting |= group->mask;
  }
  return waiting;
}

static void remove_join(simt_warp *warp, uint32_t index) {
  warp->num_joins--;
  memmove(&warp->join[index], &warp->join[index + 1],
          (warp->num_joins - index) * sizeof *warp->join);
}

// Who waits at the join goes on as one group; the others won't find them there any more.
static void release(simt_warp *warp, uint32_t index) {
  simt_join *join = &warp->join[index];
  uint32_t waiting = waiting_at(warp, join);
  simt_group *first = NULL;
  for (uint32_t i = 0; i < warp->num_groups; i++) {
    simt_group *group = &warp->group[i];
    if (group->state != SIMT_AT_JOIN || (group->mask & waiting) == 0)
      continue;
    if (first == NULL) {
      first = group;
      first->state = SIMT_READY;
      first->mask = waiting;
    } else {
      group->mask = 0;
    }
  }
  join->lanes &= ~waiting;
  if (join->lanes == 0)
    remove_join(warp, index);
}

static void release_complete(simt_warp *warp) {
  for (uint32_t i = warp->num_joins; i-- > 0;) {
    if (warp->join[i].lanes == 0)
      remove_join(warp, i);
    else if ((warp->join[i].lanes & ~waiting_at(warp, &warp->join[i])) == 0)
      release(warp, i);
  }
}

// The newest join at which somebody waits for lanes of `mask`.
static bool release_newest(simt_warp *warp, uint32_t mask) {
  for (uint32_t i = warp->num_joins; i-- > 0;)
    if ((warp->join[i].lanes & mask) != 0 && waiting_at(warp, &warp->join[i]) != 0) {
      release(warp, i);
      return true;
    }
  return false;
}

static bool has_join(const simt_warp *warp, const simt_frame *frame, lin_block at, uint32_t mask) {
  for (uint32_t i = 0; i < warp->num_joins; i++)
    if (warp->join[i].frame == frame && warp->join[i].at == at && (warp->join[i].lanes & mask) != 0)
      return true;
  return false;
}

// A loop whose exit branches part its lanes again and again has one join.
static void add_join(simt_warp *warp, simt_frame *frame, lin_block at, uint32_t mask) {
  for (uint32_t i = 0; i < warp->num_joins; i++) {
    simt_join *join = &warp->join[i];
    if (join->frame == frame && join->at == at && (join->lanes & mask) != 0) {
      join->lanes |= mask;
      return;
    }
  }
  warp->join = LIN_ROOM(warp->machine->arena, warp->join, warp->num_joins, &warp->capacity_joins);
  warp->join[warp->num_joins++] = (simt_join){frame, at, mask};
}

// ---- branches ----------------------------------------------------------------------------------

static void move_to(simt_warp *warp, simt_group *group, lin_block block) {
  group->pc = simt_start_of(group->frame, block);
  if (warp->machine->launch.model == SIMT_VOLTA && has_join(warp, group->frame, block, group->mask))
    group->state = SIMT_AT_JOIN;
}

void simt_list_branch(simt_warp *warp, lin_block from, const simt_target *target, unsigned count) {
  simt_frame *frame = simt_current(warp)->frame;
  lin_block reconverge = frame->function->reconverge[from];
  bool volta = warp->machine->launch.model == SIMT_VOLTA;
  if (volta && count > 1 && reconverge != LIN_NONE)
    add_join(warp, frame, reconverge, simt_current(warp)->mask);
  for (unsigned i = 1; i < count; i++) {
    simt_groups_add(warp, (simt_group){.mask = target[i].mask, .frame = frame});
    move_to(warp, &warp->group[warp->num_groups - 1], target[i].block);
  }
  simt_current(warp)->mask = target[0].mask;
  move_to(warp, simt_current(warp), target[0].block);
  if (volta) {
    release_complete(warp);
    remove_empty(warp);
  }
}

void simt_list_return(simt_warp *warp, simt_frame *parent) {
  simt_group *group = simt_current(warp);
  for (uint32_t i = 0; i < warp->num_joins; i++)
    if (warp->join[i].frame == group->frame)
      warp->join[i].lanes &= ~group->mask;
  group->pc = group->frame->call->next_pc;
  group->frame = parent;
  release_complete(warp);
  remove_empty(warp);
}

void simt_list_end(simt_warp *warp, uint32_t mask) {
  for (uint32_t i = 0; i < warp->num_joins; i++)
    warp->join[i].lanes &= ~mask;
  release_complete(warp);
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
  if (group->state == SIMT_READY && warp->slice > 0) {
    warp->slice--;
    return true;
  }
  bool volta = warp->machine->launch.model == SIMT_VOLTA;
  if (volta && group->state == SIMT_READY && warp->polls >= TURN / 8 &&
      release_newest(warp, group->mask))
    remove_empty(warp);
  while (!rotate(warp)) {
    if (!volta || !release_newest(warp, SIMT_ALL_LANES))
      return false;
    remove_empty(warp);
  }
  return true;
}

bool simt_list_next(simt_warp *warp) {
  return warp->machine->launch.model == SIMT_FRONTIER ? next_of_frontier(warp) : next_in_turn(warp);
}
