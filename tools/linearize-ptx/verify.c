#include "verify.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/ptxas.h"
#include "ptx/patch.h"

#include <stdlib.h>
#include <string.h>

// A multiprocessor since Volta: four schedulers, each with 16,384 registers, given to warps by 256,
// and 16 warps. Source: CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability". To measure: cudaOccupancyMaxActiveBlocksPerMultiprocessor.
enum { REGISTERS = 16384, AT_ONCE = 256, WARPS = 16, SCHEDULERS = 4, USUAL_BLOCK = 128 };

// What ptxas -v says of a kernel.
typedef struct weight {
  const char *name;            // in the arena
  unsigned registers, spilled; // a thread's; bytes
} weight;

typedef struct weights {
  lin_arena *arena;
  weight *kernel;
  uint32_t count, capacity;
} weights;

void tool_promise_hear(tool_promises *promises, const lin_ptx_remark *remark) {
  if (remark->gain < 1 || strcmp(remark->name, "Linearized") != 0)
    return;
  uint32_t at = promises->count;
  while (at > 0 && strcmp(promises->promise[at - 1].function, remark->function) != 0)
    at--;
  if (at == 0) {
    promises->promise =
        LIN_ROOM(promises->arena, promises->promise, promises->count, &promises->capacity);
    promises->promise[promises->count] = (tool_promise){
        lin_arena_text(promises->arena, remark->function, strlen(remark->function)), 0, 0};
    at = ++promises->count;
  }
  promises->promise[at - 1].saved += remark->gain;
  promises->promise[at - 1].of += remark->executed;
}

// Reads ptxas' lines:
//     Compiling entry function 'f' for 'sm_90'
//         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//     Used 14 registers, ...
static weights weigh(lin_arena *arena, const char *said) {
  static const char begin[] = "Compiling entry function '", frame[] = " bytes stack frame, ";
  weights found = {.arena = arena};
  for (const char *at = strstr(said, begin); at != NULL; at = strstr(at, begin)) {
    at += sizeof begin - 1;
    found.kernel = LIN_ROOM(arena, found.kernel, found.count, &found.capacity);
    weight *kernel = &found.kernel[found.count++];
    *kernel = (weight){.name = lin_arena_text(arena, at, strcspn(at, "'"))};
    const char *used = strstr(at, "Used "), *spills = strstr(at, frame);
    if (used != NULL)
      kernel->registers = (unsigned)strtoul(used + strlen("Used "), NULL, 10);
    if (spills != NULL && spills < used)
      kernel->spilled = (unsigned)strtoul(spills + strlen(frame), NULL, 10);
  }
  return found;
}

// Threads of a block: what the kernel's directives say, `.maxntid 16, 8`, or as many as is usual.
static unsigned block_of(const lin_ptx_place *place) {
  static const int bounds[] = {LIN_PTX_REQNTID, LIN_PTX_MAXNTID};
  for (int i = 0; i < 2; i++) {
    const lin_ptx_bound *bound = &place->bound[bounds[i]];
    unsigned long threads = bound->count > 0;
    for (uint32_t k = 0; k < bound->count; k++)
      threads *= bound->number[k];
    if (threads > 0 && threads <= 1024)
      return (unsigned)threads;
  }
  return USUAL_BLOCK;
}

