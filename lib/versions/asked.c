#include "asked.h"

#include <stdarg.h>
#include <string.h>

enum { MESSAGE = 160, CHECKED = 400, MOST_SHOWN = 48 };

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

// ---- words

static const struct {
  const char *name;
  bool has_number; // it is the next word
} words[] = {
    {"needed", false},      {"irreducible", false}, {"paper", false},      {"all", false},
    {"merge-loops", false}, {"interleave", false},  {"limit-depth", true}, {"redirected", false},
    {"meld", false},        {"O0", false},          {"O1", false},         {"O2", false},
    {"O3", false},          {"O4", false},          {"threshold", true},   {"warps", true},
    {"regardless", false},  {"refilled", false},    {"refill-at", true},   {"refill-every", true}};

static bool is_number(const char *word, size_t length) {
  bool is_zero = true;
  for (size_t i = 0; i < length; i++) {
    if (word[i] < '0' || word[i] > '9')
      return false;
    is_zero &= word[i] == '0';
  }
  return length <= 9 && !is_zero;
}

static bool is_known(const char *name) {
  size_t length;
  bool is_redirected = false, is_refilled = false;
  for (const char *word; (word = lin_versions_word(&name, &length)) != NULL;) {
    size_t i = 0;
    while (i < sizeof words / sizeof *words && !lin_versions_is_word(word, length, words[i].name))
      i++;
    if (i == sizeof words / sizeof *words)
      return false;
    is_redirected |= strcmp(words[i].name, "redirected") == 0;
    is_refilled |= strcmp(words[i].name, "refilled") == 0;
    if (!words[i].has_number)
      continue;
    word = lin_versions_word(&name, &length);
    if (word == NULL || !is_number(word, length))
      return false;
  }
  return !(is_redirected && is_refilled); // each takes a parameter of its own
}

const char *lin_versions_check(char *text, lin_versions_asked *asked, char message[CHECKED]) {
  const char *wrong = lin_versions_ask(text, asked, message);
  for (uint32_t i = 0; wrong == NULL && i < asked->count; i++)
    if (!is_known(asked->name[i])) {
      snprintf(
          message, CHECKED,
          "there is no version '%s'; there are needed, irreducible, paper, all, meld, merge-loops, "
          "interleave, limit-depth.N, redirected, refilled, and what is made of them with "
          "'.', like "
          "needed.merge-loops; also with O0 to O4, threshold.N, warps.N or regardless; "
          "refilled also with refill-at.N and refill-every.N",
          asked->name[i]);
      wrong = message;
    }
  return wrong;
}
