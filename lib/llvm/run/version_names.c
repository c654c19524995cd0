#include "version_names.h"

#include "option_table.h"
#include "versions/asked.h"
#include "llvm/tell/message.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LENGTH = 64 }; // of a name, with its NUL (versions/format.h)

// The option of that name that a version may have, or NULL.
static const lin_option *find_option(const char *word, size_t length) {
  for (int i = 0; i < LIN_NUM_OPTIONS; i++)
    if ((lin_option_table[i].where & LIN_OPTION_OF_VERSION) != 0 &&
        lin_versions_is_word(word, length, lin_option_table[i].name))
      return &lin_option_table[i];
  return NULL;
}

// A mode or a level: they stand for themselves.
static bool is_mode_or_level(const char *word, size_t length, linearize_options *options) {
  char text[MOST_LENGTH];
  memcpy(text, word, length);
  text[length] = '\0';
  const bool is_level = length == 2 && text[0] == 'O';
  return (is_level ||
          (linearize_parse_mode(text, &options->mode) && options->mode != LINEARIZE_NONE)) &&
         linearize_parse_options(text, options, NULL);
}

static bool set_word(const char **at, const char *word, size_t length, linearize_options *options) {
  const lin_option *option = find_option(word, length);
  char text[2 * MOST_LENGTH];
  if (option == NULL || option->kind == LIN_OPTION_MODE || option->kind == LIN_OPTION_LEVEL)
    return is_mode_or_level(word, length, options);
  if (option->kind == LIN_OPTION_WORD)
    return linearize_parse_options(option->name, options, NULL);
  const char *value = lin_versions_word(at, &length);
  if (value == NULL)
    return false;
  snprintf(text, sizeof text, "%s=%.*s", option->name, (int)length, value);
  return linearize_parse_options(text, options, NULL);
}

bool lin_ir_version_options(const char *name, const linearize_options *given,
                            linearize_options *options) {
  *options = *given;
  options->mode = LINEARIZE_IRREDUCIBLE;
  options->meld = options->merge_loops = options->interleave = options->regardless = false;
  options->redirected = options->refilled = false;
  options->no_meld = true; // versions differ by what they are called
  options->limit_depth = 0;
  if (strcmp(name, LIN_VERSIONS_PLAIN) == 0)
    return true;
  if (!lin_versions_is_name(name))
    return false;
  size_t length;
  options->mode = LINEARIZE_NONE; // no word has named one
  for (const char *word; (word = lin_versions_word(&name, &length)) != NULL;)
    if (!set_word(&name, word, length, options))
      return false;
  if (options->redirected && options->refilled) // each takes a parameter of its own
    return false;
  if (options->mode == LINEARIZE_NONE) // merging comes with the mode that its option comes with
    options->mode = options->merge_loops ? LINEARIZE_NEEDED : LINEARIZE_IRREDUCIBLE;
  return true;
}

char *lin_ir_wrong_versions(const char *list) {
  lin_arena arena = {0};
  lin_versions_asked asked;
  char message[400];
  const char *wrong =
      lin_versions_check(lin_arena_text(&arena, list, strlen(list)), &asked, message);
  char *result = wrong == NULL ? NULL : lin_ir_copy_text(wrong);
  lin_arena_release(&arena);
  return result;
}
