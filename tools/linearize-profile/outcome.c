#define _POSIX_C_SOURCE 200809L // fdopendir

#include "outcome.h"

#include "common/cache_file.h"
#include "common/cache_folder.h"
#include "common/child.h"
#include "common/command_line.h"
#include "gains.h"
#include "text.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 4 << 20 }; // of a file that is kept, as remembered.c writes it

// ---- reading

static void add(profile_outcomes *o, profile_outcome outcome) {
  o->file = realloc(o->file, (o->count + (size_t)1) * sizeof *o->file);
  if (o->file == NULL)
    tool_die(1, "out of memory");
  o->file[o->count++] = outcome;
}

static void read_tuned(profile_outcomes *o, const char *program) {
  char name[4096];
  const int length = snprintf(name, sizeof name, "%s.linearize", program);
  if (length <= 0 || (size_t)length >= sizeof name || access(name, R_OK) != 0)
    return;
  size_t size;
  profile_outcome outcome = {.text = tool_read_file(name, &size)};
  lin_versions_error error;
  if (!lin_tuned_read(&outcome.tuned, outcome.text, size, &error))
    tool_die(1, "%s:%zu: %s", name, error.line, error.text);
  o->is_tuned = true;
  add(o, outcome);
}

// Other files that are kept there are answers about PTX.
static void read_kept(profile_outcomes *o, int folder, const char *name) {
  static const char head[] = "linearize tuned ";
  char begin[sizeof head - 1];
  uint64_t size;
  struct stat about;
  const int file = tool_file_open(folder, name, MOST_BYTES, &size);
  if (file < 0)
    return;
  profile_outcome outcome = {.text = NULL};
  lin_versions_error error;
  if (fstat(file, &about) == 0 && tool_file_read(file, begin, sizeof begin) &&
      memcmp(begin, head, sizeof begin) == 0 && lseek(file, 0, SEEK_SET) == 0)
    outcome.text = tool_file_text(file, size);
  close(file);
  if (outcome.text != NULL && lin_tuned_read(&outcome.tuned, outcome.text, size, &error)) {
    outcome.since = about.st_mtime;
    add(o, outcome);
  } else {
    free(outcome.text);
  }
}

profile_outcomes profile_outcomes_read(const char *program) {
  profile_outcomes o = {.count = 0};
  tool_cache cache;
  read_tuned(&o, program);
  const int folder = tool_cache_default(&cache) ? tool_cache_open(&cache) : -1;
  DIR *listed = folder < 0 ? NULL : fdopendir(folder);
  for (struct dirent *entry; listed != NULL && (entry = readdir(listed)) != NULL;)
    if (tool_ends_with(entry->d_name, TOOL_CACHE_END))
      read_kept(&o, folder, entry->d_name);
  if (listed != NULL)
    closedir(listed);
  else if (folder >= 0)
    close(folder);
  return o;
}

void profile_outcomes_release(profile_outcomes *outcomes) {
  for (uint32_t i = 0; i < outcomes->count; i++) {
    lin_tuned_release(&outcomes->file[i].tuned);
    free(outcomes->file[i].text);
  }
  free(outcomes->file);
}

// ---- of a launch

// The first line of the launch's kernel and shape. That counts another hash than versions do.
static const lin_tuned_line *find_in(const lin_tuned *tuned, const lin_counts_launch *l,
                                     bool of_gpu) {
  for (uint32_t i = 0; i < tuned->count; i++) {
    const lin_tuned_line *line = &tuned->line[i];
    if (strcmp(line->kernel, l->kernel) == 0 && memcmp(line->grid, l->grid, sizeof l->grid) == 0 &&
        memcmp(line->block, l->block, sizeof l->block) == 0 &&
        (!of_gpu || strcmp(line->gpu, l->gpu) == 0))
      return line;
  }
  return NULL;
}

// What linearize-tune says of it, else the newest of what is kept, which any program may have left.
static const lin_tuned_line *find(const profile_outcomes *o, const lin_counts_launch *l) {
  const lin_tuned_line *line = o->is_tuned ? find_in(&o->file[0].tuned, l, false) : NULL;
  const profile_outcome *newest = NULL;
  for (uint32_t i = o->is_tuned; i < o->count && (line == NULL || newest != NULL); i++) {
    const lin_tuned_line *found = find_in(&o->file[i].tuned, l, true);
    if (found == NULL || (newest != NULL && newest->since > o->file[i].since))
      continue;
    newest = &o->file[i];
    line = found;
  }
  return line;
}

// How many times as fast as the plain one; 0: nobody knows.
static double gain_of(const lin_tuned_line *line, const lin_tuned_version *v) {
  const lin_tuned_version *plain = lin_tuned_version_of(line, LIN_VERSIONS_PLAIN);
  return v->launches > 0 && plain->launches > 0 && v->time > 0
             ? (double)plain->time / (double)v->time
             : 0;
}

void profile_outcomes_find(const profile_outcomes *outcomes, profile_estimate *e) {
  const lin_tuned_line *line = find(outcomes, e->launch);
  uint32_t winner;
  e->measured = line == NULL ? NAN : 0;
  if (line == NULL || lin_tuned_judge(line, &winner) != LIN_TUNED_IS_WON)
    return;
  const double gain = gain_of(line, &line->version[winner]);
  e->measured = gain > 1 ? e->now - e->now / gain : 0;
}

// What says most of a version of that name.
static int kind_of(const char *name) {
  if (strstr(name, "refilled") != NULL)
    return PROFILE_REFILLED;
  if (strstr(name, "meld") != NULL)
    return PROFILE_MELDED;
  return strstr(name, "merge-loops") != NULL ? PROFILE_MERGED : PROFILE_LINEARIZED;
}

static void print_version(FILE *file, const profile_estimate *e, const char *name, double gain) {
  const profile_version v = profile_version_of(e, kind_of(name));
  const profile_decision *d = &e->decided[kind_of(name)];
  fprintf(file, "    %-28s %19sx%.2f  ", name, "", gain);
  if (v.reason != NULL && d->says != NULL && !isnan(d->saved))
    fprintf(file, "x%.2f was predicted, so none: %s\n", profile_gain(e, e->now - d->saved),
            v.reason);
  else if (v.reason != NULL)
    fprintf(file, "none was predicted: %s\n", v.reason);
  else if (isnan(v.gain))
    fprintf(file, "x%.2f at most was predicted\n", profile_gain(e, e->now - v.bound));
  else
    fprintf(file, "x%.2f was predicted\n", profile_gain(e, e->now - v.gain));
}

static bool is_of_tune(const profile_outcomes *o, const lin_tuned_line *line) {
  const lin_tuned *tuned = o->is_tuned ? &o->file[0].tuned : NULL;
  return tuned != NULL && line >= tuned->line && line < tuned->line + tuned->count;
}

void profile_outcomes_print(FILE *file, const profile_outcomes *outcomes,
                            const profile_estimate *e) {
  const lin_tuned_line *line = find(outcomes, e->launch);
  bool is_first = true;
  for (uint32_t i = 0; line != NULL && i < line->count; i++) {
    const lin_tuned_version *v = &line->version[i];
    const double gain = gain_of(line, v);
    if (gain <= 0 || strcmp(v->name, LIN_VERSIONS_PLAIN) == 0)
      continue;
    if (is_first)
      fprintf(file, "\n  measured by %s\n",
              is_of_tune(outcomes, line) ? "linearize tune" : "earlier runs");
    is_first = false;
    print_version(file, e, v->name, gain);
  }
}
