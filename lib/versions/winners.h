// What a compiler makes of a file of what was found of a program's kernels (tuned.h): which
// versions of a kernel are the fastest somewhere.
//
//     walk|5d3c...|64 1 1|...|needed     ┐ walk: needed and plain, depending on the launch
//     walk|5d3c...|8 1 1|...|plain       ┘
//     spin|77a0...|64 1 1|...|paper        spin: paper, and no other
#ifndef LIN_VERSIONS_WINNERS_H
#define LIN_VERSIONS_WINNERS_H

#include "tuned.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lin_winners_file lin_winners_file;

// Reads the file at `path`; the caller releases it. NULL, with one line in `message` that says
// where and why, if it can't be read or is no such file. O(length log lines).
lin_winners_file *lin_winners_read(const char *path, char message[320]);

void lin_winners_release(lin_winners_file *file); // which may be NULL

typedef struct lin_winners {
  uint32_t count;                      // 0: nothing is known of this code
  const char *name[LIN_VERSIONS_MOST]; // in the order of the file; they live as long as it
  uint32_t lines;                      // of launches that say so
  bool is_of_other_code;               // the file has the kernel, but with other hashes
} lin_winners;

// Those of a kernel with that hash, each once. O(lines of the file).
lin_winners lin_winners_of(const lin_winners_file *file, const char *kernel, uint64_t hash);

// The same whatever its hash is, as far as there is room for them. O(lines of the file).
lin_winners lin_winners_of_any(const lin_winners_file *file, const char *kernel);

// Writes to `text`, as snprintf does with `size` and what it returns, their names: "a", "a or b",
// "a, b or c". O(length).
size_t lin_winners_list(char *text, size_t size, const lin_winners *winners);

#ifdef __cplusplus
}
#endif

#endif
