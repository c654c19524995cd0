#include "parameters.h"

#include <string.h>

parameters parameters_of(const gpu *g, void *function) {
  parameters p = {.is_known = false};
  size_t offset, size;
  if (g->cuFuncGetParamInfo == NULL)
    return p;
  while (g->cuFuncGetParamInfo(function, p.count, &offset, &size) == DRIVER_SUCCESS) {
    if (p.count == PARAMETERS_MOST)
      return p;
    p.offset[p.count] = (uint32_t)offset;
    p.size[p.count++] = (uint32_t)size;
  }
  p.is_known = true;
  return p;
}

bool parameters_are_with_address(const parameters *p, const parameters *more) {
  const size_t bytes = p->count * sizeof *p->size;
  return p->is_known && more->is_known && more->count == p->count + 1 &&
         more->size[p->count] == sizeof(gpu_address) && memcmp(p->size, more->size, bytes) == 0 &&
         memcmp(p->offset, more->offset, bytes) == 0;
}

// The buffer that has all arguments, if they aren't given one by one.
static unsigned char *find_buffer(const launch *l) {
  enum { END, POINTER }; // CU_LAUNCH_PARAM_*
  for (void **at = l->extra; at != NULL && (uintptr_t)at[0] != END; at += 2)
    if ((uintptr_t)at[0] == POINTER)
      return at[1];
  return NULL;
}

bool parameters_find(const parameters *p, const launch *l, void *at[PARAMETERS_MOST]) {
  unsigned char *buffer = l->arguments == NULL ? find_buffer(l) : NULL;
  if (!p->is_known || (l->arguments == NULL && buffer == NULL && p->count > 0))
    return false;
  for (uint32_t i = 0; i < p->count; i++)
    at[i] = l->arguments != NULL ? l->arguments[i] : buffer + p->offset[i];
  return true;
}
