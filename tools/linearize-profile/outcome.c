#include "outcome.h"

#include "common/child.h"
#include "common/command_line.h"
#include "gains.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

profile_outcomes profile_outcomes_read(const char *program) {
  profile_outcomes o = {.text = NULL};
  char name[4096];
  const int length = snprintf(name, sizeof name, "%s.linearize", program);
  if (length <= 0 || (size_t)length >= sizeof name || access(name, R_OK) != 0)
    return o;
  size_t size;
  o.text = tool_read_file(name, &size);
  lin_versions_error error;
  if (!lin_tuned_read(&o.tuned, o.text, size, &error))
    tool_die(1, "%s:%zu: %s", name, error.line, error.text);
  return o;
}

void profile_outcomes_release(profile_outcomes *outcomes) {
  lin_tuned_release(&outcomes->tuned);
  free(outcomes->text);
}

// The first line of the launch's kernel and shape. That counts another hash than versions do.
static const lin_tuned_line *find(const profile_outcomes *o, const lin_counts_launch *l) {
  for (uint32_t i = 0; i < o->tuned.count; i++) {
    const lin_tuned_line *line = &o->tuned.line[i];
    if (strcmp(line->kernel, l->kernel) == 0 && memcmp(line->grid, l->grid, sizeof l->grid) == 0 &&
        memcmp(line->block, l->block, sizeof l->block) == 0)
      return line;
  }
  return NULL;
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
  return strstr(name, "merge-loops") != NULL ? PROFILE_MERGED : PROFILE_LINEARIZED;
}

static void print_version(FILE *file, const profile_estimate *e, const char *name, double gain) {
  const profile_version v = profile_version_of(e, kind_of(name));
  fprintf(file, "    %-28s %19sx%.2f  ", name, "", gain);
  if (v.reason != NULL)
    fprintf(file, "none was predicted: %s\n", v.reason);
  else if (isnan(v.gain))
    fprintf(file, "x%.2f at most was predicted\n", profile_gain(e, e->now - v.bound));
  else
    fprintf(file, "x%.2f was predicted\n", profile_gain(e, e->now - v.gain));
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
      fputs("\n  measured by linearize tune\n", file);
    is_first = false;
    print_version(file, e, v->name, gain);
  }
}
