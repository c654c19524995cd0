#define _DEFAULT_SOURCE // flock
#include "remembered.h"

#include "common/cache_file.h"
#include "common/cache_folder.h"
#include "graph/fnv.h"
#include "measured.h"
#include "settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum {
  MOST_BYTES = 4 << 20, // of a file
  MOST_LAUNCHES = 64,   // of a version in earlier runs that count: data change
  MOST_WAITS = 50,      // milliseconds, for other processes
  SECONDS = 4,          // between two times that a file is written
};

struct remembered {
  char name[32];
  char *text; // that lines point into
  lin_tuned tuned;
  time_t written;
};

// ---- the folder

static tool_cache cache;
static bool is_on;

static void find_cache(void) {
  is_on = settings_get()->mode == VERSIONS_AUTO && tool_cache_default(&cache);
}

static int open_folder(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_cache);
  return is_on ? tool_cache_open(&cache) : -1;
}

static void name_file(const kernel *k, char name[32]) {
  uint64_t hash = lin_fnv_text(LIN_FNV_START, "linearize tuned 1");
  hash = lin_fnv_text(hash, k->symbol);
  hash = lin_fnv_bytes(hash, &k->hash, sizeof k->hash);
  hash = lin_fnv_text(hash, k->gpu_name);
  hash = lin_fnv_text(hash, k->compiler);
  snprintf(name, 32, "%016" PRIx64 TOOL_CACHE_END, hash);
}

// ---- reading

// Returns the text, which lines point into, or NULL.
static char *read_file(int folder, const char *name, lin_tuned *tuned) {
  uint64_t size;
  lin_versions_error error;
  const int file = tool_file_open(folder, name, MOST_BYTES, &size);
  if (file < 0)
    return NULL;
  char *text = tool_file_text(file, size);
  close(file);
  if (text == NULL || lin_tuned_read(tuned, text, size, &error))
    return text;
  settings_log("%s/%s:%zu: %s", cache.folder, name, error.line, error.text);
  free(text);
  return NULL;
}

void remembered_read(kernel *k) {
  const int folder = open_folder();
  struct remembered *r = folder < 0 ? NULL : calloc(1, sizeof *r);
  if (r != NULL) {
    name_file(k, r->name);
    r->written = time(NULL);
    r->text = read_file(folder, r->name, &r->tuned);
  }
  if (folder >= 0)
    close(folder);
  k->remembered = r;
}

void remembered_release(kernel *k) {
  if (k->remembered == NULL)
    return;
  lin_tuned_release(&k->remembered->tuned);
  free(k->remembered->text);
  free(k->remembered);
}

// ---- beginning

static uint32_t number_of(const kernel *k, const char *name) {
  for (uint32_t i = 0; i < k->versions; i++)
    if (strcmp(k->name[i], name) == 0)
      return i;
  return k->versions;
}

static void say(const kernel *k, const shape *s, const char *by) {
  settings_log("%s, grid %u %u %u, block %u %u %u: begins with %s, as %s", k->symbol, s->grid[0],
               s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
               k->name[s->trial.best], by);
}

// A version that isn't there any more can't be the first one.
static void resume(const kernel *k, shape *s, const lin_tuned_line *line) {
  for (uint32_t i = 0; i < line->count; i++) {
    const lin_tuned_version *v = &line->version[i];
    uint32_t number = number_of(k, v->name);
    if (number < k->versions)
      lin_trial_remember(&s->trial, number, v->time, v->launches, &v->first);
  }
  uint32_t best = number_of(k, line->version[lin_tuned_best(line)].name);
  lin_trial_resume(&s->trial, &kernels_ledger, best == k->versions ? 0 : best,
                   lin_tuned_is_few(line));
  say(k, s, "earlier runs found");
}

// What the kernel's file says is newer than what linearize-tune found.
static void begin_with_known(const kernel *k, shape *s) {
  lin_tuned_line key = {
      .kernel = k->symbol, .hash = k->hash, .sizes = s->sizes, .gpu = k->gpu_name};
  memcpy(key.grid, s->grid, sizeof key.grid);
  memcpy(key.block, s->block, sizeof key.block);
  key.shared = s->shared;
  const lin_tuned *files[] = {&settings_get()->tuned,
                              k->remembered == NULL ? NULL : &k->remembered->tuned};
  lin_tuned known = {0};
  for (int i = 0; i < 2; i++) {
    const lin_tuned_line *line = files[i] == NULL ? NULL : lin_tuned_find(files[i], &key);
    if (line != NULL)
      lin_tuned_add(&known, line);
  }
  if (known.count > 0)
    resume(k, s, &known.line[0]);
  lin_tuned_release(&known);
}

