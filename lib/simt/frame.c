// Frames that were left are kept for the next call of the same function: their constants are set.
#include "machine.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST_CALL = 4096 };

static void *allocate(void *old, size_t size) {
  void *bytes = realloc(old, size);
  if (bytes == NULL)
    abort();
  return bytes;
}

static simt_frame *make_frame(simt_warp *warp, uint32_t number) {
  const simt_function *function = &warp->machine->program->function[number];
  simt_frame *frame = LIN_NEW(&warp->worker->arena, simt_frame);
  frame->function = function;
  frame->number = number;
  frame->registers = LIN_ARRAY(&warp->worker->arena, simt_lanes, function->num_registers + 1);
  frame->passes = LIN_ARRAY(&warp->worker->arena, simt_pass, function->loops->num_loops);
  for (uint32_t i = 0; i < function->num_constants; i++)
    for (unsigned lane = 0; lane < SIMT_LANES; lane++)
      frame->registers[function->constant[i].to][lane] = function->constant[i].value;
  return frame;
}

static void reserve_local(simt_warp *warp, uint32_t base, uint32_t size) {
  if (size == 0)
    return;
  if (base + size > warp->local_capacity) {
    warp->local_capacity = 2 * (base + size);
    for (unsigned lane = 0; lane < SIMT_LANES; lane++) {
      warp->local[lane] = allocate(warp->local[lane], warp->local_capacity);
      warp->local_written[lane] = allocate(warp->local_written[lane], warp->local_capacity);
    }
  }
}

// Local memory of a new frame is unwritten, and so 0, whoever used it before.
static void clear_local(simt_warp *warp, const simt_frame *frame, uint32_t mask) {
  uint32_t size = frame->function->local_size;
  for (uint32_t left = mask; left != 0 && size > 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    memset(warp->local[lane] + frame->local_base, 0, size);
    memset(warp->local_written[lane] + frame->local_base, 0, size);
  }
}

simt_frame *simt_frame_new(simt_warp *warp, uint32_t number, simt_frame *parent, uint32_t mask) {
  simt_frame *frame = warp->free_frame[number];
  if (frame != NULL)
    warp->free_frame[number] = frame->parent;
  else
    frame = make_frame(warp, number);
  frame->parent = parent;
  frame->call = NULL;
  frame->live = mask;
  frame->depth = parent == NULL ? 0 : parent->depth + 1;
  frame->local_base = parent == NULL ? warp->machine->by_value_end
                                     : parent->local_base + parent->function->local_size;
  reserve_local(warp, frame->local_base, frame->function->local_size);
  clear_local(warp, frame, mask);
  return frame;
}

void simt_frame_leave(simt_warp *warp, simt_frame *frame, uint32_t mask) {
  frame->live &= ~mask;
  if (frame->live != 0)
    return;
  frame->parent = warp->free_frame[frame->number];
  warp->free_frame[frame->number] = frame;
}

static void copy_lanes(uint64_t *to, const uint64_t *from, uint32_t mask) {
  for (uint32_t left = mask; left != 0; left &= left - 1)
    to[simt_first_lane(left)] = from[simt_first_lane(left)];
}

void simt_frame_call(simt_warp *warp, const simt_call *call) {
  simt_group *group = simt_current(warp);
  simt_frame *caller = group->frame;
  uint32_t mask = group->mask;
  if (caller->depth == DEEPEST_CALL) {
    simt_fail(warp, simt_first_lane(mask), "calls nest deeper than %d", DEEPEST_CALL);
    return;
  }
  simt_frame *frame = simt_frame_new(warp, call->callee, caller, mask);
  frame->call = call;
  simt_passes_begin(frame->passes, caller->function, (const simt_pass *)caller->passes,
                    simt_block_of(caller->function, call->next_pc - 1), call->next_pc, mask);
  for (uint32_t i = 0; i < call->num_arguments; i++)
    copy_lanes(frame->registers[frame->function->first_parameter + i],
               caller->registers[call->argument[i]], mask);
  simt_model_call(warp, frame);
}

simt_frame *simt_frame_return(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  simt_frame *frame = group->frame, *parent = frame->parent;
  if (parent == NULL)
    return NULL;
  for (uint32_t i = 0; i < in->extra; i++)
    copy_lanes(parent->registers[frame->call->result + i],
               frame->registers[frame->function->operand[in->b + i]], group->mask);
  return parent;
}
