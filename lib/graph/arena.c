#include "arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SANITIZE_ADDRESS__
// Each request gets memory of its own, so that the sanitizer sees what goes past its end.
enum { FIRST_CHUNK = 0, LARGEST_CHUNK = 0, ALIGNMENT = 1 };
#else
enum { FIRST_CHUNK = 1 << 12, LARGEST_CHUNK = 1 << 18, ALIGNMENT = 16 };
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

// Chunks double, so that small functions take little. A large request gets a chunk of its own size,
// so that it wastes nothing behind it.
static void add_chunk(lin_arena *arena, size_t size) {
  size_t wanted = arena->chunk == NULL ? FIRST_CHUNK : 2 * arena->chunk->size;
  wanted = wanted > LARGEST_CHUNK ? LARGEST_CHUNK : wanted;
  wanted = size > wanted ? size : wanted;
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

// Behind the newest chunk, which may have room left.
void lin_arena_absorb(lin_arena *arena, lin_arena *from) {
  if (arena->chunk == NULL) {
    *arena = *from;
  } else if (from->chunk != NULL) {
    lin_arena_chunk *last = from->chunk;
    while (last->previous != NULL)
      last = last->previous;
    last->previous = arena->chunk->previous;
    arena->chunk->previous = from->chunk;
  }
  *from = (lin_arena){0};
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
