// What a run found of versions whose results were compared with the plain one's: lines that the
// library reports (tools/versions/check.h).
#ifndef LIN_TOOLS_TUNE_CHECKED_H
#define LIN_TOOLS_TUNE_CHECKED_H

#include "versions/tuned.h"

#include <stdbool.h>

typedef struct tool_check {
  const char *what, *kernel, *version, *rest; // fields of a line
  uint64_t hash;
} tool_check;

typedef struct tool_checks {
  int descriptor; // of the report
  tool_check *check;
  uint32_t count;
} tool_checks;

// What is run from now on reports; ends the program if it can't. O(1).
void checked_begin(tool_checks *checks);

// It did: reads that, which stays for good. Where a version differs, later runs find that again,
// and don't launch it for long. O(length).
void checked_end(tool_checks *checks);

// Takes versions that differ out of the lines of their kernels, which get other winners.
// O(lines * checks).
void checked_drop(const tool_checks *checks, lin_tuned *tuned);

// Prints what differs, what couldn't be compared, and how much was. Returns how many versions
// differ. O(checks^2).
uint32_t checked_print(FILE *file, const tool_checks *checks);

#endif
