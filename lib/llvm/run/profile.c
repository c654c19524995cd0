// Profiles from files and text.
#include "counts/profile.h"

#include "linearize/linearize.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "NAME:LINE: WRONG; a profile is ...", to be freed; without a line if it is 0.
static char *say_wrong(const char *name, size_t line, const char *wrong) {
  static const char advice[] = "a profile is what linearize-simt --csv --blocks prints";
  char number[24] = "";
  if (line > 0)
    snprintf(number, sizeof number, ":%zu", line);
  size_t size = strlen(name) + strlen(number) + strlen(wrong) + sizeof advice + 4;
  char *message = malloc(size);
  if (message == NULL)
    abort();
  snprintf(message, size, "%s%s: %s; %s", name, number, wrong, advice);
  return message;
}

// Ends what read or parse began in vain.
static linearize_profile *fail(linearize_profile *profile, char **message, const char *name,
                               size_t line, const char *wrong) {
  if (message != NULL)
    *message = say_wrong(name, line, wrong);
  linearize_profile_release(profile);
  return NULL;
}

static linearize_profile *make_profile(void) {
  linearize_profile *profile = calloc(1, sizeof *profile);
  if (profile == NULL)
    abort();
  return profile;
}

static linearize_profile *parse(linearize_profile *profile, const char *text, size_t length,
                                const char *name, char **message) {
  size_t line;
  const char *wrong;
  return lin_profile_parse(profile, text, length, &line, &wrong)
             ? profile
             : fail(profile, message, name, line, wrong);
}

linearize_profile *linearize_profile_parse(const char *text, size_t length, const char *name,
                                           char **message) {
  linearize_profile *profile = make_profile();
  return parse(profile, lin_arena_text(&profile->arena, text, length), length, name, message);
}

// The whole of a file, in the arena; NULL, and errno is set, if it can't be read.
static const char *read_all(lin_arena *arena, FILE *file, size_t *length) {
  size_t capacity = 1 << 16;
  char *text = lin_arena_bytes(arena, capacity);
  for (*length = 0;;) {
    *length += fread(text + *length, 1, capacity - *length, file);
    if (*length < capacity)
      return ferror(file) ? NULL : text;
    char *larger = lin_arena_bytes(arena, 2 * capacity);
    memcpy(larger, text, capacity);
    text = larger;
    capacity *= 2;
  }
}

linearize_profile *linearize_profile_read(const char *path, char **message) {
  linearize_profile *profile = make_profile();
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return fail(profile, message, path, 0, strerror(errno));
  size_t length;
  const char *text = read_all(&profile->arena, file, &length);
  int error = errno;
  fclose(file);
  if (text == NULL)
    return fail(profile, message, path, 0, strerror(error));
  return parse(profile, text, length, path, message);
}

void linearize_profile_release(linearize_profile *profile) {
  if (profile == NULL)
    return;
  lin_profile_release(profile);
  free(profile);
}
