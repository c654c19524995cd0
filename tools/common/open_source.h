// Opening source files that debug locations name: PTX out of a program is no file.
#ifndef LIN_TOOLS_OPEN_SOURCE_H
#define LIN_TOOLS_OPEN_SOURCE_H

#include <stdio.h>

// Has `name` stand for `length` bytes at `text` from now on, in place of the last such name. Both
// have to stay. O(1).
void tool_name_source(const char *name, const char *text, size_t length);

// Opens the text or the file `path` to be read. NULL, and errno says why, if it can't be. O(1).
FILE *tool_open_source(const char *path);

#endif
