// Changes of a text: places where characters go or come. The rest is written as it was, so that
// what isn't changed comes out byte for byte.
#ifndef LIN_PTX_PATCH_H
#define LIN_PTX_PATCH_H

#include "graph/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct lin_ptx_change {
  uint32_t start, end; // what goes
  uint32_t order;      // of what comes to one place
  uint32_t length;
  const char *text; // what comes
} lin_ptx_change;

typedef struct lin_ptx_patch {
  lin_arena *arena;
  lin_ptx_change *change; // [count]
  uint32_t count, capacity;
} lin_ptx_patch;

// Has `text`, which is copied, stand in place of the characters from `start` to `end`. Changes
// don't overlap; what comes to one place comes in the order of the calls. O(length of the text).
void lin_ptx_change_text(lin_ptx_patch *patch, uint32_t start, uint32_t end, const char *text);

// Writes `text` with its changes, and forgets them. O(length + changes log changes).
void lin_ptx_patch_write(FILE *file, const char *text, uint32_t length, lin_ptx_patch *patch);

#endif
