// Files that a program writes, and doesn't leave behind half written: not if it is interrupted, by
// Ctrl-C, SIGTERM or SIGHUP, nor if there is no room for them.
#ifndef LIN_TOOLS_LEFTOVERS_H
#define LIN_TOOLS_LEFTOVERS_H

#include <stdio.h>

// Has `path` removed if the program is interrupted from now on: a file that may be there by then,
// or a folder that is empty once those named after it are gone. `path` has to stay. The program's
// children, which the terminal interrupts with it, are waited for first. There may be 16 at a time.
// O(1).
void tool_leftover(const char *path);

// Removes them now: for atexit, where they are of no use to anybody else. O(leftovers).
void tool_remove_leftovers(void);

// A folder for temporary files, in the one that TMPDIR names, or in /tmp: NAME.XXXXXX, to be freed.
// Ends the program if there can be none. O(1).
char *tool_make_folder(const char *name);

// A file to be written, a leftover until it is closed, unless it is a device or a pipe; NULL:
// standard output. Ends the program if
// it can't be written. `name` has to stay until then.
FILE *tool_create(const char *name);

// Closes it, under the same name. Ends the program, and removes the file, if not all was written.
void tool_close(FILE *file, const char *name);

#endif
