// Arena: memory that lives until the whole of it is released.
//
// Every analysis of one function allocates from one arena and frees nothing; the owner of the
// function's work releases the arena at the end. Memory is zeroed. Running out of memory aborts:
// a compiler pass has no better answer, and so no caller has to check.
#ifndef LIN_GRAPH_ARENA_H
#define LIN_GRAPH_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct lin_arena_chunk lin_arena_chunk;

typedef struct lin_arena {
  lin_arena_chunk *chunk; // the newest chunk, or NULL
  size_t used;            // bytes used of the newest chunk
} lin_arena;

// Returns `size` zeroed bytes, aligned for any type. O(size).
void *lin_arena_bytes(lin_arena *arena, size_t size);

// Returns a zeroed array of `count` elements of `size` bytes each; a product that overflows aborts.
void *lin_arena_array(lin_arena *arena, size_t count, size_t size);

// Returns a copy of the `length` characters at `text`, ended by a NUL.
char *lin_arena_text(lin_arena *arena, const char *text, size_t length);

// Returns `array`, of `count` elements of `size` bytes with room for `*capacity`, if there is room
// for one more; else a copy with twice the room. `array` may be NULL, with a capacity of 0.
void *lin_arena_room(lin_arena *arena, void *array, uint32_t count, uint32_t *capacity,
                     size_t size);

// Moves what `from` has to `arena`, where it lives on; `from` is empty and may be used again.
// O(chunks of `from`).
void lin_arena_absorb(lin_arena *arena, lin_arena *from);

// Frees everything; the arena is empty and may be used again.
void lin_arena_release(lin_arena *arena);

#define LIN_NEW(arena, type) ((type *)lin_arena_bytes((arena), sizeof(type)))
#define LIN_ARRAY(arena, type, count) ((type *)lin_arena_array((arena), (count), sizeof(type)))
#define LIN_ROOM(arena, array, count, capacity)                                                    \
  lin_arena_room((arena), (array), (count), (capacity), sizeof *(array))

#endif
