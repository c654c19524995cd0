// Memory of one call, which may run out: the library's callers get ENOMEM, where a compiler aborts.
#ifndef LIN_THREADS_MEMORY_H
#define LIN_THREADS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct lin_chunk lin_chunk;

typedef struct lin_memory {
  lin_chunk *newest; // or NULL
  bool is_out;       // something that was asked for could not be had
} lin_memory;

// A zeroed array, which lives until all is released; NULL, and `is_out`, if there is no memory.
// What is had after that is NULL, too: it is enough to ask `is_out` at the end. O(1), as far as the
// system gives zeroed pages.
void *lin_memory_array(lin_memory *memory, size_t count, size_t size);

void lin_memory_release(lin_memory *memory);

#define LIN_HAVE(memory, type, count) ((type *)lin_memory_array((memory), (count), sizeof(type)))

#endif
