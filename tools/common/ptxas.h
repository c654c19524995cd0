// NVIDIA's ptxas, which says whether PTX is good.
#ifndef LIN_TOOLS_PTXAS_H
#define LIN_TOOLS_PTXAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// The real ptxas: `given`, or if that is NULL or empty, the one that $LINEARIZE_PTXAS names, or
// ptxas. A name without a slash is the first program on PATH that isn't this one. Ends the program
// if there is none. Stays until the next call.
const char *tool_find_ptxas(const char *given);

// The same, or NULL if there is none: that doesn't end the program.
const char *tool_seek_ptxas(const char *given);

// The path of a file of this program's, for programs that it starts.
const char *tool_path_of(FILE *file, char path[64]);

// The first error in what ptxas has said, without where it is: a clause, with a NUL in place of the
// end of its line. O(length).
const char *tool_ptxas_error(char *said);

// Whether ptxas takes a text for the machine `target`, sm_90a. NULL: as it does by itself. `*said`
// becomes what it says, -v, to be freed. Ends the program if ptxas can't be started.
bool tool_ptxas_takes(const char *ptxas, const char *target, const char *text, size_t length,
                      char **said);

#endif
