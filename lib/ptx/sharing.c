#include "sharing.h"

#include <string.h>

enum { SHARED = 1u << 0, VOLATILE = 1u << 1 };

bool lin_ptx_names_shared(const lin_ptx_module *module) {
  static const char word[] = ".shared";
  const char *end = module->text + module->length;
  for (const char *at = module->text; (at = memchr(at, '.', (size_t)(end - at))) != NULL; at++)
    if ((size_t)(end - at) >= sizeof word - 1 && memcmp(at, word, sizeof word - 1) == 0)
      return true;
  return false;
}

static bool has_any_part(const char *opcode, size_t length, const char *const *parts) {
  for (; *parts != NULL; parts++)
    if (lin_ptx_has_part(opcode, length, *parts))
      return true;
  return false;
}

// The memory that an instruction is of, as far as threads may meet there.
static uint32_t objects_of(const char *opcode, size_t length, bool has_shared) {
  static const char *const shared[] = {".shared", ".shared::cta", ".shared::cluster", NULL};
  static const char *const own[] = {".local", ".param", ".const", NULL};
  static const char *const strong[] = {".volatile", ".relaxed", ".acquire", ".mmio", NULL};
  if (has_any_part(opcode, length, shared))
    return SHARED;
  if (has_any_part(opcode, length, own))
    return 0;
  uint32_t found = has_any_part(opcode, length, strong) ? VOLATILE : 0;
  if (!lin_ptx_has_part(opcode, length, ".global") && has_shared)
    found |= SHARED;
  return found;
}

static bool begins_with(const char *opcode, size_t length, const char *first) {
  size_t wanted = strlen(first);
  return length >= wanted && memcmp(opcode, first, wanted) == 0 &&
         (length == wanted || opcode[wanted] == '.');
}

static lin_sharing sharing_of(const lin_ptx_body *body, uint32_t at, bool has_shared) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const lin_ptx_opcode *meaning = lin_ptx_meaning(body, at);
  const char *opcode = body->module->text + i->name;
  size_t length = i->operands - i->name;
  if (meaning->flow == LIN_PTX_CALL) {
    uint32_t mask = has_shared ? SHARED : 0;
    return (lin_sharing){.loads = mask, .stores = mask, .meets = mask};
  }
  if ((meaning->effects & LIN_MEMORY) == 0)
    return (lin_sharing){0};
  uint32_t mask = objects_of(opcode, length, has_shared);
  bool loads = begins_with(opcode, length, "ld") || begins_with(opcode, length, "ldu");
  bool stores = begins_with(opcode, length, "st");
  bool is_atomic = begins_with(opcode, length, "atom") || begins_with(opcode, length, "red");
  bool is_other = !loads && !stores && !is_atomic; // cp.async and its like do both
  return (lin_sharing){.loads = loads || is_other ? mask : 0,
                       .stores = stores || is_other ? mask : 0,
                       .atomics = is_atomic ? mask : 0,
                       .meets = mask};
}

void lin_ptx_read_sharing(lin_arena *arena, lin_ptx_function *f, bool has_shared) {
  lin_graph *graph = f->graph;
  for (lin_block block = 0; block < f->num_written; block++)
    for (uint32_t at = f->block[block].first; at < f->block[block].behind; at++) {
      lin_sharing found = sharing_of(f->body, at, has_shared);
      if (found.meets == 0)
        continue;
      if (graph->sharing == NULL)
        graph->sharing = LIN_ARRAY(arena, lin_sharing, graph->num_blocks);
      graph->sharing[block] = lin_share(graph->sharing[block], found);
    }
}
