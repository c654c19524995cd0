#include "lookups.h"

#include "hooks.h"

#include <stddef.h>
#include <string.h>

// The name that a function has which takes its arguments that way: the one of cuGetProcAddress
// alone depends on the version that is asked for.
static void give_slot(const char *name, void **function, int version) {
  if (name == NULL || function == NULL || *function == NULL)
    return;
  if (strcmp(name, "cuGetProcAddress") == 0 && version >= DRIVER_FIRST_WITH_QUERY)
    name = "cuGetProcAddress_v2";
  *function = hooks_for(name, *function);
}

int stand_in_find(void *function, const char *name, void **found, int version, uint64_t flags) {
  int status = AS(driver_find, function)(name, found, version, flags);
  if (status == DRIVER_SUCCESS)
    give_slot(name, found, version);
  return status;
}

int stand_in_find_query(void *function, const char *name, void **found, int version, uint64_t flags,
                        int *result) {
  int status = AS(driver_find_query, function)(name, found, version, flags, result);
  if (status == DRIVER_SUCCESS)
    give_slot(name, found, version);
  return status;
}
