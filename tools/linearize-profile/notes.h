// What the library that changes PTX tells of a program's images (tools/linearize-run/noted.h): PTX
// of which lines are places, and why nothing is counted.
#ifndef LIN_TOOLS_PROFILE_NOTES_H
#define LIN_TOOLS_PROFILE_NOTES_H

#include "threads/counts_file.h"

typedef struct profile_ptx {
  char *name, *text;
  size_t length;
} profile_ptx;

// All to be freed by profile_notes_release.
typedef struct profile_notes {
  profile_ptx *ptx;
  uint32_t num_ptx;
  char *reasons; // lines, or NULL
} profile_notes;

// Takes a file that a run left. False: it is none of these. Ends the program if it can't be read,
// or if there is no memory. O(length).
bool profile_notes_take(profile_notes *notes, const char *path);

// Writes the PTX of which lines are places of the launches into the folder of `counts`. What can't
// be written is said on standard error. O(blocks + texts * kernels + length).
void profile_notes_write(const profile_notes *notes, const char *counts,
                         const lin_counts *launches);

// Ends the program with `status`: of `program` nothing was counted, for these reasons, and what to
// change. O(length).
_Noreturn void profile_notes_die(const profile_notes *notes, const char *program, int status);

void profile_notes_release(profile_notes *notes);

// The length of the PTX file's name in a place that is a line of it, else 0. O(length).
size_t profile_ptx_place(const char *source);

#endif
