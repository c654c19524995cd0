#include "asked.h"

#include <stdarg.h>
#include <string.h>

enum { MESSAGE = 160, MOST_SHOWN = 48 };

__attribute__((format(printf, 2, 3))) static const char *fail(char *message, const char *format,
                                                              ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, MESSAGE, format, arguments);
  va_end(arguments);
  return message;
}

// Whether two names are the same behind a kernel's.
static bool end_alike(const char *a, const char *b) {
  char one[96], other[96]; // names are shorter than 64
  lin_versions_symbol(one, sizeof one, "", a);
  lin_versions_symbol(other, sizeof other, "", b);
  return strcmp(one, other) == 0;
}

static const char *add(lin_versions_asked *asked, const char *name, char *message) {
  if (!lin_versions_is_name(name))
    return fail(message, "'%.*s' can't be a version's name", MOST_SHOWN, name);
  for (uint32_t i = 0; i < asked->count; i++) {
    if (strcmp(asked->name[i], name) == 0)
      return fail(message, "version '%.*s' stands there twice", MOST_SHOWN, name);
    if (end_alike(asked->name[i], name))
      return fail(message, "versions '%.*s' and '%.*s' would be called alike", MOST_SHOWN,
                  asked->name[i], MOST_SHOWN, name);
  }
  if (asked->count == LIN_VERSIONS_MOST - 1)
    return fail(message, "over %d versions beside the plain one", LIN_VERSIONS_MOST - 1);
  asked->name[asked->count++] = name;
  return NULL;
}

const char *lin_versions_ask(char *text, lin_versions_asked *asked, char message[MESSAGE]) {
  *asked = (lin_versions_asked){0};
  bool is_plain_named = false;
  for (char *name = text, *next; name != NULL; name = next) {
    const size_t length = strcspn(name, ",:");
    next = name[length] == '\0' ? NULL : name + length + 1;
    name[length] = '\0';
    if (strcmp(name, LIN_VERSIONS_PLAIN) == 0) {
      if (is_plain_named)
        return fail(message, "version '%s' stands there twice", LIN_VERSIONS_PLAIN);
      is_plain_named = true;
    } else {
      const char *wrong = add(asked, name, message);
      if (wrong != NULL)
        return wrong;
    }
  }
  return asked->count > 0 ? NULL : fail(message, "no version is named beside the plain one");
}

const char *lin_versions_word(const char **at, size_t *length) {
  const char *word = *at;
  if (*word == '\0')
    return NULL;
  *length = strcspn(word, ".");
  *at = word + *length + (word[*length] == '.');
  return word;
}

bool lin_versions_is_word(const char *word, size_t length, const char *name) {
  return strlen(name) == length && memcmp(word, name, length) == 0;
}
