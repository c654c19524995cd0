#include "version_names.h"

#include "choose/modes.h"
#include "versions/asked.h"

#include <stdio.h>
#include <string.h>

static bool set_mode(const char *word, size_t length, lin_ptx_options *options) {
  for (lin_mode mode = 0; mode < LIN_MODE_MERGE_LOOPS; mode++)
    if (lin_versions_is_word(word, length, lin_modes[mode].name)) {
      options->core.policy.mode = mode;
      return true;
    }
  return false;
}

static bool set_level(const char *word, size_t length, lin_ptx_options *options) {
  if (length != 2 || word[0] != 'O' || word[1] < '0' || word[1] > '4')
    return false;
  options->core.level = word[1] - '0';
  return true;
}

// The number that is the next word.
static bool set_number(const char **at, uint32_t *number) {
  size_t length;
  const char *word = lin_versions_word(at, &length);
  if (word == NULL || length == 0 || length > 9)
    return false;
  *number = 0;
  for (size_t i = 0; i < length; i++) {
    if (word[i] < '0' || word[i] > '9')
      return false;
    *number = 10 * *number + (uint32_t)(word[i] - '0');
  }
  return *number > 0;
}

static bool set_word(const char **at, const char *word, size_t length, lin_ptx_options *options) {
  if (lin_versions_is_word(word, length, lin_modes[LIN_MODE_MERGE_LOOPS].name))
    return options->merges_loops = true;
  if (lin_versions_is_word(word, length, "regardless"))
    return options->core.policy.regardless = true;
  if (lin_versions_is_word(word, length, "threshold"))
    return set_number(at, &options->core.policy.least_cost);
  return set_mode(word, length, options) || set_level(word, length, options);
}

bool lin_ptx_version_options(const char *name, const lin_ptx_options *given,
                             lin_ptx_options *options) {
  *options = *given;
  options->versions = NULL;
  options->is_off = options->merges_loops = options->core.policy.regardless = false;
  options->core.policy.mode = LIN_MODE_IRREDUCIBLE;
  if (strcmp(name, LIN_VERSIONS_PLAIN) == 0)
    return true;
  if (!lin_versions_is_name(name))
    return false;
  size_t length;
  options->core.policy.mode = LIN_MODE_MERGE_LOOPS; // which no word names: none is named yet
  for (const char *word; (word = lin_versions_word(&name, &length)) != NULL;)
    if (!set_word(&name, word, length, options))
      return false;
  if (options->core.policy.mode == LIN_MODE_MERGE_LOOPS) // merging comes with its option's mode
    options->core.policy.mode = options->merges_loops ? LIN_MODE_NEEDED : LIN_MODE_IRREDUCIBLE;
  return true;
}

const char *lin_ptx_wrong_versions(lin_arena *arena, const char *list) {
  char message[320];
  lin_versions_asked asked;
  const lin_ptx_options given = {0};
  lin_ptx_options options;
  const char *wrong = lin_versions_ask(lin_arena_text(arena, list, strlen(list)), &asked, message);
  for (uint32_t i = 0; wrong == NULL && i < asked.count; i++)
    if (!lin_ptx_version_options(asked.name[i], &given, &options)) {
      snprintf(message, sizeof message,
               "there is no version '%s' of PTX; there are needed, irreducible, paper, all, "
               "merge-loops, interleave, limit-depth.N, redirected, and what is made of them with "
               "'.', like needed.merge-loops; also with O0 to O4, threshold.N, warps.N or "
               "regardless",
               asked.name[i]);
      wrong = message;
    }
  return wrong == NULL ? NULL : lin_arena_text(arena, wrong, strlen(wrong));
}
