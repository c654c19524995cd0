#include "memory.h"

#include <stdint.h>
#include <stdlib.h>

struct lin_chunk {
  lin_chunk *older;
  _Alignas(16) unsigned char data[];
};

void *lin_memory_array(lin_memory *memory, size_t count, size_t size) {
  lin_chunk *piece = NULL;
  if (!memory->is_out && count <= (SIZE_MAX - sizeof(lin_chunk)) / size)
    piece = calloc(1, sizeof(lin_chunk) + count * size);
  if (piece == NULL) {
    memory->is_out = true;
    return NULL;
  }
  piece->older = memory->newest;
  memory->newest = piece;
  return piece->data;
}

void lin_memory_release(lin_memory *memory) {
  for (lin_chunk *piece = memory->newest; piece != NULL;) {
    lin_chunk *older = piece->older;
    free(piece);
    piece = older;
  }
  *memory = (lin_memory){0};
}
