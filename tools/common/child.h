// Other programs, run without a shell.
#ifndef LIN_TOOLS_CHILD_H
#define LIN_TOOLS_CHILD_H

#include <stdio.h>
#include <sys/types.h>

// Starts the program argument[0], which is looked for on the PATH if its name has no slash, with
// arguments that end with NULL. Its streams are these files from where they are, or ours where one
// is NULL. Returns -1, and errno says why, if it doesn't start.
pid_t tool_start(const char *const *argument, FILE *input, FILE *output, FILE *errors);

// Waits for it. Returns its status, or 128 and the signal that ended it; 127: it didn't start, too.
int tool_wait(pid_t child);

// A file without a name, for a child's end of a stream: so neither side waits for the other. Ends
// the program if there can be none.
FILE *tool_scratch_file(void);

// Has what was written to a scratch file, here or by a child, read from its beginning. Ends the
// program if there was no room for it.
void tool_rewind(FILE *file);

// All of `file` from where it is, ended by a NUL; the caller frees it. `length` may be NULL. Where
// reading fails the text ends, and ferror says so.
char *tool_read_all(FILE *file, size_t *length);

// All of a scratch file, likewise, which is closed. Ends the program if there was no room for it.
char *tool_take_all(FILE *file, size_t *length);

// All that a file holds, and a NUL behind it, to be freed; `length` may be NULL. Ends the program
// if it can't be read.
char *tool_read_file(const char *name, size_t *length);

// The same for an input file, or for standard input, which "-" names.
char *tool_read_input(const char *name, size_t *length);

#endif
