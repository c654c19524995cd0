#include "sizes.h"

#include <string.h>

// The buffer that has all arguments, if they aren't given one by one.
static const unsigned char *find_buffer(const launch *l) {
  enum { END, POINTER }; // CU_LAUNCH_PARAM_*
  for (void **at = l->extra; at != NULL && (uintptr_t)at[0] != END; at += 2)
    if ((uintptr_t)at[0] == POINTER)
      return at[1];
  return NULL;
}

static uint64_t bits_of(uint64_t value) {
  return value == 0 ? 0 : 64 - (uint64_t)__builtin_clzll(value);
}

// A value of eight bytes may be an address.
static uint64_t measure(const gpu *g, const unsigned char *bytes, size_t size) {
  uint64_t value = 0;
  size_t length = 0;
  memcpy(&value, bytes, size);
  if (size == sizeof value && value != 0 &&
      g->cuMemGetAddressRange_v2(NULL, &length, value) == DRIVER_SUCCESS)
    value = length;
  return bits_of(value);
}

static uint64_t mix(uint64_t hash, uint64_t number) {
  return (hash ^ number) * UINT64_C(0x100000001b3);
}

uint64_t sizes_of(const kernel *k, const launch *l) {
  enum { MOST_ARGUMENTS = 64, WORD = sizeof(uint64_t) };
  const gpu *g = k->gpu;
  const unsigned char *buffer = find_buffer(l);
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t offset, size;
  // Version 1 is a function, and has the same parameters, also where the handle is a library's
  // kernel.
  if (g->cuFuncGetParamInfo == NULL || (buffer == NULL && l->arguments == NULL))
    return 0;
  for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
    if (g->cuFuncGetParamInfo(k->function[1], i, &offset, &size) != DRIVER_SUCCESS)
      break;
    const unsigned char *bytes = l->arguments != NULL ? l->arguments[i] : buffer + offset;
    for (size_t at = 0; at < size; at += WORD)
      hash = mix(hash, measure(g, bytes + at, size - at < WORD ? size - at : WORD));
  }
  return hash == 0 ? 1 : hash;
}
