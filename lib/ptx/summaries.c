// A function that polls may do so again and again before it returns. Effects are handed from
// callees to callers until nothing changes: each of the bits of a function once.
#include "summaries.h"

#include "awaited.h"
#include "gpu/nvptx.h"
#include "names.h"
#include "read.h"

#include <string.h>

static const uint32_t everything =
    LIN_FOREIGN | LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN | LIN_MEMORY;

typedef struct caller {
  uint32_t function; // number of the one that calls
  struct caller *next;
} caller;

struct lin_ptx_summaries {
  lin_ptx_names *names; // functions with a body, in one scope
  uint32_t *effects;    // [functions]
};

uint32_t lin_ptx_summary(const void *summaries, const char *name, uint32_t length) {
  const lin_ptx_summaries *s = summaries;
  if (name == NULL)
    return everything;
  const lin_ptx_name *found = lin_ptx_names_find(s->names, 0, name, length);
  if (found != NULL)
    return s->effects[found->value];
  const lin_nvptx *row = lin_nvptx_callee(name, length);
  return row != NULL ? row->effects : everything;
}

// A function's own effects; its calls of the module's functions are noted with those.
static uint32_t read_function(lin_arena *arena, lin_ptx_summaries *s, const lin_ptx_module *module,
                              uint32_t number, caller **callers) {
  lin_arena scratch = {0};
  const lin_ptx_body *body = lin_ptx_body_read(&scratch, module, &module->function[number]);
  uint32_t effects = body->refused == NULL ? 0 : everything;
  const bool *deciding = effects == 0 ? lin_ptx_find_deciding(&scratch, body) : NULL;
  for (uint32_t at = 0; at < body->count && body->refused == NULL; at++) {
    const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
    if (opcode->flow != LIN_PTX_CALL) {
      effects |= lin_ptx_effects(body, deciding, at);
      continue;
    }
    lin_ptx_token name = lin_ptx_callee(body, at);
    const char *text = module->text + name.start;
    uint32_t length = name.end - name.start;
    const lin_ptx_name *found = lin_ptx_names_find(s->names, 0, text, length);
    if (length == 0 || found == NULL) {
      effects |= lin_ptx_summary(s, length == 0 ? NULL : text, length);
      continue;
    }
    caller *cell = LIN_NEW(arena, caller);
    *cell = (caller){number, callers[found->value]};
    callers[found->value] = cell;
  }
  lin_arena_release(&scratch);
  return effects | ((effects & LIN_POLLS) != 0 ? LIN_MAY_SPIN : 0);
}

// Gives the aliases of functions that have a body the meaning of these.
static void name_aliases(lin_ptx_summaries *s, const lin_ptx_module *module) {
  for (uint32_t i = 0; i < module->num_aliases; i++) {
    const lin_ptx_alias *alias = &module->alias[i];
    const lin_ptx_name *of =
        lin_ptx_names_find(s->names, 0, alias->of, (uint32_t)strlen(alias->of));
    if (of == NULL)
      continue;
    uint32_t function = of->value;
    lin_ptx_name *entry =
        lin_ptx_names_entry(s->names, 0, alias->name, (uint32_t)strlen(alias->name));
    entry->meant = LIN_PTX_VARIABLE;
    entry->value = function;
  }
}

lin_ptx_summaries *lin_ptx_summaries_build(lin_arena *arena, const lin_ptx_module *module) {
  uint32_t n = module->num_functions, depth = 0;
  lin_ptx_summaries *s = LIN_NEW(arena, lin_ptx_summaries);
  *s = (lin_ptx_summaries){lin_ptx_names_new(arena), LIN_ARRAY(arena, uint32_t, n)};
  for (uint32_t i = 0; i < n; i++) {
    if (module->function[i].is_kernel)
      continue;
    lin_ptx_name *entry = lin_ptx_names_entry(s->names, 0, module->function[i].name,
                                              (uint32_t)strlen(module->function[i].name));
    entry->meant = LIN_PTX_VARIABLE;
    entry->value = i;
  }
  name_aliases(s, module);
  lin_arena scratch = {0};
  caller **callers = LIN_ARRAY(&scratch, caller *, n);
  uint32_t *stack = LIN_ARRAY(&scratch, uint32_t, n);
  bool *is_waiting = LIN_ARRAY(&scratch, bool, n);
  for (uint32_t i = 0; i < n; i++)
    if (!module->function[i].is_kernel) {
      s->effects[i] = read_function(&scratch, s, module, i, callers);
      stack[depth++] = i;
      is_waiting[i] = true;
    }
  while (depth > 0) {
    uint32_t callee = stack[--depth];
    is_waiting[callee] = false;
    for (const caller *c = callers[callee]; c != NULL; c = c->next) {
      uint32_t effects = s->effects[c->function] | s->effects[callee];
      if (effects == s->effects[c->function])
        continue;
      s->effects[c->function] = effects;
      if (!is_waiting[c->function])
        stack[depth++] = c->function;
      is_waiting[c->function] = true;
    }
  }
  lin_arena_release(&scratch);
  return s;
}
