// Mangled names are those of the ABI of Itanium, which nvcc and clang write:
//
//     _Z4stepPi                 step(int*)
//     _ZN3app4walkIiEEvPT_      void app::walk<int>(int*)
//
// A kernel is in namespaces, and in no class.
#include "versions/excepted.h"

#include <stdlib.h>
#include <string.h>

static bool is_end(char c) { return c == '\0' || c == ',' || c == ';' || c == ' '; }

const char *lin_excepted_among(const char *options) {
  static const char name[] = "except=";
  const char *found = NULL;
  for (const char *at = options; at != NULL && (at = strstr(at, name)) != NULL;) {
    const bool is_option = at == options || is_end(at[-1]);
    at += strlen(name);
    found = is_option ? at : found;
  }
  return found;
}

const char *lin_excepted_next(const char *at, size_t *length) {
  while (*at == ':')
    at++;
  size_t end = 0;
  while (!is_end(at[end]) && (at[end] != ':' || at[end + 1] == ':'))
    end += at[end] == ':' ? 2 : 1;
  *length = end;
  return end == 0 ? NULL : at;
}

// Namespaces that C++ gives no name, or that nvcc makes of them.
static bool is_nameless(const char *name) {
  static const char *const heads[] = {"_GLOBAL__N", "_INTERNAL", "_NV_ANON"};
  for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
    if (strncmp(name, heads[i], strlen(heads[i])) == 0)
      return true;
  return false;
}

// Whether `part`, which follows others if `used` isn't 0, goes on with the name; `*used` then does.
static bool goes_on(const char *name, size_t length, size_t *used, const char *part, size_t size) {
  const size_t colons = *used > 0 ? 2 : 0;
  if (*used + colons + size > length || strncmp(name + *used, "::", colons) != 0 ||
      memcmp(name + *used + colons, part, size) != 0)
    return false;
  *used += colons + size;
  return true;
}

bool lin_is_called(const char *symbol, const char *name, size_t length) {
  if (strlen(symbol) == length && memcmp(symbol, name, length) == 0)
    return true;
  if (strncmp(symbol, "_Z", 2) != 0)
    return false;
  const char *at = symbol + 2;
  const bool is_nested = *at == 'N';
  size_t used = 0;
  at += is_nested;
  do {
    at += *at == 'L'; // of this file alone
    char *part;
    const unsigned long size = strtoul(at, &part, 10);
    if (part == at || size > strlen(part))
      return false;
    if (!is_nameless(part) && !goes_on(name, length, &used, part, size))
      return false;
    at = part + size;
  } while (is_nested && *at != 'I' && *at != 'E');
  return used == length;
}

bool lin_is_excepted(const char *list, const char *symbol) {
  size_t length;
  for (const char *name = list; name != NULL && (name = lin_excepted_next(name, &length)) != NULL;
       name += length)
    if (lin_is_called(symbol, name, length))
      return true;
  return false;
}
