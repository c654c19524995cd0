#include "sizes.h"

#include <string.h>

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

uint64_t sizes_of(const kernel *k, const launch *l) {
  enum { WORD = sizeof(uint64_t) };
  void *argument[PARAMETERS_MOST];
  const parameters *p = &k->parameters;
  uint64_t hash = PARAMETERS_HASH_START;
  if (!parameters_find(p, l, argument))
    return 0;
  for (size_t i = 0; i < p->count; i++) {
    const unsigned char *bytes = argument[i];
    for (size_t at = 0; at < p->size[i]; at += WORD)
      hash = parameters_mix(
          hash, measure(k->gpu, bytes + at, p->size[i] - at < WORD ? p->size[i] - at : WORD));
  }
  return hash == 0 ? 1 : hash;
}
