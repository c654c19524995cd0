// Kernels that are exempt, by name: option except, for the plugin and for the tools that read PTX.
//
//     except=step:app::walk      the kernels step and app::walk, and instances of such templates
//
// A name is a symbol, or what C++ calls it, without what it returns, its parameters, and arguments
// of its template. Namespaces without a name don't count. A list ends at ',', ';', a blank or 0.
#ifndef LIN_VERSIONS_EXCEPTED_H
#define LIN_VERSIONS_EXCEPTED_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The list of the last except= among options with ';', ',' or blanks between them, which may be
// NULL; NULL: there is none. Points into them. O(length).
const char *lin_excepted_among(const char *options);

// Takes "(anonymous namespace)::" out of a text with lists, in its place: a list has no blanks.
// O(length, for each).
void lin_excepted_clean(char *text);

// The first name at or behind `at` in a list, and its length; NULL: there is none. O(length).
const char *lin_excepted_next(const char *at, size_t *length);

enum {
  LIN_EXCEPTED_NAME = 512, // bytes: a longer name is known by its symbol alone
  LIN_EXCEPTED_SAID = 3,   // functions that a message names
};

// What C++ calls a symbol: app::walk of _ZN3app4walkIiEEvPT_; the symbol, if that isn't known.
// O(length).
void lin_excepted_name(const char *symbol, char *name, size_t size);

// Writes that no function has that name, and which there are: `here` has their symbols. O(length).
void lin_excepted_say_unknown(char *message, size_t size, const char *name, size_t length,
                              const char *const *here, size_t count);

// Whether a symbol, mangled or not, has that name. O(length of the symbol).
bool lin_is_called(const char *symbol, const char *name, size_t length);

// Whether the list, which may be NULL, has a name of the symbol. O(length of both, for each name).
bool lin_is_excepted(const char *list, const char *symbol);

#ifdef __cplusplus
}
#endif

#endif
