// What a module with versions of its kernels says of them: text in a variable beside each kernel,
// which the compiler writes and the library that chooses at launch reads.
//
//     kernel walk  ◀── plain: what the program launches, as the compiler makes it without versions
//     kernel walk__linearize_needed         ┐ the same parameters, and the same results
//     kernel walk__linearize_merge_loops    ┘
//     kernel walk__linearize_redirected     ◀── one parameter more, `order`, and the same results
//     kernel walk__linearize_refilled       ◀── one parameter more, `counter`, and the same results
//     kernel walk__linearize_inspect        ◀── one parameter more, `keys`, and no results
//     __linearize_versions_walk = "linearize-versions 1 5d3c1b0a49e7f268 LLVM 22.1.8\n"
//                                 "needed\twalk__linearize_needed\n"
//                                 "merge-loops\twalk__linearize_merge_loops\n"
//                                 "redirected\twalk__linearize_redirected\torder of a line\t"
//                                 "walk__linearize_inspect\n"
//
// The hash is of the plain kernel's control flow: 16 digits, equal as long as a rebuild doesn't
// touch it. What was found of a kernel (tuned.h) holds for that hash. Behind it, to the end of the
// line, stands the compiler, or nothing. A third field says that the version wants, as its last
// parameter, the address of an order: a word of 32 bits for each thread of the launch, blocks one
// after the other, which are the numbers of all threads; "of a line": in launches of one dimension.
// A fourth one, if there is any, is a kernel that such an order can be made of: it writes, to the
// address that is its last parameter, a key of 32 bits for each of these threads, and nothing else;
// the order is that in which keys rise. The third field may also be "counter", or "counter of a
// line": the last parameter is the address of a word of 32 bits, which is 0 before each launch and
// belongs to it alone; the launch has fewer than 2^31 threads. The variable is an array of char in
// global or constant memory; a NUL at its end is no part of the text. A tab and "ends" behind the
// compiler say that the kernel, and each version of it, ends whatever else is launched: none of its
// threads waits for what other kernels or the host write.
#ifndef LIN_VERSIONS_FORMAT_H
#define LIN_VERSIONS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define LIN_VERSIONS_VARIABLE_PREFIX "__linearize_versions_" // then the kernel's symbol
#define LIN_VERSIONS_FUNCTION_INFIX "__linearize_"           // between that and the version's name

// Of one kernel, the plain one too: so that all that is kept of a kernel has a bound.
enum { LIN_VERSIONS_MOST = 16 };

// The plain version's name, which no other has.
#define LIN_VERSIONS_PLAIN "plain"

// And by which an inspector's symbol is made, as if it was a version.
#define LIN_VERSIONS_INSPECTOR "inspect"

typedef enum lin_version_takes {
  LIN_TAKES_NOTHING, // beside the kernel's own arguments
  LIN_TAKES_ORDER,
  LIN_TAKES_ORDER_OF_LINE, // and is launched in one dimension
  LIN_TAKES_COUNTER,
  LIN_TAKES_COUNTER_OF_LINE, // likewise
} lin_version_takes;

static inline bool lin_takes_order(lin_version_takes takes) {
  return takes == LIN_TAKES_ORDER || takes == LIN_TAKES_ORDER_OF_LINE;
}

static inline bool lin_takes_line(lin_version_takes takes) {
  return takes == LIN_TAKES_ORDER_OF_LINE || takes == LIN_TAKES_COUNTER_OF_LINE;
}

static inline bool lin_takes_counter(lin_version_takes takes) {
  return takes == LIN_TAKES_COUNTER || takes == LIN_TAKES_COUNTER_OF_LINE;
}

typedef struct lin_version {
  const char *name;     // as in -linearize-versions=: letters, digits, `-`, `_`, `.`
  const char *function; // its symbol
  lin_version_takes takes;
  const char *inspector; // its symbol, or NULL
} lin_version;

typedef struct lin_versions {
  uint64_t hash;
  const char *compiler;                       // "": not known
  bool ends;                                  // whatever else is launched; false: not known
  uint32_t count;                             // at least 1
  lin_version version[LIN_VERSIONS_MOST - 1]; // without the plain one
} lin_versions;

typedef struct lin_versions_error {
  size_t line;    // from 1
  char text[160]; // a clause
} lin_versions_error;

// The symbol of version `name` of a kernel: `-` and `.` become `_`. Returns its length, without the
// NUL; if that isn't less than `size`, it was cut off. O(length).
size_t lin_versions_symbol(char *symbol, size_t size, const char *kernel, const char *name);

// The variable's name of a kernel; returns as above. O(length).
size_t lin_versions_variable(char *symbol, size_t size, const char *kernel);

// Whether a version may have that name: what stands above at lin_version, not empty, below 64
// characters, and not LIN_VERSIONS_PLAIN. O(length).
bool lin_versions_is_name(const char *name);

// Writes the text; whether `file` took it is the caller's to ask. Tabs and ends of lines in symbols
// and in the compiler's name become `_`. O(length).
void lin_versions_write(FILE *file, const lin_versions *versions);

// Reads the `length` bytes at `text`, or up to a NUL. What is read points into the text, which is
// changed for it (ends of names become NULs) and has to live as long; text[length] has to be there,
// and is overwritten. False, with `error` filled, if it is no such text, of another version of the
// format, cut off, or names a version twice. O(length + versions^2).
bool lin_versions_read(char *text, size_t length, lin_versions *versions,
                       lin_versions_error *error);

#endif
