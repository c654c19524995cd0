#define _POSIX_C_SOURCE 200809L
#include "cache_file.h"

#include "cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// A pipe by its name doesn't stop us.
int tool_file_open(int folder, const char *name, uint64_t most_bytes, uint64_t *size) {
  const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return -1;
  struct stat about;
  const bool is_good = fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
                       about.st_uid == geteuid() && (about.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
                       (uint64_t)about.st_size <= most_bytes;
  if (is_good) {
    *size = (uint64_t)about.st_size;
    return file;
  }
  close(file);
  return -1;
}

bool tool_file_read(int file, void *bytes, size_t length) {
  for (size_t used = 0; used < length;) {
    const ssize_t more = read(file, (char *)bytes + used, length - used);
    if (more == 0 || (more < 0 && errno != EINTR))
      return false;
    used += more > 0 ? (size_t)more : 0;
  }
  return true;
}

char *tool_file_text(int file, size_t length) {
  char *text = malloc(length + 1);
  if (text == NULL || !tool_file_read(file, text, length)) {
    free(text);
    return NULL;
  }
  text[length] = '\0';
  return text;
}

static bool write_piece(int file, tool_piece p) {
  for (size_t used = 0; used < p.length;) {
    const ssize_t more = write(file, p.bytes + used, p.length - used);
    if (more < 0 && errno != EINTR)
      return false;
    used += more > 0 ? (size_t)more : 0;
  }
  return true;
}

// A file larger than the process may write ends it by SIGXFSZ.
static bool may_write(const tool_piece *pieces, int count) {
  struct rlimit most;
  uint64_t size = 0;
  for (int i = 0; i < count; i++)
    size += pieces[i].length;
  return getrlimit(RLIMIT_FSIZE, &most) == 0 && size <= most.rlim_cur;
}

// Whoever has the same name at the same time, in another container, is left alone by O_EXCL.
bool tool_file_write(int folder, const char *name, const tool_piece *pieces, int count) {
  char other[64];
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(other, sizeof other, "%.16s.%lx.%lx" TOOL_CACHE_END_NEW, name, (long)getpid(),
           (long)now.tv_nsec);
  if (!may_write(pieces, count))
    return false;
  const int file =
      openat(folder, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    return false;
  bool is_written = true;
  for (int i = 0; i < count && is_written; i++)
    is_written = write_piece(file, pieces[i]);
  is_written = close(file) == 0 && is_written && renameat(folder, other, folder, name) == 0;
  if (!is_written)
    unlinkat(folder, other, 0);
  return is_written;
}
