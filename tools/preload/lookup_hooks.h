// What stands in for cuGetProcAddress, for a library's one file of hooks alone.
#ifndef LIN_TOOLS_PRELOAD_LOOKUP_HOOKS_H
#define LIN_TOOLS_PRELOAD_LOOKUP_HOOKS_H

#include "hooks.h"
#include "lookups.h"
#include "symbols.h"

#include <stdatomic.h>
#include <stddef.h>

#define SLOTS HOOKS_SLOTS_OF
#define LINKED(kind, symbol, ...) HOOKS_LINKED(kind, symbol, DRIVER_NO_SYMBOL, __VA_ARGS__)

#define FIND (const char *name, void **found, int version, uint64_t flags)
SLOTS(find, FIND, name, found, version, flags)
LINKED(find, cuGetProcAddress, FIND, name, found, version, flags)

#define FIND_QUERY (const char *name, void **found, int version, uint64_t flags, int *result)
SLOTS(find_query, FIND_QUERY, name, found, version, flags, result)
LINKED(find_query, cuGetProcAddress_v2, FIND_QUERY, name, found, version, flags, result)

#define LOOKUP_HOOKS                                                                               \
  HOOK(find, "cuGetProcAddress", cuGetProcAddress),                                                \
      HOOK(find_query, "cuGetProcAddress_v2", cuGetProcAddress_v2)

#endif
