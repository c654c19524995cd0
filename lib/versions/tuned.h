// The file of what was found of a program's kernels, PROGRAM.linearize: how long each version
// takes, and which one is best.
//
//     linearize-tune PROGRAM ─┐                     ┌─▶ the library that chooses at launch:
//     the same, other input ──┴─▶ PROGRAM.linearize ┤   begins with the winners, tries nothing
//                                                   └─▶ -linearize-tuned=FILE: builds winners alone
//
// It is text, one line for each kernel and launch shape, in their order, so that it can be compared
// and kept beside the sources. Between fields are tabs, which
// stand as `|` here, and a line is one line:
//
//     linearize tuned 1
//     # kernel|hash|grid|block|shared|sizes|gpu|driver|compiler|winner|version ns noise launches
//     walk|5d3c1b0a49e7f268|64 1 1|128 1 1|0|-|NVIDIA H200|580.159.04|LLVM 22.1.8|needed
//       |plain 5184 40 16|needed 2592 35 61
//
// A time is the median of a version's launches in nanoseconds, its noise how far they are spread
// around it (times.h). What runs leave for later ones has the first launches, too (first.h): how
// many the shape had in a run, and the time of each, 0 where nobody knows it.
//
//       |plain 5184 40 2 3 9184 0 5184
//
// Of launches of two kinds, one 10 times as long, only the long ones are
// there. `sizes` tells launches apart whose arguments are of different sizes, where
// that was asked for; else it is `-`. Lines that begin with # say nothing.
#ifndef LIN_VERSIONS_TUNED_H
#define LIN_VERSIONS_TUNED_H

#include "first.h"
#include "format.h"

typedef struct lin_tuned_version {
  const char *name;
  uint64_t time, noise; // ns
  uint32_t launches;    // 0: not timed
  lin_first first;
} lin_tuned_version;

// A line. Texts are somebody else's, and have to live as long as it does.
typedef struct lin_tuned_line {
  // What tells lines apart:
  const char *kernel; // its symbol
  uint64_t hash;      // format.h
  uint32_t grid[3], block[3];
  uint32_t shared; // bytes of a size chosen at launch
  uint64_t sizes;  // 0: `-`
  const char *gpu;
  // What was found, and by what:
  const char *driver, *compiler; // "": not known
  const char *winner;            // name of one of the versions, or LIN_TUNED_NONE
  uint32_t count;                // at least 1, LIN_VERSIONS_PLAIN among them
  lin_tuned_version version[LIN_VERSIONS_MOST];
  uint32_t age; // is set where lines are added: of two that say something of the same, one is newer
} lin_tuned_line;

typedef struct lin_tuned {
  lin_tuned_line *line; // [count] by all that tells lines apart, in the order above
  uint32_t count, capacity;
} lin_tuned;

// Adds the lines of `text` to those of `tuned`. The text is changed, as lin_versions_read does it,
// and has to live as long as `tuned`. False, with `error` filled and nothing added, if it is no
// such file, of another version, or damaged, or if there is no memory. O(n log n + length), of n
// lines together.
bool lin_tuned_read(lin_tuned *tuned, char *text, size_t length, lin_versions_error *error);

// Adds a line. What is known of the same kernel, hash, shape, sizes and GPU already becomes one
// with it: of each version the mean of both times, weighted by their launches; what another driver
// or compiler was timed with, or one that nobody knows, gives way to the newer line. The winner is
// found anew. False: out of memory, nothing is added. O(lines).
bool lin_tuned_add(lin_tuned *tuned, const lin_tuned_line *line);

// The line of that kernel, hash, shape, sizes and GPU, which `key` has; or NULL. O(log lines).
const lin_tuned_line *lin_tuned_find(const lin_tuned *tuned, const lin_tuned_line *key);

// The lines of that kernel and hash, of all shapes and GPUs, for a compiler: how many, behind each
// other from *first on. O(log lines + result).
uint32_t lin_tuned_of(const lin_tuned *tuned, const char *kernel, uint64_t hash,
                      const lin_tuned_line **first);

// Launches of each version that are missing before one of them may be called the winner. What takes
// 2.5 times as long as the plain one, or longer, needs one. O(versions).
enum { LIN_TUNED_LEAST = 5 }; // of 5 and 5 times chance makes all of one smaller once in 252 cases
uint32_t lin_tuned_missing(const lin_tuned_line *line, const lin_tuned_version *v, uint32_t wanted);

typedef enum lin_tuned_verdict {
  LIN_TUNED_IS_WON,
  LIN_TUNED_TOO_FEW,   // launches of one of the versions
  LIN_TUNED_TOO_CLOSE, // chance may make the difference
} lin_tuned_verdict;

// The number of the line's winner: the fastest version, if none has too few launches, and it is
// faster than the plain one, or the plain one than all others, by more than chance makes it (three
// standard errors of the difference of two medians; a median's is 1.2533 standard deviations over
// the root of its launches, and one of these is 1.4826 times the noise, which is taken to be a
// thousandth of the time at least). O(versions).
lin_tuned_verdict lin_tuned_judge(const lin_tuned_line *line, uint32_t *winner);

// Whether no run that the line knows of had more than LIN_FIRST launches of the shape, which are
// too few to try versions in one run, or these are so uneven that medians say nothing. False if it
// doesn't say. O(versions + LIN_FIRST^2).
bool lin_tuned_is_few(const lin_tuned_line *line);

// The number of the version to begin with. Of few launches it is the one that pairs of the same
// launch show to be the fastest. Else it is the winner; without one, the fastest of those that
// are faster than the plain one beyond chance. The plain one, where nothing says more. O(versions).
uint32_t lin_tuned_best(const lin_tuned_line *line);

// Its name, or LIN_TUNED_NONE.
#define LIN_TUNED_NONE "-"
const char *lin_tuned_winner(const lin_tuned_line *line);

// The line's version of that name, or NULL. O(versions).
const lin_tuned_version *lin_tuned_version_of(const lin_tuned_line *line, const char *name);

// Writes the file; whether it took it is the caller's to ask. O(length).
void lin_tuned_write(FILE *file, const lin_tuned *tuned);

void lin_tuned_release(lin_tuned *tuned);

#endif
