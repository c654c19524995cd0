#define _POSIX_C_SOURCE 200809L // strndup

#include "names.h"

#include <stdlib.h>
#include <string.h>

// The C++ runtime's, which LLVM links; the ABI of C++ has it as a function of C.
extern char *__cxa_demangle(const char *name, char *to, size_t *length, int *status);

char *tool_demangle(const char *name) {
  int status;
  return strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
}

static bool same_but_for_blanks(const char *a, size_t length, const char *b) {
  const char *end = a + length;
  for (;; a++, b++) {
    while (a < end && *a == ' ')
      a++;
    while (*b == ' ')
      b++;
    if (a == end || *b == '\0')
      return a == end && *b == '\0';
    if (*a != *b)
      return false;
  }
}

// The first parenthesis that no angle bracket is around.
size_t tool_parameters_of(const char *title) {
  unsigned depth = 0;
  size_t at = 0;
  for (; title[at] != '\0' && (title[at] != '(' || depth > 0); at++) {
    depth += title[at] == '<';
    depth -= title[at] == '>' && depth > 0;
  }
  return at;
}

// Behind the type that a function template's title begins with: void k<float>(float*).
static size_t name_of(const char *title, size_t end) {
  size_t begin = 0;
  unsigned depth = 0;
  for (size_t at = 0; at < end; at++) {
    depth += title[at] == '<';
    depth -= title[at] == '>' && depth > 0;
    if (title[at] == ' ' && depth == 0)
      begin = at + 1;
  }
  return begin;
}

char *tool_short_name(const char *symbol) {
  char *title = tool_demangle(symbol);
  const char *name = title == NULL ? symbol : title;
  size_t end = tool_parameters_of(name), begin = name_of(name, end);
  char *copy = strndup(name + begin, end - begin);
  if (copy == NULL)
    abort();
  free(title);
  return copy;
}

bool tool_is_named(const char *title, const char *wanted) {
  size_t end = tool_parameters_of(title), begin = name_of(title, end), all = strlen(title);
  size_t plain = begin + strcspn(title + begin, "<(");
  return same_but_for_blanks(title, all, wanted) ||
         same_but_for_blanks(title + begin, all - begin, wanted) ||
         same_but_for_blanks(title + begin, end - begin, wanted) ||
         same_but_for_blanks(title + begin, plain - begin, wanted);
}

bool tool_is_called(const char *symbol, const char *wanted) {
  if (strcmp(symbol, wanted) == 0)
    return true;
  char *title = tool_demangle(symbol);
  bool is_called = title != NULL && tool_is_named(title, wanted);
  free(title);
  return is_called;
}
