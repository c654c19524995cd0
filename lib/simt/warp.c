// The current group runs block by block; the reconvergence model is asked where blocks end.
#include "csv.h"
#include "machine.h"

#include <inttypes.h>

// Copies of one edge happen at once: what one of them writes, another may read.
static void copy_all(simt_warp *warp, simt_lanes *registers, const simt_copy *copy, uint32_t count,
                     uint32_t mask, bool overlap) {
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    if (!overlap) {
      for (uint32_t i = 0; i < count; i++)
        registers[copy[i].to][lane] = registers[copy[i].from][lane];
      continue;
    }
    for (uint32_t i = 0; i < count; i++)
      warp->copies[i] = registers[copy[i].from][lane];
    for (uint32_t i = 0; i < count; i++)
      registers[copy[i].to][lane] = warp->copies[i];
  }
}

// The lanes of `mask` take `edge`: they join those that go to the same block by another one.
static unsigned take_edge(simt_warp *warp, lin_edge edge, uint32_t mask, simt_target *target,
                          unsigned count) {
  if (mask == 0)
    return count;
  simt_frame *frame = simt_current(warp)->frame;
  const simt_function *f = frame->function;
  uint32_t first = f->first_copy[edge];
  copy_all(warp, frame->registers, f->copy + first, f->first_copy[edge + 1] - first, mask,
           f->copies_overlap[edge]);
  simt_passes_take(frame->passes, f, edge, mask);
  lin_block to = f->graph->destination[edge];
  for (unsigned i = 0; i < count; i++)
    if (target[i].block == to) {
      target[i].mask |= mask;
      return count;
    }
  target[count] = (simt_target){to, mask};
  return count + 1;
}

static uint32_t true_lanes(const uint64_t *condition, uint32_t mask) {
  uint32_t result = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1)
    result |= (uint32_t)(condition[simt_first_lane(left)] & 1) << simt_first_lane(left);
  return result;
}

static uint32_t lanes_with(const uint64_t *value, uint64_t wanted, uint32_t mask) {
  uint32_t result = 0;
  for (uint32_t left = mask; left != 0; left &= left - 1)
    if (value[simt_first_lane(left)] == wanted)
      result |= UINT32_C(1) << simt_first_lane(left);
  return result;
}

static unsigned take_switch(simt_warp *warp, const simt_instruction *in, lin_edge first,
                            uint32_t num_edges, simt_target *target) {
  const simt_frame *frame = simt_current(warp)->frame;
  const uint64_t *value = frame->registers[in->a];
  uint32_t left = simt_current(warp)->mask, taken[SIMT_LANES];
  lin_edge edge[SIMT_LANES];
  unsigned num_taken = 0, count = 0;
  for (uint32_t i = 1; i < num_edges && left != 0; i++) {
    uint32_t lanes = lanes_with(value, frame->function->case_value[in->b + i - 1], left);
    if (lanes == 0)
      continue;
    edge[num_taken] = first + i;
    taken[num_taken++] = lanes;
    left &= ~lanes;
  }
  count = take_edge(warp, first, left, target, count);
  for (unsigned i = 0; i < num_taken; i++)
    count = take_edge(warp, edge[i], taken[i], target, count);
  return count;
}

// On a reconvergence stack, each place where groups will meet stands for a branch that has parted
// them, and those of one place stand together.
static void count_nesting(simt_warp *warp) {
  uint64_t nested = 0;
  for (uint32_t i = 0; i < warp->num_groups && warp->machine->launch.model == SIMT_IPDOM; i++) {
    const simt_group *group = &warp->group[i], *below = i > 0 ? group - 1 : NULL;
    nested +=
        group->reconverge != LIN_NONE &&
        (below == NULL || below->reconverge != group->reconverge || below->frame != group->frame);
  }
  if (nested > warp->counts->nested)
    warp->counts->nested = nested;
}

// Of a block that was split, the first part.
static void write_lanes(const simt_warp *warp, uint32_t number, lin_block block, uint32_t mask) {
  FILE *file = warp->machine->launch.lanes;
  const simt_function *f = &warp->machine->program->function[number];
  if (f->is_rest[block])
    return;
  fprintf(file, "%08" PRIx32 ",", mask);
  simt_csv_field(file, f->name);
  fputc(',', file);
  simt_csv_field(file, f->graph->name[f->original[block]]);
  fputc('\n', file);
}

