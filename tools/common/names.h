// Names of functions and variables, as C++ writes them.
#ifndef LIN_TOOLS_NAMES_H
#define LIN_TOOLS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// What the mangled `name` stands for, as find(unsigned int const*, int); the caller frees it. NULL
// if it is no mangled name.
char *tool_demangle(const char *name);

// The name of `symbol` for people, without parameters and the type that it returns; or the symbol.
// The caller frees it. O(length).
char *tool_short_name(const char *symbol);

// Where the parameters begin in a title, or its length.
size_t tool_parameters_of(const char *title);

// Whether `wanted` names what has this title: all of it, but for blanks and the type that it
// returns; or without its parameters; or without the arguments of its template, too.
bool tool_is_named(const char *title, const char *wanted);

// Whether `wanted` is this symbol, or names what it stands for.
bool tool_is_called(const char *symbol, const char *wanted);

#endif
