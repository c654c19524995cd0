// A program run apart from ours, for libraries that are preloaded into others: whoever waits for
// children, or hears of them by SIGCHLD, doesn't see it.
//
//     this thread ──clone──▶ a process without a signal at its end ──spawn──▶ the program
//          ◀──────────── its status, in our memory ───────── waits for it
#ifndef LIN_TOOLS_APART_H
#define LIN_TOOLS_APART_H

#include <stdbool.h>
#include <stdio.h>

// Runs argument[0], a path, with arguments that end with NULL, and waits for it: this thread alone.
// Its streams are these files, from where they are; its environment is ours, but for LD_PRELOAD.
// Returns its status, or 128 and the signal that ended it; -1, and errno says why: it didn't start.
// After so many seconds it is killed, whatever it does, and the signal is SIGALRM.
int tool_run_apart(const char *const *argument, FILE *input, FILE *output, FILE *errors,
                   unsigned most_seconds);

// Starts argument[0] likewise, with `input` as its input, and leaves it: nobody waits for it, it
// has no other descriptor of ours, and no terminal. False, and errno says why: it didn't start.
bool tool_leave_apart(const char *const *argument, FILE *input);

#endif
