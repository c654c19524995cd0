// Simulated memory: objects with bounds, and for each byte whether it was written.
//
// An object is a buffer of the launch, a variable of the module, a shared variable of the block at
// work, or a local variable of a frame. Objects of one space don't touch each other, so what goes
// past the end of one is out of bounds and not in the next.
#ifndef LIN_SIMT_MEMORY_H
#define LIN_SIMT_MEMORY_H

#include "program.h"

typedef struct simt_object {
  const char *name;
  uint64_t address; // generic, or an offset in the window of its space
  uint64_t size;
  uint8_t *bytes;   // [size] 0 where nobody wrote
  uint8_t *written; // [size] 0 for bytes that nobody wrote
  bool is_constant;
} simt_object;

// The objects of one space, by address.
typedef struct simt_memory {
  simt_object *object;
  uint32_t count;
  uint32_t capacity;
} simt_memory;

// Adds an object behind all others; its address has to be above theirs. Its bytes, and whether they
// are written, are zero and in the arena. O(size).
simt_object *simt_memory_add(lin_arena *arena, simt_memory *memory, const char *name,
                             uint64_t address, uint64_t size);

// The object that holds the `size` bytes at `address`, or NULL. O(log objects).
simt_object *simt_memory_find(const simt_memory *memory, uint64_t address, uint64_t size);

// The object that begins last of those at or below `address`, or NULL: what an access that is out
// of bounds was probably meant for. O(log objects).
const simt_object *simt_memory_near(const simt_memory *memory, uint64_t address);

// `size` bytes (at most 8), the first one lowest.
static inline uint64_t simt_bytes_read(const uint8_t *bytes, uint32_t size) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++)
    value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

static inline void simt_bytes_write(uint8_t *bytes, uint32_t size, uint64_t value) {
  for (uint32_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

#endif