static void count_pass(simt_warp *warp, uint32_t number, lin_block block, uint32_t mask) {
  simt_metrics_enter(warp->worker->metrics, number, block, mask);
  if (warp->worker->warps != NULL)
    simt_vectors_enter_warp(warp->worker->warps, number, block, warp->number);
  const simt_launch *launch = &warp->machine->launch;
  if (launch->lanes != NULL && warp->worker->first_warp + warp->number == launch->lanes_of)
    write_lanes(warp, number, block, mask);
}

static void count_entry(simt_warp *warp, lin_block block) {
  const simt_group *group = simt_current(warp);
  simt_metrics *metrics = warp->worker->metrics;
  uint32_t number = group->frame->number;
  warp->instructions += metrics->size[number][block];
  if (warp->worker->vectors != NULL)
    simt_vectors_enter(warp->worker->vectors, number, block, warp->number * SIMT_LANES,
                       group->mask);
  if (metrics->predicated_by[number][block] != LIN_NONE)
    return; // its branch has counted it
  count_pass(warp, number, block, group->mask);
  warp->counts->reentries += simt_passes_enter(&warp->seen, (const simt_pass *)group->frame->passes,
                                               group->frame->function, number, block, group->mask,
                                               group->mask == warp->live);
  if (warp->num_groups > warp->counts->deepest)
    warp->counts->deepest = warp->num_groups;
  if (warp->num_groups > warp->counts->nested + 1)
    count_nesting(warp);
}

static void enter_block(simt_warp *warp, lin_block block) {
  simt_group *group = simt_current(warp);
  count_entry(warp, block);
  if (warp->instructions > warp->machine->launch.limit) {
    group->pc++; // the fault is this block's
    simt_fail(warp, simt_first_lane(group->mask), "no progress: the warp has run %llu instructions",
              (unsigned long long)warp->instructions);
  }
}

// Where arms are predicated there is no branch: all lanes go through them.
static void count_branch(simt_warp *warp, lin_block block, bool is_divergent) {
  simt_metrics *metrics = warp->worker->metrics;
  const simt_group *group = &warp->group[warp->current];
  uint32_t number = group->frame->number;
  const lin_graph *graph = group->frame->function->graph;
  bool predicated = false;
  for (LIN_OUT_EDGES(graph, block, edge)) {
    lin_block arm = graph->destination[edge];
    if (metrics->predicated_by[number][arm] != block)
      continue;
    count_pass(warp, number, arm, group->mask);
    predicated = true;
  }
  warp->counts->branches += !predicated;
  warp->counts->divergent += !predicated && is_divergent;
}

static void end_block(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  const simt_frame *frame = group->frame;
  const lin_graph *graph = frame->function->graph;
  lin_block block = simt_block_of(frame->function, group->pc - 1);
  lin_edge first = graph->first_edge[block];
  simt_target target[SIMT_LANES];
  unsigned count = 0;
  if (in->opcode == SIMT_GOTO) {
    count = take_edge(warp, first, group->mask, target, count);
  } else if (in->opcode == SIMT_BRANCH) {
    uint32_t yes = true_lanes(frame->registers[in->a], group->mask);
    count = take_edge(warp, first, yes, target, count);
    count = take_edge(warp, first + 1, group->mask & ~yes, target, count);
  } else {
    count = take_switch(warp, in, first, lin_out_degree(graph, block), target);
  }
  if (in->opcode != SIMT_GOTO)
    count_branch(warp, block, count > 1);
  simt_model_branch(warp, block, target, count);
}

static void read_special(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  const simt_machine *m = warp->machine;
  uint64_t *dst = group->frame->registers[in->dst];
  for (uint32_t left = group->mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    uint32_t bit = UINT32_C(1) << lane;
    const uint64_t by_lane[] = {lane,       warp->number, m->num_warps,
                                SIMT_LANES, bit,          bit | (bit - 1),
                                bit - 1,    ~(bit - 1),   ~(bit | (bit - 1))};
    if (in->extra < SIMT_NTID_X)
      dst[lane] = warp->thread_id[in->extra][lane];
    else if (in->extra < SIMT_CTAID_X)
      dst[lane] = m->launch.block[in->extra - SIMT_NTID_X];
    else if (in->extra < SIMT_NCTAID_X)
      dst[lane] = warp->worker->block_id[in->extra - SIMT_CTAID_X];
    else if (in->extra < SIMT_LANE_ID)
      dst[lane] = m->launch.grid[in->extra - SIMT_NCTAID_X];
    else if (in->extra < SIMT_CLOCK)
      dst[lane] = by_lane[in->extra - SIMT_LANE_ID] & UINT32_MAX;
    else
      dst[lane] = in->extra == SIMT_CLOCK ? warp->instructions : 0;
    if (in->width < 64)
      dst[lane] &= UINT32_MAX;
  }
}

