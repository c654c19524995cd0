// What the names of versions ask for (versions/asked.h), of PTX: a mode, merge-loops, a level,
// threshold.N, regardless.
#ifndef LIN_PTX_VERSION_NAMES_H
#define LIN_PTX_VERSION_NAMES_H

#include "run.h"

// Sets `*options` to what the version `name` asks for, in all else to `given`; of the plain one, to
// what is done to it: irreducible loops that can diverge are made reducible in all of them. False
// if that is no version's name. O(length).
bool lin_ptx_version_options(const char *name, const lin_ptx_options *given,
                             lin_ptx_options *options);

// What is wrong with a list of versions, in one clause, in the arena; NULL if it is none.
// O(length).
const char *lin_ptx_wrong_versions(lin_arena *arena, const char *list);

#endif
