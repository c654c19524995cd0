// A program that is run with the library that counts (liblinearize-count.so) in front of the
// driver.
#ifndef LIN_TOOLS_PROFILE_PROGRAM_H
#define LIN_TOOLS_PROFILE_PROGRAM_H

#include "notes.h"

// Runs it to its end, or until it is interrupted. Returns what its processes counted, in the
// memory, no launch if that is nothing; *status becomes its status, or 128 and the signal that
// ended it; `notes` get what else they left. Ends this program if it can't be run.
lin_counts *profile_run(lin_memory *memory, char *const *program, profile_notes *notes,
                        int *status);

// Ends this program if the file can't be written: before a run, whose counts would be lost. What is
// there stays as it is.
void profile_require_writable(const char *name);

// What the `length` bytes of the file `name` count. Ends the program if that can't be read.
lin_counts *profile_read_counts(lin_memory *memory, const char *name);

#endif