static void fail_assertion(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  unsigned lane = simt_first_lane(group->mask);
  simt_lanes *r = group->frame->registers;
  char message[256], file[256];
  if (simt_access_text(warp, lane, r[in->a][lane], message, sizeof message) &&
      simt_access_text(warp, lane, r[in->b][lane], file, sizeof file))
    simt_fail(warp, lane, "assertion failed: %s (%s:%u)", message, file, (unsigned)r[in->c][lane]);
}

// Lanes of the current group end here, wherever they were called from.
static void end_lanes(simt_warp *warp) {
  uint32_t mask = simt_current(warp)->mask;
  simt_frame *frame = simt_current(warp)->frame;
  while (frame != NULL) {
    simt_frame *parent = frame->parent;
    simt_frame_leave(warp, frame, mask);
    frame = parent;
  }
  warp->live &= ~mask;
  warp->worker->ended += simt_count_lanes(mask);
  simt_model_end(warp, mask);
  simt_collective_release(warp);
}

static void return_lanes(simt_warp *warp, const simt_instruction *in) {
  simt_frame *parent = simt_frame_return(warp, in);
  if (parent == NULL) {
    end_lanes(warp);
    return;
  }
  const simt_group *group = simt_current(warp);
  simt_frame *frame = group->frame;
  uint32_t mask = group->mask;
  simt_model_return(warp, parent);
  simt_frame_leave(warp, frame, mask);
}

// What is not arithmetic or memory. True if another group may now be the current one.
static bool execute_other(simt_warp *warp, const simt_instruction *in) {
  const simt_group *group = simt_current(warp);
  switch ((simt_opcode)in->opcode) {
  case SIMT_SPECIAL:
    warp->polls += in->extra == SIMT_CLOCK;
    read_special(warp, in);
    return false;
  case SIMT_ACTIVEMASK:
    for (uint32_t left = group->mask; left != 0; left &= left - 1)
      group->frame->registers[in->dst][simt_first_lane(left)] = group->mask;
    return false;
  case SIMT_PRINTF:
    simt_print(warp, in);
    return false;
  case SIMT_COLLECTIVE:
    simt_collective_execute(warp, in);
    return simt_current(warp)->state != SIMT_READY;
  case SIMT_BARRIER:
    simt_barrier_execute(warp, in);
    return simt_current(warp)->state != SIMT_READY;
  case SIMT_CALL:
    simt_frame_call(warp, &group->frame->function->call[in->extra]);
    return true;
  case SIMT_ASSERT:
    fail_assertion(warp, in);
    return true;
  case SIMT_TRAP:
    simt_fail(warp, simt_first_lane(group->mask), "a trap, or code that is said to be unreachable");
    return true;
  case SIMT_UNKNOWN:
    simt_fail(warp, simt_first_lane(group->mask), "%s", group->frame->function->unknown[in->extra]);
    return true;
  case SIMT_EXIT:
    end_lanes(warp);
    return true;
  case SIMT_RETURN:
    return_lanes(warp, in);
    return true;
  default:
    end_block(warp, in);
    return true;
  }
}

static void run_group(simt_warp *warp) {
  const simt_worker *worker = warp->worker;
  simt_group *group = simt_current(warp);
  simt_frame *frame = group->frame;
  const simt_instruction *code = frame->function->code;
  // Behind a call or a wait the block goes on; it was counted when it began.
  lin_block block = simt_block_of(frame->function, group->pc);
  warp->counts = &worker->metrics->block[frame->number][block];
  if (group->pc == frame->function->first_code[block])
    enter_block(warp, block);
  while (worker->fault == NULL) {
    const simt_instruction *in = &code[group->pc++];
    if (in->opcode <= SIMT_LAST_ARITHMETIC) {
      unsigned lane;
      const char *fault = simt_lanes_execute(in, frame->registers, group->mask, &lane);
      if (fault != NULL)
        simt_fail(warp, lane, "%s", fault);
    } else if (in->opcode <= SIMT_LAST_MEMORY) {
      warp->polls += (in->flags & SIMT_POLLS) != 0;
      simt_access(warp, in);
    } else if (execute_other(warp, in)) {
      return;
    }
  }
}

bool simt_warp_run(simt_warp *warp, uint64_t budget) {
  uint64_t end = warp->instructions + budget;
  bool did = false;
  while (warp->worker->fault == NULL && warp->live != 0 && warp->instructions < end &&
         simt_model_next(warp)) {
    run_group(warp);
    did = true;
  }
  return did;
}
