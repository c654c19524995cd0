#define _GNU_SOURCE // program_invocation_name
#include "verdict.h"

#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

typedef struct sums {
  uint32_t kernels, changed, waiting;
  uint64_t time;         // ns that all kernels took which may have versions
  uint64_t changed_time; // of these, those that were changed
  int64_t saved;         // of their time
} sums;

static sums all; // first those that are gone

void verdict_keep(const kernel *k) {
  const uint64_t time = kernels_time(k) + (k->before == NULL ? 0 : kernels_time(k->before));
  int64_t saved = 0;
  bool is_changed = false;
  for (const shape *s = k->shapes; s != NULL; s = s->next) {
    saved += lin_trial_saved(&s->trial);
    is_changed |= s->trial.best != 0;
  }
  all.kernels++;
  all.waiting += k->waits && making_is_started(k->making);
  all.changed += is_changed;
  all.time += time;
  all.changed_time += is_changed ? time : 0;
  all.saved += saved;
}

static void say_changed(void) {
  const double after = (double)all.changed_time / 1e6, before = after + (double)all.saved / 1e6;
  fprintf(
      stderr,
      "linearize: %u of %u kernels changed: %.1f ms of GPU time, about %.1f ms without (x%.2f); "
      "more: linearize tune %s\n",
      all.changed, all.kernels, after, before, after > 0 ? before / after : 1,
      program_invocation_name);
}

void verdict_say(void) {
  const settings *e = settings_get();
  if (e->make == NULL || e->mode != VERSIONS_AUTO || isatty(STDERR_FILENO) == 0)
    return;
  for (const kernel *k = kernels_first(); k != NULL; k = k->next)
    verdict_keep(k);
  if (all.kernels == 0 && making_without_text() > 0)
    fprintf(
        stderr,
        "linearize: none of %u kernels has PTX in the program: nvcc -arch=sm_90 leaves it there, "
        "-rdc=true and -dlto don't\n",
        making_without_text());
  if (all.kernels == 0)
    return;
  if (all.changed > 0)
    say_changed();
  else if (all.waiting > 0)
    fprintf(stderr, "linearize: versions of %u kernels are being made; the next run tries them\n",
            all.waiting);
  else
    fprintf(
        stderr,
        "linearize: %u kernels stay as they are, in %.1f ms of GPU time; why: linearize profile "
        "%s\n",
        all.kernels, (double)all.time / 1e6, program_invocation_name);
}
