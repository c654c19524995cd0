// The versions that somebody asks for, as text.
//
//     plain,needed,merge-loops,needed.merge-loops,paper.O2
//       │     │                    └ words of one version: what is done, one after the other
//       │     └ a version by its name, which is also the end of its kernel's (format.h)
//       └ always there, named or not
//
// Where a comma has another meaning, a colon stands in its place.
#ifndef LIN_VERSIONS_ASKED_H
#define LIN_VERSIONS_ASKED_H

#include "format.h"

// A kernel of more instructions, with all that it calls, gets no versions, unless told otherwise:
// of each there is all to do once more. Of the largest kernel of bench (voxel_photons, 4582
// instructions) a version takes clang and ptxas 0.5 s of a processor, so these would take over 2 s
// (`scripts/bench versions`, ptxas 13.0, sm_90, 2026-11-25).
enum { LIN_VERSIONS_MOST_INSTRUCTIONS = 20000 };

// What is made of a program's kernels where nobody says: by `linearize ./app`, which tries them as
// the program runs, and by `linearize tune`, which has time for more. `needed` and
// `needed.merge-loops` gain most often, `meld` most where arms of a branch do the same, `refilled`
// where items are differently long (docs/versions.md); it costs a launch nothing where it isn't
// made, or has too few items.
#define LIN_VERSIONS_TRIED LIN_VERSIONS_PLAIN ",needed,needed.merge-loops,meld,refilled"
#define LIN_VERSIONS_TUNED LIN_VERSIONS_TRIED ",paper,needed.refilled"

typedef struct lin_versions_asked {
  uint32_t count;                          // at least 1
  const char *name[LIN_VERSIONS_MOST - 1]; // in the order of the text, without the plain one
} lin_versions_asked;

// Takes `text` apart where it stands: names point into it. What the words mean is for the front end
// to say. Returns NULL, or what is wrong, in one clause, in `message`: an empty name or one that no
// version can have, one that stands there twice or would be called like another, too many, or none
// beside plain. O(length + versions^2).
const char *lin_versions_ask(char *text, lin_versions_asked *asked, char message[160]);

// The same, and whether every word is one that a compiler knows: a mode, a level, an option of
// versions (llvm/run/option_table.h), with its number. O(length + versions^2).
const char *lin_versions_check(char *text, lin_versions_asked *asked, char message[400]);

// The next word of a version's name from *at on, which is moved behind it and its `.`; its length
// is set. NULL at the end. O(length).
const char *lin_versions_word(const char **at, size_t *length);

// Whether that word is `name`. O(length).
bool lin_versions_is_word(const char *word, size_t length, const char *name);

#endif
