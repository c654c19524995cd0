// What was found, written to the file $LINEARIZE_VERSIONS_WRITE when the program ends, and every
// second before, so that little is lost of a program that crashes: beside it, and then in its
// place. Likewise to the files that the next run begins with (remembered.h).
#define _POSIX_C_SOURCE 200809L

#include "found.h"

#include "measured.h"
#include "remembered.h"
#include "settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char path[4096];
static pid_t owner;
static time_t written;
static lin_tuned kept; // of kernels that are gone

// ---- texts that outlive their kernels ----------------------------------------------------------

static struct {
  char **text; // [count] each once, sorted
  uint32_t count, capacity;
} texts;

static bool make_room(void) {
  if (texts.count < texts.capacity)
    return true;
  uint32_t capacity = texts.capacity == 0 ? 64 : 2 * texts.capacity;
  char **text = realloc(texts.text, capacity * sizeof *text);
  if (text == NULL)
    return false;
  texts.text = text;
  texts.capacity = capacity;
  return true;
}

// False: there is no room for it. O(texts).
static bool keep_text(const char **text) {
  uint32_t low = 0, high = texts.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(texts.text[middle], *text);
    if (order == 0) {
      *text = texts.text[middle];
      return true;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  char *copy = make_room() ? strdup(*text) : NULL;
  if (copy == NULL)
    return false;
  memmove(&texts.text[low + 1], &texts.text[low], (texts.count - low) * sizeof copy);
  texts.text[low] = copy;
  texts.count++;
  *text = copy;
  return true;
}

static bool keep_texts(lin_tuned_line *line) {
  bool is_kept = keep_text(&line->kernel) && keep_text(&line->gpu) && keep_text(&line->driver) &&
                 keep_text(&line->compiler) && keep_text(&line->winner);
  for (uint32_t v = 0; is_kept && v < line->count; v++)
    is_kept = keep_text(&line->version[v].name);
  return is_kept;
}

// ---- kernels -----------------------------------------------------------------------------------

static void add_kernel(lin_tuned *all, const kernel *k, bool outlives) {
  lin_tuned_line line;
  for (const shape *s = k->shapes; s != NULL && k->versions > 1; s = s->next)
    if (!s->is_class) {
      measured_fill(&line, k, s);
      if (!outlives || keep_texts(&line))
        lin_tuned_add(all, &line);
    }
}

static void collect(lin_tuned *all) {
  for (uint32_t i = 0; i < kept.count; i++)
    lin_tuned_add(all, &kept.line[i]);
  for (const kernel *k = kernels_first(); k != NULL; k = k->next)
    add_kernel(all, k, false);
}

// ---- the file ----------------------------------------------------------------------------------

static void write_file(void) {
  char part[sizeof path + sizeof ".part"];
  lin_tuned all = {0};
  snprintf(part, sizeof part, "%s.part", path);
  FILE *file = fopen(part, "w");
  bool is_whole = file != NULL;
  if (is_whole) {
    collect(&all);
    lin_tuned_write(file, &all);
    is_whole = !ferror(file);
    is_whole = fclose(file) == 0 && is_whole && rename(part, path) == 0;
  }
  lin_tuned_release(&all);
  written = time(NULL);
  if (!is_whole) {
    settings_log("%s: %s: what was found is lost", path, strerror(errno));
    path[0] = '\0';
  }
}

// %p becomes the process.
static void find_path(void) {
  const char *given = settings_get()->write;
  owner = getpid();
  written = time(NULL);
  if (given == NULL)
    return;
  const char *process = strstr(given, "%p");
  int length = process == NULL ? snprintf(path, sizeof path, "%s", given)
                               : snprintf(path, sizeof path, "%.*s%ld%s", (int)(process - given),
                                          given, (long)owner, process + 2);
  if (length < 0 || (size_t)length >= sizeof path)
    path[0] = '\0';
}

static bool is_wanted(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_path);
  return path[0] != '\0' && owner == getpid();
}

// Whoever launches waits for it: so few files are written at a time.
static void remember(bool is_last) {
  enum { MOST = 4 };
  int files = 0;
  for (kernel *k = kernels_first(); k != NULL && (is_last || files < MOST); k = k->next)
    files += remembered_write(k, is_last);
  written = time(NULL);
}

void found_now_and_then(void) {
  bool has_path = is_wanted();
  if (owner != getpid() || time(NULL) == written)
    return;
  if (has_path)
    write_file();
  remember(false);
}

void found_keep(kernel *k) {
  if (is_wanted())
    add_kernel(&kept, k, true);
  if (owner == getpid())
    remembered_write(k, true);
}

bool found_is_owner(void) { return owner == getpid(); }

// A thread that is still at it has the lock, and what it found last is lost.
void found_at_end(void) {
  if (owner != getpid() || pthread_mutex_trylock(&kernels_lock) != 0)
    return;
  if (path[0] != '\0')
    write_file();
  remember(true);
  pthread_mutex_unlock(&kernels_lock);
}

__attribute__((destructor)) static void end(void) { found_at_end(); }
