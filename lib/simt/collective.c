// A collective operation takes place when all live lanes that it names have come to one of its kind
// that names the same lanes, wherever in the program. Until then the group waits. What each lane
// brought is kept with the warp, since the lanes may come in several groups.
#include "races.h"

static uint32_t bit(unsigned lane) { return UINT32_C(1) << lane; }

// ---- results -----------------------------------------------------------------------------------

// The lane that `lane` reads; `*in_range` as PTX's predicate. The clamp operand has the bound in
// its low five bits and the segment mask from bit 8 on.
static unsigned shuffle_source(simt_collective kind, unsigned lane, uint64_t by, uint64_t clamp,
                               bool *in_range) {
  unsigned bound = (unsigned)clamp & 31, segment = (unsigned)(clamp >> 8) & 31;
  unsigned delta = (unsigned)by & 31, last = (lane & segment) | (bound & ~segment);
  unsigned source = lane;
  switch (kind) {
  case SIMT_SHUFFLE_UP:
    source = lane - delta;
    *in_range = (int)source >= (int)last;
    break;
  case SIMT_SHUFFLE_DOWN:
    source = lane + delta;
    *in_range = source <= last;
    break;
  case SIMT_SHUFFLE_BFLY:
    source = lane ^ delta;
    *in_range = source <= last;
    break;
  default:
    source = (lane & segment) | (delta & ~segment);
    *in_range = source <= last;
  }
  return *in_range ? source : lane;
}

static uint64_t reduce(simt_collective kind, uint64_t a, uint64_t b) {
  switch (kind) {
  case SIMT_REDUCE_ADD:
    return (a + b) & UINT32_MAX;
  case SIMT_REDUCE_UMIN:
    return a < b ? a : b;
  case SIMT_REDUCE_UMAX:
    return a > b ? a : b;
  case SIMT_REDUCE_SMIN:
    return (int32_t)a < (int32_t)b ? a : b;
  case SIMT_REDUCE_SMAX:
    return (int32_t)a > (int32_t)b ? a : b;
  case SIMT_REDUCE_AND:
    return a & b;
  case SIMT_REDUCE_OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static uint64_t reduce_all(const simt_warp *warp, simt_collective kind, uint32_t members) {
  unsigned first = simt_first_lane(members);
  uint64_t result = warp->offer[first].value;
  for (uint32_t left = members & (members - 1); left != 0; left &= left - 1)
    result = reduce(kind, result, warp->offer[simt_first_lane(left)].value);
  return result;
}

static uint32_t lanes_with(const simt_warp *warp, uint64_t value, uint32_t members) {
  uint32_t result = 0;
  for (uint32_t left = members; left != 0; left &= left - 1)
    if (warp->offer[simt_first_lane(left)].value == value)
      result |= bit(simt_first_lane(left));
  return result;
}

static uint32_t true_lanes(const simt_warp *warp, uint32_t members) {
  uint32_t result = 0;
  for (uint32_t left = members; left != 0; left &= left - 1)
    if (warp->offer[simt_first_lane(left)].value & 1)
      result |= bit(simt_first_lane(left));
  return result;
}

// `members`: lanes whose values take part. A source that doesn't gives the lane its own value.
static uint64_t result_of(const simt_warp *warp, const simt_group *group,
                          const simt_instruction *in, unsigned lane, uint32_t members,
                          bool *second) {
  simt_collective kind = (simt_collective)in->extra;
  const simt_lanes *r = (const simt_lanes *)group->frame->registers;
  uint64_t own = warp->offer[lane].value;
  switch (kind) {
  case SIMT_WARP_SYNC:
    return 0;
  case SIMT_VOTE_ANY:
    return true_lanes(warp, members) != 0;
  case SIMT_VOTE_ALL:
    return true_lanes(warp, members) == members;
  case SIMT_VOTE_UNI:
    return true_lanes(warp, members) == members || true_lanes(warp, members) == 0;
  case SIMT_VOTE_BALLOT:
    return true_lanes(warp, members);
  case SIMT_ELECT:
    *second = lane == simt_first_lane(members);
    return simt_first_lane(members);
  case SIMT_MATCH_ANY:
    return lanes_with(warp, own, members);
  case SIMT_MATCH_ALL:
    *second = lanes_with(warp, own, members) == members;
    return *second ? members : 0;
  case SIMT_SHUFFLE_IDX:
  case SIMT_SHUFFLE_UP:
  case SIMT_SHUFFLE_DOWN:
  case SIMT_SHUFFLE_BFLY: {
    unsigned source = shuffle_source(kind, lane, r[in->c][lane], r[in->offset][lane], second);
    return members & bit(source) ? warp->offer[source].value : own;
  }
  default:
    return reduce_all(warp, kind, members);
  }
}

static void give_results(simt_warp *warp, const simt_group *group, const simt_instruction *in) {
  if (in->extra == SIMT_WARP_SYNC)
    return;
  simt_lanes *r = group->frame->registers;
  uint64_t result[SIMT_LANES];
  bool second[SIMT_LANES] = {false};
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    uint32_t members = (uint32_t)warp->offer[lane].members & warp->live;
    result[lane] = result_of(warp, group, in, lane, members, &second[lane]);
  }
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    r[in->dst][lane] = result[lane];
    if (in->flags & SIMT_WITH_PREDICATE)
      r[in->dst + 1][lane] = second[lane];
  }
}

