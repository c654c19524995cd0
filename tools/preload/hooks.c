#include "hooks.h"

#include <stdatomic.h>
#include <string.h>

// nvJitLink's have names of each version, too: __nvJitLinkAddData_13_0.
static bool is_called(const char *hooked, const char *name) {
  if (strcmp(hooked, name) == 0)
    return true;
  size_t length = strlen(hooked);
  return strncmp(name, "__nvJitLink", 11) == 0 && strncmp(name + 2, hooked, length) == 0 &&
         name[2 + length] == '_';
}

static const hook *hook_of(const char *name) {
  bool may_be = (name[0] == 'c' && name[1] == 'u') || (name[0] == 'n' && name[1] == 'v') ||
                (name[0] == '_' && name[1] == '_');
  if (!may_be)
    return NULL;
  for (size_t i = 0; i < hooks_count; i++)
    if (is_called(hooks_table[i].name, name))
      return &hooks_table[i];
  return NULL;
}

bool hooks_has(const char *name) { return hook_of(name) != NULL; }

bool hooks_is_own(const char *name, void *function) {
  const hook *h = hook_of(name);
  return h != NULL && h->linked == function && function != NULL;
}

void *hooks_for(const char *name, void *function) {
  const hook *h = hook_of(name);
  if (h == NULL || function == NULL || function == h->linked)
    return function;
  for (int i = 0; i < HOOKS_SLOTS; i++) {
    void *there = NULL;
    if (function == h->stands_in[i])
      return function;
    // Whoever comes first has the slot; whoever comes later may find their own function there.
    if (atomic_compare_exchange_strong(&h->slot[i], &there, function) || there == function)
      return h->stands_in[i];
  }
  return function;
}
