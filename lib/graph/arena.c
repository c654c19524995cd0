#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
// Each request gets memory of its own, so that the sanitizer sees what goes past its end.
enum { CHUNK_SIZE = 0, ALIGNMENT = 1 };
#else
enum { CHUNK_SIZE = 1 << 18, ALIGNMENT = 16 };
#endif

struct lin_arena_chunk {
  lin_arena_chunk *previous;
  size_t size; // bytes of data[]
  _Alignas(ALIGNMENT) unsigned char data[];
};

static _Noreturn void out_of_memory(void) {
  fputs("linearize: out of memory\n", stderr);
  abort();
}

// A large request gets a chunk of its own size, so that it wastes nothing behind it.
static void add_chunk(lin_arena *arena, size_t size) {
  size_t wanted = size > CHUNK_SIZE ? size : CHUNK_SIZE;
  lin_arena_chunk *chunk = calloc(1, sizeof(lin_arena_chunk) + wanted);
  if (chunk == NULL)
    out_of_memory();
  chunk->previous = arena->chunk;
  chunk->size = wanted;
  arena->chunk = chunk;
  arena->used = 0;
}

void *lin_arena_bytes(lin_arena *arena, size_t size) {
  if (size > SIZE_MAX - sizeof(lin_arena_chunk) - ALIGNMENT)
    out_of_memory();
  size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (arena->chunk == NULL || arena->chunk->size - arena->used < size)
    add_chunk(arena, size);
  void *result = arena->chunk->data + arena->used;
  arena->used += size;
  return result;
}

void *lin_arena_array(lin_arena *arena, size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size)
    out_of_memory();
  return lin_arena_bytes(arena, count * size);
}

char *lin_arena_text(lin_arena *arena, const char *text, size_t length) {
  char *copy = lin_arena_bytes(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

void *lin_arena_room(lin_arena *arena, void *array, uint32_t count, uint32_t *capacity,
                     size_t size) {
  if (count < *capacity)
    return array;
  *capacity = *capacity == 0 ? 8 : 2 * *capacity;
  void *grown = lin_arena_array(arena, *capacity, size);
  if (count > 0)
    memcpy(grown, array, count * size);
  return grown;
}

void lin_arena_release(lin_arena *arena) {
  for (lin_arena_chunk *chunk = arena->chunk; chunk != NULL;) {
    lin_arena_chunk *previous = chunk->previous;
    free(chunk);
    chunk = previous;
  }
  arena->chunk = NULL;
  arena->used = 0;
}