// So many of its blocks have registers at once.
static unsigned blocks_of(unsigned registers, unsigned threads) {
  const unsigned warp = (registers * 32 + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
  unsigned warps = warp == 0 ? WARPS : REGISTERS / warp;
  warps = SCHEDULERS * (warps < WARPS ? warps : WARPS);
  return warps / ((threads + 31) / 32);
}

static double share_saved(const tool_promises *promises, const char *name) {
  for (size_t i = 0; i < promises->count; i++)
    if (strcmp(promises->promise[i].function, name) == 0)
      return promises->promise[i].saved / promises->promise[i].of;
  return 0;
}

// Whether the kernel has to stay as it was: 1. it spills more, or 2. fewer of its blocks fit, and
// the share that is lost is more than what remarks say is saved.
static bool is_worse(const char *file, const weight *before, const weight *after, unsigned threads,
                     double saved) {
  const unsigned had = blocks_of(before->registers, threads),
                 has = blocks_of(after->registers, threads);
  const bool spills = after->spilled > before->spilled;
  if (!spills && (has >= had || 1 - (double)has / had <= saved))
    return false;
  fprintf(stderr,
          "%s: warning: %s: function '%s' stays as it was: %u registers became %u, %u bytes of "
          "spills %u, %u "
          "blocks of %u threads at once %u\n",
          tool_name, file, before->name, before->registers, after->registers, before->spilled,
          after->spilled, had, threads, has);
  return true;
}

// The kernel of that name. Both texts have theirs in about the same order: it is looked for from
// `*at` on, which moves there.
static const weight *find_weight(const weights *all, const char *name, uint32_t *at) {
  for (uint32_t i = 0; i < all->count; i++, *at = (*at + 1) % all->count)
    if (strcmp(all->kernel[*at].name, name) == 0)
      return &all->kernel[*at];
  return NULL;
}

static const lin_ptx_place *find_place(const lin_ptx_module *module, const char *name,
                                       uint32_t *at) {
  for (uint32_t i = 0; i < module->num_functions; i++, *at = (*at + 1) % module->num_functions)
    if (strcmp(module->function[*at].name, name) == 0)
      return &module->function[*at];
  return NULL;
}

// Puts bodies back that are worse. How many.
static unsigned put_back(const char *name, const lin_ptx_module *module, const lin_ptx_module *made,
                         const weights *before, const weights *after, const tool_promises *promises,
                         lin_ptx_patch *patch) {
  unsigned count = 0;
  uint32_t at[3] = {0};
  for (uint32_t i = 0; i < before->count; i++) {
    const weight *was = &before->kernel[i], *is = find_weight(after, was->name, &at[0]);
    const lin_ptx_place *old = find_place(module, was->name, &at[1]),
                        *new = find_place(made, was->name, &at[2]);
    if (is == NULL || old == NULL || new == NULL ||
        !is_worse(name, was, is, block_of(old), share_saved(promises, was->name)))
      continue;
    lin_ptx_change_text(
        patch, new->body, new->end,
        lin_arena_text(patch->arena, module->text + old->body, old->end - old->body));
    count++;
  }
  return count;
}

char *tool_verify(const char *name, const lin_ptx_module *module, char *made, size_t *length,
                  const tool_promises *promises) {
  const char *ptxas = tool_find_ptxas(NULL);
  char *said, *other;
  const bool is_taken = tool_ptxas_takes(ptxas, module->target, made, *length, &said);
  const bool was_taken =
      tool_ptxas_takes(ptxas, module->target, module->text, module->length, &other);
  lin_arena arena = {0};
  char *result = made;
  if (!is_taken && was_taken) {
    fprintf(stderr, "%s: warning: %s: ptxas refuses what was made: %s; it is written as it was\n",
            tool_name, name, tool_ptxas_error(said));
    result = NULL;
  } else if (is_taken && was_taken) {
    lin_ptx_error error;
    const lin_ptx_module *now = lin_ptx_module_read(&arena, made, *length, &error);
    const weights before = weigh(&arena, other), after = weigh(&arena, said);
    lin_ptx_patch patch = {.arena = &arena};
    if (now != NULL && put_back(name, module, now, &before, &after, promises, &patch) > 0) {
      FILE *file = tool_scratch_file();
      lin_ptx_patch_write(file, made, (uint32_t)*length, &patch);
      result = tool_take_all(file, length);
    }
  }
  if (result != made)
    free(made);
  free(said);
  free(other);
  lin_arena_release(&arena);
  return result;
}
