#define _GNU_SOURCE // memmem

#include "noted.h"

#include "graph/fnv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_PATH = 4096 };
#define MOST_BYTES ((size_t)8 << 20)

// False: nothing is wanted.
static bool find_path(const char *name, char path[MOST_PATH]) {
  const char *given = getenv("LINEARIZE_COUNTS");
  const char *process = given == NULL ? NULL : strstr(given, "/%p.found");
  if (process == NULL || process - given > MOST_PATH / 2)
    return false;
  snprintf(path, MOST_PATH, "%.*s/%s.found", (int)(process - given), given, name);
  return true;
}

static bool write_all(int file, const char *text, size_t length) {
  while (length > 0) {
    const ssize_t done = write(file, text, length);
    if (done < 0 && errno != EINTR)
      return false;
    text += done < 0 ? 0 : done;
    length -= done < 0 ? 0 : (size_t)done;
  }
  return true;
}

bool noted_ptx(const char *text, size_t length, char name[NOTED_NAME]) {
  static atomic_size_t kept;
  char path[MOST_PATH];
  const uint64_t hash = lin_fnv_bytes(LIN_FNV_START, text, length);
  snprintf(name, NOTED_NAME, "linearize-%08" PRIx32 ".ptx", (uint32_t)(hash ^ hash >> 32));
  const bool has_places =
      memmem(text, length, "\t.loc\t", 6) != NULL || memmem(text, length, "\t.loc ", 6) != NULL;
  if (!find_path(name, path))
    return false;
  if (atomic_fetch_add(&kept, length) + length > MOST_BYTES)
    return false;
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0)
    return errno == EEXIST && !has_places; // the same text was loaded before
  const bool is_written = write_all(file, text, length);
  close(file);
  return is_written && !has_places;
}

void noted_reason(const char *line) {
  char path[MOST_PATH], text[512];
  if (!find_path("notes", path))
    return;
  const int length = snprintf(text, sizeof text, "%s\n", line);
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0)
    return;
  write_all(file, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
  close(file);
}
