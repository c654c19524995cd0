// Model ipdom: groups are a stack, and only the one on top runs. Where it parts, it waits at the
// branch's reconvergence point below its parts, the first successor's on top.
//
//     (pc, lanes, reconverge)
//     (branch, 1111, w)   ==>   (r, 1111, w)
//                               (y, 0011, r)
//                               (x, 1100, r)   runs first; gone when it comes to r
//
// A part that would begin at r isn't pushed. A group that would wait where it is going to be
// dropped is dropped at once, so that a loop doesn't grow the stack with every iteration.
// Reconvergence points nest: the one of a group on the stack post-dominates all that groups above
// it in its frame run.
#include "groups.h"

static simt_group *top(simt_warp *warp) { return &warp->group[warp->num_groups - 1]; }

static void pop_empty(simt_warp *warp) {
  while (warp->num_groups > 0 && top(warp)->mask == 0)
    warp->num_groups--;
}

// A branch that reconverges nowhere: its lanes return one by one, or never come back.
static void split(simt_warp *warp, lin_block from, const simt_target *target, unsigned count) {
  simt_group *group = top(warp);
  simt_frame *frame = group->frame;
  lin_block reconverge = frame->function->reconvergence->postdominator[from];
  if (reconverge == LIN_NONE || reconverge == group->reconverge)
    warp->num_groups--;
  else
    group->pc = simt_start_of(frame, reconverge);
  for (unsigned i = count; i-- > 0;)
    if (target[i].block != reconverge)
      simt_groups_add(warp, (simt_group){.mask = target[i].mask,
                                         .frame = frame,
                                         .pc = simt_start_of(frame, target[i].block),
                                         .reconverge = reconverge});
}

static void stack_branch(simt_warp *warp, lin_block from, const simt_target *target,
                         unsigned count) {
  if (count > 1)
    split(warp, from, target, count);
  else if (target[0].block == top(warp)->reconverge)
    warp->num_groups--;
  else
    top(warp)->pc = simt_start_of(top(warp)->frame, target[0].block);
}

static void stack_return(simt_warp *warp) {
  const simt_frame *frame = top(warp)->frame;
  uint32_t mask = top(warp)->mask;
  for (uint32_t i = warp->num_groups; i > 0 && warp->group[i - 1].frame == frame; i--)
    warp->group[i - 1].mask &= ~mask;
}

static bool stack_next(simt_warp *warp) {
  pop_empty(warp);
  if (warp->num_groups == 0)
    return false;
  warp->current = warp->num_groups - 1;
  return simt_current(warp)->state == SIMT_READY;
}

// ---- every model -------------------------------------------------------------------------------

void simt_model_begin(simt_warp *warp, simt_frame *frame, uint32_t mask) {
  warp->num_groups = warp->num_joins = 0;
  warp->current = warp->slice = warp->polls = 0;
  simt_groups_add(warp, (simt_group){.mask = mask, .frame = frame, .reconverge = LIN_NONE});
}

void simt_model_branch(simt_warp *warp, lin_block from, const simt_target *target, unsigned count) {
  if (warp->machine->launch.model == SIMT_IPDOM)
    stack_branch(warp, from, target, count);
  else
    simt_list_branch(warp, from, target, count);
}

void simt_model_call(simt_warp *warp, simt_frame *frame) {
  simt_group *group = simt_current(warp);
  if (warp->machine->launch.model == SIMT_IPDOM) {
    simt_groups_add(warp,
                    (simt_group){.mask = group->mask, .frame = frame, .reconverge = LIN_NONE});
    return;
  }
  group->frame = frame;
  group->pc = 0;
}

void simt_model_return(simt_warp *warp, simt_frame *parent) {
  if (warp->machine->launch.model == SIMT_IPDOM)
    stack_return(warp);
  else
    simt_list_return(warp, parent);
}

void simt_model_end(simt_warp *warp, uint32_t mask) {
  for (uint32_t i = 0; i < warp->num_groups; i++)
    warp->group[i].mask &= ~mask;
  if (warp->machine->launch.model != SIMT_IPDOM)
    simt_list_end(warp, mask);
}

bool simt_model_next(simt_warp *warp) {
  return warp->machine->launch.model == SIMT_IPDOM ? stack_next(warp) : simt_list_next(warp);
}
