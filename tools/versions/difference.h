// How what one version wrote differs from what another one did: words of four bytes, as they are.
#ifndef LIN_TOOLS_VERSIONS_DIFFERENCE_H
#define LIN_TOOLS_VERSIONS_DIFFERENCE_H

#include <stddef.h>
#include <stdint.h>

enum { DIFFERENCE_WORD = 4 };

typedef struct difference {
  uint64_t words;              // that differ; 0: none
  size_t first;                // byte where the first one lies
  unsigned char is[8], was[8]; // it and what stands in the same eight bytes
} difference;

// Adds that of `size` bytes, which lie `from` bytes behind the beginning: a multiple of eight.
// O(size).
void difference_add(difference *d, const unsigned char *is, const unsigned char *was, size_t from,
                    size_t size);

// Writes both values of the first word, also as floats, or doubles, if they may be some and how far
// these are apart. snprintf's result. O(1).
int difference_write(char *text, size_t size, const difference *d);

#endif
