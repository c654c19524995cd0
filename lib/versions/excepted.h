// Kernels that are exempt, by name: option except, for the plugin and for the tools that read PTX.
//
//     except=step:app::walk      the kernels step and app::walk, and instances of such templates
//
// A name is a symbol, or what C++ calls it, without what it returns, its parameters, and arguments
// of its template. A list ends at ',', ';', a blank or 0.
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

// The first name at or behind `at` in a list, and its length; NULL: there is none. O(length).
const char *lin_excepted_next(const char *at, size_t *length);

// Whether a symbol, mangled or not, has that name. O(length of the symbol).
bool lin_is_called(const char *symbol, const char *name, size_t length);

// Whether the list, which may be NULL, has a name of the symbol. O(length of both, for each name).
bool lin_is_excepted(const char *list, const char *symbol);

#ifdef __cplusplus
}
#endif

#endif
