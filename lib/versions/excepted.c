// Mangled names are those of the ABI of Itanium, which nvcc and clang write:
//
//     _Z4stepPi                 step(int*)
//     _ZN3app4walkIiEEvPT_      void app::walk<int>(int*)
//
// A kernel is in namespaces, and in no class.
#include "versions/excepted.h"

#include <stdio.h>
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

void lin_excepted_clean(char *text) {
  static const char nameless[] = "(anonymous namespace)::";
  for (char *at = text; (at = strstr(at, nameless)) != NULL;)
    memmove(at, at + strlen(nameless), strlen(at + strlen(nameless)) + 1);
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

void lin_excepted_name(const char *symbol, char *name, size_t size) {
  snprintf(name, size, "%s", symbol);
  if (strncmp(symbol, "_Z", 2) != 0)
    return;
  const char *at = symbol + 2;
  const bool is_nested = *at == 'N';
  size_t used = 0;
  at += is_nested;
  do {
    at += *at == 'L'; // of this file alone
    char *part;
    const unsigned long length = strtoul(at, &part, 10);
    if (part == at || length > strlen(part) || used + length + 3 > size) { // not known, too long
      snprintf(name, size, "%s", symbol);
      return;
    }
    if (!is_nameless(part))
      used += (size_t)snprintf(name + used, size - used, "%s%.*s", used > 0 ? "::" : "",
                               (int)length, part);
    at = part + length;
  } while (is_nested && *at != 'I' && *at != 'E');
}

bool lin_is_called(const char *symbol, const char *name, size_t length) {
  char called[LIN_EXCEPTED_NAME];
  if (strlen(symbol) == length && memcmp(symbol, name, length) == 0)
    return true;
  lin_excepted_name(symbol, called, sizeof called);
  return strlen(called) == length && memcmp(called, name, length) == 0;
}

bool lin_is_excepted(const char *list, const char *symbol) {
  size_t length;
  for (const char *name = list; name != NULL && (name = lin_excepted_next(name, &length)) != NULL;
       name += length)
    if (lin_is_called(symbol, name, length))
      return true;
  return false;
}

void lin_excepted_say_unknown(char *message, size_t size, const char *name, size_t length,
                              const char *const *here, size_t count) {
  size_t used = (size_t)snprintf(message, size, "option except: no function here is called '%.*s'",
                                 (int)length, name);
  for (size_t i = 0; i < count && i <= LIN_EXCEPTED_SAID && used < size; i++) {
    char called[LIN_EXCEPTED_NAME];
    lin_excepted_name(here[i], called, sizeof called);
    used += (size_t)snprintf(message + used, size - used, "%s%s", i == 0 ? "; here: " : ", ",
                             i == LIN_EXCEPTED_SAID ? "..." : called);
  }
}
