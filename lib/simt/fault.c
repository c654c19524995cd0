// Messages of faults: what went wrong, and where lanes were.
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "machine.h"

#include <stdarg.h>
#include <stdlib.h>

// Where a group stands: its pc is behind the instruction at work.
static void print_place(FILE *file, const simt_group *group) {
  const simt_function *f = group->frame->function;
  uint32_t pc = group->pc > 0 ? group->pc - 1 : 0;
  fprintf(file, "function %s, block %s", f->title, f->graph->name[simt_block_of(f, pc)]);
  if (f->code[pc].line != 0)
    fprintf(file, ", line %u", f->code[pc].line);
}

static void print_threads(FILE *file, const simt_warp *warp, uint32_t mask) {
  unsigned lane = simt_first_lane(mask), count = simt_count_lanes(mask);
  fprintf(file, "thread (%u,%u,%u)", (unsigned)warp->thread_id[0][lane],
          (unsigned)warp->thread_id[1][lane], (unsigned)warp->thread_id[2][lane]);
  if (count > 1)
    fprintf(file, " and %u more of warp %u", count - 1, warp->number);
}

// Begins a message with the kernel and the block.
static FILE *open_message(const simt_worker *worker, char **text, size_t *length) {
  FILE *file = open_memstream(text, length);
  if (file == NULL)
    abort();
  fprintf(file, "kernel %s, block (%u,%u,%u), ", worker->machine->launch.kernel,
          worker->block_id[0], worker->block_id[1], worker->block_id[2]);
  return file;
}

static void keep(simt_worker *worker, FILE *file, char **text, const size_t *length) {
  fclose(file);
  worker->fault = lin_arena_text(&worker->arena, *text, *length);
  free(*text);
}

void simt_fail(simt_warp *warp, unsigned lane, const char *format, ...) {
  simt_worker *worker = warp->worker;
  if (worker->fault != NULL)
    return;
  char *text;
  size_t length;
  FILE *file = open_message(worker, &text, &length);
  print_threads(file, warp, UINT32_C(1) << lane);
  fputs(": ", file);
  print_place(file, simt_current(warp));
  fputs(": ", file);
  va_list arguments;
  va_start(arguments, format);
  vfprintf(file, format, arguments);
  va_end(arguments);
  keep(worker, file, &text, &length);
}

static void print_waiting(FILE *file, const simt_warp *warp, const simt_group *group) {
  print_threads(file, warp, group->mask);
  switch (group->state) {
  case SIMT_AT_BARRIER:
    fprintf(file, " at barrier %u", group->barrier);
    break;
  case SIMT_AT_SYNC: {
    const simt_offer *offer = &warp->offer[simt_first_lane(group->mask)];
    uint32_t missing = (uint32_t)offer->members & ~group->mask;
    fprintf(file, " at a sync that names lanes 0x%08x", (unsigned)offer->members);
    if (missing != 0)
      fprintf(file, " (0x%08x are not with it)", missing);
    break;
  }
  default:
    fputs(" for threads that it parted from", file);
  }
  fputs(" (", file);
  print_place(file, group);
  fputc(')', file);
}

// Under ipdom only the group on top runs: all below it wait, too, and not for what they choose.
static const simt_group *first_waiting(const simt_warp *warp) {
  if (warp->machine->launch.model == SIMT_IPDOM)
    return &warp->group[warp->current];
  for (uint32_t i = 0; i < warp->num_groups; i++)
    if (warp->group[i].state != SIMT_AT_JOIN)
      return &warp->group[i];
  return &warp->group[0];
}

// One group for each warp is enough to see what they wait for, and two warps for the contrast.
void simt_fail_deadlock(simt_worker *worker) {
  const simt_machine *machine = worker->machine;
  if (worker->fault != NULL)
    return;
  char *text;
  size_t length;
  FILE *file = open_message(worker, &text, &length);
  uint32_t waiting = 0, told = 0;
  for (uint32_t i = 0; i < machine->num_warps; i++)
    waiting += worker->warp[i].live != 0;
  fprintf(file, "no progress: ");
  for (uint32_t i = 0; i < machine->num_warps && told < 2; i++) {
    const simt_warp *warp = &worker->warp[i];
    if (warp->live == 0)
      continue;
    const simt_group *group = first_waiting(warp);
    fputs(told++ == 0 ? "" : "; ", file);
    print_waiting(file, warp, group);
    uint32_t others = warp->live & ~group->mask;
    if (others != 0) {
      fputs(", while ", file);
      print_threads(file, warp, others);
      fputs(machine->launch.model == SIMT_IPDOM ? " cannot come" : " wait, too", file);
    }
  }
  if (waiting > told)
    fprintf(file, "; %u more warps wait", waiting - told);
  if (worker->ended > 0)
    fprintf(file, "; %u threads have ended", worker->ended);
  keep(worker, file, &text, &length);
}
