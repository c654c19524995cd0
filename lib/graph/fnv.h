// FNV-1a, a hash of 64 bits, of which the same numbers and texts always make the same.
#ifndef LIN_GRAPH_FNV_H
#define LIN_GRAPH_FNV_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LIN_FNV_START UINT64_C(0xcbf29ce484222325)

// What `hash` becomes with `length` more bytes. O(length).
static inline uint64_t lin_fnv_bytes(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *byte = (const unsigned char *)bytes;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
  return hash;
}

// With a text and its NUL. O(length).
static inline uint64_t lin_fnv_text(uint64_t hash, const char *text) {
  return lin_fnv_bytes(hash, text, strlen(text) + 1);
}

// With a number, the same on every machine. O(1).
static inline uint64_t lin_fnv_number(uint64_t hash, uint32_t number) {
  unsigned char bytes[4] = {(unsigned char)number, (unsigned char)(number >> 8),
                            (unsigned char)(number >> 16), (unsigned char)(number >> 24)};
  return lin_fnv_bytes(hash, bytes, sizeof bytes);
}

#endif