// ---- waiting -----------------------------------------------------------------------------------

static uint32_t waiting_lanes(const simt_warp *warp) {
  uint32_t waiting = 0;
  for (uint32_t i = 0; i < warp->num_groups; i++)
    if (warp->group[i].state == SIMT_AT_SYNC)
      waiting |= warp->group[i].mask;
  return waiting;
}

// All whom `lane` names have come, and name the same.
static bool is_complete(const simt_warp *warp, unsigned lane, uint32_t waiting) {
  const simt_offer *own = &warp->offer[lane];
  uint32_t members = (uint32_t)own->members & warp->live;
  if ((members & ~waiting) != 0)
    return false;
  for (uint32_t left = members; left != 0; left &= left - 1) {
    const simt_offer *other = &warp->offer[simt_first_lane(left)];
    if (other->kind != own->kind || other->members != own->members)
      return false;
  }
  return true;
}

static bool is_group_complete(const simt_warp *warp, const simt_group *group, uint32_t waiting) {
  for (uint32_t left = group->mask; left != 0; left &= left - 1)
    if (!is_complete(warp, simt_first_lane(left), waiting))
      return false;
  return true;
}

// Lanes of `mask` have met those that they name; who of them has ended counts as met.
static void order_lanes(simt_warp *warp, uint32_t mask) {
  simt_races *races = warp->worker->races;
  while (races != NULL && mask != 0) {
    uint32_t members = (uint32_t)warp->offer[simt_first_lane(mask)].members;
    simt_order_meet(&races->order, warp->number, members);
    mask &= ~members;
  }
}

void simt_collective_release(simt_warp *warp) {
  uint32_t waiting = waiting_lanes(warp), complete = 0, lanes = 0;
  if (waiting == 0)
    return;
  for (uint32_t i = 0; i < warp->num_groups; i++)
    if (warp->group[i].state == SIMT_AT_SYNC && is_group_complete(warp, &warp->group[i], waiting))
      complete |= UINT32_C(1) << i;
  for (uint32_t left = complete; left != 0; left &= left - 1) {
    simt_group *group = &warp->group[simt_first_lane(left)];
    give_results(warp, group, &group->frame->function->code[group->pc - 1]);
    lanes |= group->mask;
  }
  order_lanes(warp, lanes);
  for (uint32_t left = complete; left != 0; left &= left - 1)
    warp->group[simt_first_lane(left)].state = SIMT_READY;
}

void simt_collective_execute(simt_warp *warp, const simt_instruction *in) {
  simt_group *group = simt_current(warp);
  simt_lanes *r = group->frame->registers;
  bool is_sync = (in->flags & SIMT_IS_SYNC) != 0;
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    warp->offer[lane] = (simt_offer){.members = is_sync ? r[in->a][lane] : group->mask,
                                     .value = in->extra == SIMT_WARP_SYNC ? 0 : r[in->b][lane],
                                     .kind = in->extra};
    if ((warp->offer[lane].members >> lane & 1) == 0) {
      simt_fail(warp, lane, "its mask 0x%08x doesn't name the thread itself",
                (unsigned)warp->offer[lane].members);
      return;
    }
  }
  if (is_group_complete(warp, group, group->mask)) {
    give_results(warp, group, in);
    order_lanes(warp, is_sync ? group->mask : 0);
    return;
  }
  group->state = SIMT_AT_SYNC;
  simt_collective_release(warp);
}

