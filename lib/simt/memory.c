#include "memory.h"

#include <assert.h>

simt_object *simt_memory_add(lin_arena *arena, simt_memory *memory, const char *name,
                             uint64_t address, uint64_t size) {
  assert(memory->count == 0 || address >= memory->object[memory->count - 1].address +
                                              memory->object[memory->count - 1].size);
  memory->object = LIN_ROOM(arena, memory->object, memory->count, &memory->capacity);
  simt_object *object = &memory->object[memory->count++];
  *object = (simt_object){.name = name,
                          .address = address,
                          .size = size,
                          .bytes = LIN_ARRAY(arena, uint8_t, size),
                          .written = LIN_ARRAY(arena, uint8_t, size)};
  return object;
}

const simt_object *simt_memory_near(const simt_memory *memory, uint64_t address) {
  uint32_t low = 0, high = memory->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (memory->object[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? NULL : &memory->object[low - 1];
}

simt_object *simt_memory_find(const simt_memory *memory, uint64_t address, uint64_t size) {
  const simt_object *near = simt_memory_near(memory, address);
  if (near == NULL)
    return NULL;
  uint64_t offset = address - near->address;
  if (offset > near->size || near->size - offset < size)
    return NULL;
  return &memory->object[near - memory->object];
}