void remembered_begin(const kernel *k, shape *s) {
  const settings *e = settings_get();
  if (e->mode == VERSIONS_EACH) {
    lin_trial_rotate(&s->trial, e->first);
  } else if (e->mode == VERSIONS_FORCED) {
    uint32_t version = number_of(k, e->forced);
    lin_trial_decide(&s->trial, version == k->versions ? 0 : version);
    say(k, s, "LINEARIZE_VERSIONS says");
  } else if (!s->is_class) {
    begin_with_known(k, s);
  }
}

// ---- writing

static bool has_news(const kernel *k) {
  for (const shape *s = k->shapes; s != NULL; s = s->next)
    for (uint32_t v = 0; v < k->versions && !s->is_class; v++)
      if (s->trial.version[v].measured != s->written[v])
        return true;
  return false;
}

// That nobody asks about yet, too.
static uint32_t count_launches(const shape *s) {
  int quiet = atomic_load(&((shape *)(uintptr_t)s)->quiet);
  uint64_t launches = s->launches + (uint64_t)(s->granted - (quiet > 0 ? quiet : 0)) +
                      atomic_load(&((shape *)(uintptr_t)s)->uncounted);
  return launches > UINT32_MAX ? UINT32_MAX : (uint32_t)launches;
}

// The times that aren't written yet, of a version that may have but a first one.
static void fill_news(lin_tuned_version *v, const shape *s, uint32_t number) {
  const lin_contender *c = &s->trial.version[number];
  uint32_t launches = c->measured - s->written[number];
  if (v->launches == 0)
    v->time = c->first.time[0];
  v->launches = v->time > 0 ? launches : 0;
  if (launches == 0)
    return;
  v->first = c->first;
  v->first.launches = count_launches(s);
}

static void add_shape(lin_tuned *all, const kernel *k, shape *s) {
  lin_tuned_line line;
  measured_fill(&line, k, s);
  for (uint32_t i = 0; i < line.count; i++)
    fill_news(&line.version[i], s, number_of(k, line.version[i].name));
  if (!lin_tuned_add(all, &line))
    return;
  for (uint32_t v = 0; v < k->versions; v++)
    s->written[v] = s->trial.version[v].measured;
}

// A program that has other shapes in each run doesn't make the file grow.
static void make_old(lin_tuned *all) {
  if (all->count > KERNELS_MOST_SHAPES)
    all->count = 0;
  for (uint32_t i = 0; i < all->count; i++)
    for (uint32_t v = 0; v < all->line[i].count; v++)
      if (all->line[i].version[v].launches > MOST_LAUNCHES)
        all->line[i].version[v].launches = MOST_LAUNCHES;
}

// Until the folder is closed. Where folders can't be locked, what two processes add at the same
// time may get lost. False: another one is at it, and in the end, is so for too long.
static bool lock(int folder, bool is_last) {
  static int waits;
  const struct timespec millisecond = {.tv_nsec = 1000000};
  while (flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    if (!is_last || waits++ >= MOST_WAITS)
      return false;
    nanosleep(&millisecond, NULL);
  }
  return true;
}

static void write_file(int folder, const char *name, const lin_tuned *all) {
  char *text = NULL;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  if (file == NULL)
    return;
  lin_tuned_write(file, all);
  const bool is_whole = !ferror(file);
  if (fclose(file) == 0 && is_whole && length <= MOST_BYTES)
    tool_file_write(folder, name, &(tool_piece){text, length}, 1);
  free(text);
}

static void add_to_file(int folder, kernel *k) {
  lin_tuned all = {0};
  char *text = read_file(folder, k->remembered->name, &all);
  if (text == NULL)
    tool_cache_make_room(&cache, folder, MOST_BYTES / 64);
  make_old(&all);
  for (shape *s = k->shapes; s != NULL; s = s->next)
    if (!s->is_class)
      add_shape(&all, k, s);
  write_file(folder, k->remembered->name, &all);
  lin_tuned_release(&all);
  free(text);
}

bool remembered_write(kernel *k, bool is_last) {
  struct remembered *r = k->remembered;
  if (r == NULL || (!is_last && time(NULL) < r->written + SECONDS) || !has_news(k))
    return false;
  const int folder = open_folder();
  if (folder < 0)
    return false;
  const bool is_locked = lock(folder, is_last);
  if (is_locked)
    add_to_file(folder, k);
  close(folder);
  r->written = time(NULL);
  return is_locked;
}
