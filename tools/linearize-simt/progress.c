#define _POSIX_C_SOURCE 200809L // clock_gettime, isatty

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double first_after = 1, then_after = 0.25; // seconds
static double next_at;                                  // 0: not begun
static int is_shown;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void tool_progress(void *file, uint64_t blocks_begun, uint64_t blocks) {
  double time = now();
  if (next_at == 0)
    next_at = time + first_after;
  if (time < next_at || !isatty(STDERR_FILENO))
    return;
  fprintf(stderr, "\r\033[K%s: block %" PRIu64 " of %" PRIu64, (const char *)file, blocks_begun + 1,
          blocks);
  next_at = time + then_after;
  is_shown = 1;
}

void tool_progress_end(void) {
  if (is_shown)
    fputs("\r\033[K", stderr);
  is_shown = 0;
  next_at = 0;
}
