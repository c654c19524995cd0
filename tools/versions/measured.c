#include "measured.h"

#include "settings.h"

#include <string.h>

// The driver's version: that of NVIDIA's kernel module, or else the CUDA that it can do.
static const char *driver_name(const gpu *g) {
  static char name[64];
  int version = 0;
  FILE *file = name[0] == '\0' ? fopen("/sys/module/nvidia/version", "r") : NULL;
  if (file != NULL) {
    if (fgets(name, sizeof name, file) == NULL)
      name[0] = '\0';
    char *end = strchr(name, '\n');
    if (end != NULL)
      *end = '\0';
    fclose(file);
  }
  if (name[0] == '\0' && g->cuDriverGetVersion(&version) == DRIVER_SUCCESS)
    snprintf(name, sizeof name, "CUDA %d.%d", version / 1000, version % 1000 / 10);
  return name;
}

// What was found of a version. A single launch has a time, though it is that of the first one.
static lin_tuned_version version_of(const kernel *k, const shape *s, uint32_t v) {
  const lin_trial *t = &s->trial;
  lin_times times = lin_trial_times(t, v);
  if (t->is_rotating && t->heard == 1 && v == settings_get()->first % k->versions)
    return (lin_tuned_version){.name = k->name[v], .time = t->cold, .launches = 1};
  return (lin_tuned_version){.name = k->name[v],
                             .time = lin_times_median(&times, 0),
                             .noise = lin_times_noise(&times),
                             .launches = lin_times_kept(&times)};
}

void measured_fill(lin_tuned_line *line, const kernel *k, const shape *s) {
  *line = (lin_tuned_line){.kernel = k->symbol,
                           .hash = k->hash,
                           .shared = s->shared,
                           .sizes = s->sizes,
                           .gpu = k->gpu_name,
                           .driver = driver_name(k->gpu),
                           .compiler = k->compiler};
  memcpy(line->grid, s->grid, sizeof line->grid);
  memcpy(line->block, s->block, sizeof line->block);
  for (uint32_t v = 0; v < k->versions; v++)
    if (s->trial.version[v].rank != LIN_BANNED)
      line->version[line->count++] = version_of(k, s, v);
  line->winner = lin_tuned_winner(line);
}
