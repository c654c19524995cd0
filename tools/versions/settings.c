#define _POSIX_C_SOURCE 200809L

#include "settings.h"

#include "versions/excepted.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static settings found;
static FILE *log_file;

// ---- the file of what was found ----------------------------------------------------------------

static char *read_text(const char *path, size_t *length) {
  enum { MOST_BYTES = 64 << 20 };
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return NULL;
  char *text = NULL;
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size >= 0 && size < MOST_BYTES && fseek(file, 0, SEEK_SET) == 0)
    text = malloc((size_t)size + 1);
  *length = text == NULL ? 0 : fread(text, 1, (size_t)size, file);
  fclose(file);
  return text;
}

// A file that can't be read is as if there were none; its text, which lines point into, stays.
static void read_tuned(const char *path, bool has_to_be_there) {
  size_t length;
  lin_versions_error error;
  char *text = read_text(path, &length);
  if (text == NULL && has_to_be_there)
    settings_log("%s: %s", path, strerror(errno));
  if (text == NULL || lin_tuned_read(&found.tuned, text, length, &error))
    return;
  settings_log("%s:%zu: %s", path, error.line, error.text);
  free(text);
}

static void find_tuned(void) {
  static const char ending[] = ".linearize";
  const char *given = getenv("LINEARIZE_TUNED");
  char path[4096];
  if (given != NULL) {
    if (given[0] != '\0')
      read_tuned(given, true);
    return;
  }
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ending);
  if (length <= 0)
    return;
  memcpy(path + length, ending, sizeof ending);
  read_tuned(path, false);
}

// ---- the environment ---------------------------------------------------------------------------

static FILE *open_log(const char *name) {
  if (name == NULL || name[0] == '\0')
    return NULL;
  return strcmp(name, "-") == 0 ? stderr : fopen(name, "a");
}

// Texts of the environment may be changed by the program.
static char *copy(const char *text) {
  char *made = text == NULL ? NULL : malloc(strlen(text) + 1);
  return made == NULL ? NULL : memcpy(made, text, strlen(text) + 1);
}

static void set_mode(const char *given) {
  found.mode = VERSIONS_AUTO;
  if (given == NULL || given[0] == '\0' || strcmp(given, "auto") == 0)
    return;
  if (strcmp(given, "off") == 0) {
    found.mode = VERSIONS_OFF;
  } else if (strcmp(given, "each") == 0 || strncmp(given, "each:", 5) == 0) {
    found.mode = VERSIONS_EACH;
    found.first = given[4] == ':' ? (uint32_t)strtoul(given + 5, NULL, 10) : 0;
  } else {
    found.forced = copy(given);
    found.mode = found.forced == NULL ? VERSIONS_OFF : VERSIONS_FORCED;
  }
}

static const char *not_empty(const char *name) {
  const char *value = getenv(name);
  return value == NULL || value[0] == '\0' ? NULL : value;
}

static void read_check(void) {
  enum { MIB_USUALLY = 1024, MIB_AT_MOST = 1 << 20 };
  const char *memory = not_empty("LINEARIZE_CHECK_MEMORY");
  const uint64_t mib = memory == NULL ? MIB_USUALLY : strtoull(memory, NULL, 10);
  found.check = copy(not_empty("LINEARIZE_VERSIONS_CHECK"));
  found.most_checked = (size_t)(mib < MIB_AT_MOST ? mib : MIB_AT_MOST) << 20;
}

static void read_all(void) {
  int error = errno;
  set_mode(getenv("LINEARIZE_VERSIONS"));
  if (found.mode != VERSIONS_OFF) {
    log_file = open_log(getenv("LINEARIZE_VERSIONS_LOG"));
    found.with_sizes = not_empty("LINEARIZE_VERSIONS_SIZES") != NULL;
    const char *fewest = not_empty("LINEARIZE_REFILL_FROM");
    found.fewest_items = fewest == NULL ? 0 : strtoull(fewest, NULL, 10);
    found.make = copy(not_empty("LINEARIZE_VERSIONS_MAKE"));
    found.write = copy(not_empty("LINEARIZE_VERSIONS_WRITE"));
    char *options = copy(getenv("LINEARIZE_OPTIONS"));
    if (options != NULL)
      lin_excepted_clean(options);
    found.except = lin_excepted_among(options);
  }
  if (found.mode == VERSIONS_AUTO)
    find_tuned();
  if (found.mode == VERSIONS_EACH)
    read_check();
  errno = error;
}

const settings *settings_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_all);
  return &found;
}

void settings_log(const char *format, ...) {
  if (log_file == NULL)
    return;
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length < 0)
    return;
  fprintf(log_file, "linearize: %s\n", line);
  fflush(log_file);
}
