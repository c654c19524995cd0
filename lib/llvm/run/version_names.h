// What the names of versions ask for: the words of a name (versions/asked.h) are options of the
// pass.
//
//     needed.merge-loops   mode=needed, then merge-loops
//     limit-depth.2        limit-depth=2: an option with a value, and that
//     merge-loops          the same as needed.merge-loops, as the option merge-loops is
//     interleave           mode irreducible, as of every version, then interleave
//
// Irreducible loops that can diverge are made reducible in all of them, in the plain one too: what
// ptxas compiles wrong would differ in its results.
#ifndef LIN_LLVM_RUN_VERSION_NAMES_H
#define LIN_LLVM_RUN_VERSION_NAMES_H

#include "linearize/linearize.h"

#ifdef __cplusplus
extern "C" {
#endif

// Sets `*options` to what the version `name` asks for, in all else to `given`; of the plain one, to
// what is done to it. False, and `*options` is anything, if that is no version's name. O(length).
bool lin_ir_version_options(const char *name, const linearize_options *given,
                            linearize_options *options);

// What is wrong with the list of versions of an option, in one line to be freed
// (linearize_text_release); NULL if nothing is. O(length).
char *lin_ir_wrong_versions(const char *list);

#ifdef __cplusplus
}
#endif

#endif
