// Files of the cache's folder (cache_folder.h): read if they are this user's alone, written whole.
#ifndef LIN_TOOLS_CACHE_FILE_H
#define LIN_TOOLS_CACHE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Opens the file to read it, and says its size. -1 if it isn't there, is another user's, can be
// written by others, is no plain file, or has more bytes. The caller closes it. O(1).
int tool_file_open(int folder, const char *name, uint64_t most_bytes, uint64_t *size);

// Reads the next `length` bytes; false if there are fewer. O(length).
bool tool_file_read(int file, void *bytes, size_t length);

// The next `length` bytes as a text with a NUL behind it, to be freed; NULL if there are fewer.
char *tool_file_text(int file, size_t length);

typedef struct tool_piece {
  const char *bytes;
  size_t length;
} tool_piece;

// Writes the pieces, one behind the other, to a file under another name, which then takes the place
// of that name, of 16 digits and an end. False if it isn't there: nothing of it stays. O(length).
bool tool_file_write(int folder, const char *name, const tool_piece *pieces, int count);

#endif