// ---- the block's barriers ----------------------------------------------------------------------

static bool waits_at(const simt_group *group, uint32_t number) {
  return group->state == SIMT_AT_BARRIER && group->barrier == number;
}

static void leave_barrier(simt_worker *worker, uint32_t number) {
  for (uint32_t i = 0; i < worker->machine->num_warps; i++)
    for (uint32_t j = 0; j < worker->warp[i].num_groups; j++)
      if (waits_at(&worker->warp[i].group[j], number))
        simt_order_leave(&worker->races->order, i, worker->warp[i].group[j].mask, number);
  simt_order_reset(&worker->races->order, number);
}

// Threads that have ended count as come, as in model volta.
static void order_threads(simt_worker *worker, uint32_t number) {
  uint32_t here = worker->ended;
  for (uint32_t i = 0; i < worker->machine->num_warps; i++)
    for (uint32_t j = 0; j < worker->warp[i].num_groups; j++)
      if (waits_at(&worker->warp[i].group[j], number))
        here += simt_count_lanes(worker->warp[i].group[j].mask);
  if (here == worker->machine->num_threads)
    simt_order_meet_all(&worker->races->order, number);
  else
    leave_barrier(worker, number);
}

static void give_barrier_results(simt_worker *worker, uint32_t number, uint64_t result) {
  for (uint32_t i = 0; i < worker->machine->num_warps; i++) {
    simt_warp *warp = &worker->warp[i];
    for (uint32_t j = 0; j < warp->num_groups; j++) {
      simt_group *group = &warp->group[j];
      if (!waits_at(group, number))
        continue;
      group->state = SIMT_READY;
      const simt_instruction *in = &group->frame->function->code[group->pc - 1];
      if (in->extra < SIMT_BARRIER_POPC)
        continue;
      for (uint32_t left = group->mask; left != 0; left &= left - 1)
        group->frame->registers[in->dst][simt_first_lane(left)] = result;
    }
  }
}

static void complete_barrier(simt_worker *worker, uint32_t number) {
  simt_barrier_state *barrier = &worker->barrier[number];
  uint64_t result = barrier->kind == SIMT_BARRIER_POPC  ? barrier->count
                    : barrier->kind == SIMT_BARRIER_AND ? barrier->count == barrier->arrived
                                                        : barrier->count != 0;
  *barrier = (simt_barrier_state){0};
  if (worker->races != NULL)
    order_threads(worker, number);
  give_barrier_results(worker, number, result);
}

// Only model volta waits for fewer threads when some have ended.
void simt_barrier_release(simt_worker *worker) {
  const simt_machine *machine = worker->machine;
  uint32_t ended = machine->launch.model == SIMT_VOLTA ? worker->ended : 0;
  for (uint32_t i = 0; i < SIMT_NUM_BARRIERS; i++) {
    const simt_barrier_state *barrier = &worker->barrier[i];
    uint32_t expected = barrier->expected != 0 ? barrier->expected : machine->num_threads - ended;
    if (barrier->arrived > 0 && barrier->arrived >= expected)
      complete_barrier(worker, i);
  }
}

void simt_barrier_execute(simt_warp *warp, const simt_instruction *in) {
  simt_group *group = simt_current(warp);
  simt_lanes *r = group->frame->registers;
  unsigned first = simt_first_lane(group->mask);
  uint64_t number = r[in->a][first];
  if (number >= SIMT_NUM_BARRIERS) {
    simt_fail(warp, first, "barrier %llu: there are 16", (unsigned long long)number);
    return;
  }
  simt_barrier_state *barrier = &warp->worker->barrier[number];
  barrier->arrived += simt_count_lanes(group->mask);
  barrier->kind = (simt_barrier)in->extra;
  barrier->expected = in->count ? (uint32_t)r[in->b][first] : 0;
  for (uint32_t left = group->mask; left != 0; left &= left - 1)
    barrier->count += r[in->c][simt_first_lane(left)] != 0;
  if (warp->worker->races != NULL)
    simt_order_arrive(&warp->worker->races->order, warp->number, group->mask, (uint32_t)number);
  if (in->extra == SIMT_BARRIER_ARRIVE)
    return;
  group->state = SIMT_AT_BARRIER;
  group->barrier = (uint32_t)number;
}
