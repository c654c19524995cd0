// What linearize-profile is told of its program's images, beside the counts: files in the folder
// that $LINEARIZE_COUNTS names as FOLDER/%p.found. Without that nothing is told.
//
//     FOLDER/linearize-3f2a9c1d.ptx.found   PTX; without places in the source its lines are
//     FOLDER/notes.found                    why images aren't counted, line by line
//
// What can't be written is not told. Any thread and process may do so.
#ifndef LIN_TOOLS_RUN_NOTED_H
#define LIN_TOOLS_RUN_NOTED_H

#include <stdbool.h>
#include <stddef.h>

enum { NOTED_NAME = 32 };

// Keeps PTX, 8 MB of a process at most, and says what its file is called, without `.found`. False:
// it isn't kept, or has places of its own. O(length).
bool noted_ptx(const char *text, size_t length, char name[NOTED_NAME]);

// Adds a line, without its end. O(length).
void noted_reason(const char *line);

#endif
