// Model volta: where lanes that parted wait for each other (reconverge.h).
//
// A join is a meeting that lanes have set up: who of them comes there waits until all have come,
// have left to where the meeting can't be reached, or have returned. Nobody waits for ever:
// model_list.c lets them go.
#include "groups.h"

#include <string.h>

static uint32_t waiting_at(const simt_warp *warp, const simt_join *join) {
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < warp->num_groups; i++) {
    const simt_group *group = &warp->group[i];
    if (group->state == SIMT_AT_JOIN && group->frame == join->frame &&
        group->pc == simt_start_of(join->frame, join->meeting.at) &&
        (group->mask & join->lanes) != 0)
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

void simt_joins_release_complete(simt_warp *warp) {
  for (uint32_t i = warp->num_joins; i-- > 0;) {
    if (warp->join[i].lanes == 0)
      remove_join(warp, i);
    else if ((warp->join[i].lanes & ~waiting_at(warp, &warp->join[i])) == 0)
      release(warp, i);
  }
}

bool simt_joins_release_oldest(simt_warp *warp) {
  const simt_group *oldest = NULL;
  for (uint32_t i = 0; i < warp->num_groups; i++)
    if (warp->group[i].state == SIMT_AT_JOIN &&
        (oldest == NULL || warp->group[i].since < oldest->since))
      oldest = &warp->group[i];
  for (uint32_t i = warp->num_joins; oldest != NULL && i-- > 0;)
    if ((waiting_at(warp, &warp->join[i]) & oldest->mask) != 0) {
      release(warp, i);
      return true;
    }
  return false;
}

void simt_joins_release_all(simt_warp *warp, uint32_t mask) {
  for (uint32_t i = warp->num_joins; i-- > 0;)
    if ((warp->join[i].lanes & mask) != 0)
      release(warp, i);
}

void simt_joins_leave(simt_warp *warp, const simt_frame *frame, uint32_t mask) {
  for (uint32_t i = 0; i < warp->num_joins; i++)
    if (frame == NULL || warp->join[i].frame == frame)
      warp->join[i].lanes &= ~mask;
}

static simt_join *find_join(simt_warp *warp, const simt_frame *frame, lin_block at, uint32_t mask) {
  for (uint32_t i = 0; i < warp->num_joins; i++)
    if (warp->join[i].frame == frame && warp->join[i].meeting.at == at &&
        (warp->join[i].lanes & mask) != 0)
      return &warp->join[i];
  return NULL;
}

void simt_joins_set_up(simt_warp *warp, lin_block block) {
  const simt_group *group = simt_current(warp);
  const simt_reconvergence *r = group->frame->function->reconvergence;
  for (uint32_t i = r->first_meeting[block]; i < r->first_meeting[block + 1]; i++) {
    simt_join *join = find_join(warp, group->frame, r->meeting[i].at, group->mask);
    if (join != NULL) { // a loop sets it up again and again
      join->lanes |= group->mask;
      continue;
    }
    warp->join = LIN_ROOM(&warp->worker->arena, warp->join, warp->num_joins, &warp->capacity_joins);
    warp->join[warp->num_joins++] = (simt_join){group->frame, r->meeting[i], group->mask};
  }
}

void simt_joins_enter(simt_warp *warp, simt_group *group, lin_block block) {
  for (uint32_t i = 0; i < warp->num_joins; i++) {
    simt_join *join = &warp->join[i];
    const uint32_t *inside = join->meeting.inside;
    if (join->frame == group->frame && inside != NULL &&
        (inside[block / 32] >> block % 32 & 1) == 0)
      join->lanes &= ~group->mask;
  }
  if (find_join(warp, group->frame, block, group->mask) == NULL)
    return;
  group->state = SIMT_AT_JOIN;
  group->since = warp->waits++;
}
