#define _GNU_SOURCE // secure_getenv
#include "cache_folder.h"

#include "command_line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Bytes: a thousand modules of 100 KB with what became of them.
static const uint64_t MOST_BYTES = (uint64_t)256 << 20;
// All of them are looked at when one is written: 2 us each, an eighth of the helper's least time.
static const uint32_t MOST_FILES = 2048;
static const time_t MOST_AGE = 3600; // seconds that nobody needs to write a file

// ---- which folder

static bool is_own(const char *folder) {
  struct stat about;
  return stat(folder, &about) == 0 && about.st_uid == geteuid();
}

// Writes it behind the folder `base`. In a home that isn't this user's, as after sudo, nothing is
// made.
static bool name_folder(char *folder, const char *base, const char *end) {
  if (base == NULL || base[0] != '/')
    return false;
  const int length = snprintf(folder, PATH_MAX, "%s%s", base, end);
  return length > 0 && length < PATH_MAX && (end[0] == '\0' || is_own(base));
}

static bool find_folder(char *folder) {
  const char *given = secure_getenv("LINEARIZE_CACHE"), *caches = secure_getenv("XDG_CACHE_HOME");
  if (given != NULL)
    return name_folder(folder, given, "");
  if (caches != NULL && caches[0] == '/')
    return name_folder(folder, caches, "/linearize");
  return name_folder(folder, secure_getenv("HOME"), "/.cache/linearize");
}

static void make_folder(char *folder) {
  char *slash = strrchr(folder, '/');
  if (slash != folder) {
    *slash = '\0';
    mkdir(folder, 0700);
    *slash = '/';
  }
  mkdir(folder, 0700);
}

bool tool_cache_default(tool_cache *cache) {
  *cache = (tool_cache){.most_bytes = MOST_BYTES, .most_files = MOST_FILES};
  if (geteuid() != getuid() || getegid() != getgid() || !find_folder(cache->folder))
    return false;
  make_folder(cache->folder);
  return true;
}

int tool_cache_open(const tool_cache *cache) {
  int folder = open(cache->folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat about;
  if (folder < 0)
    return -1;
  if (fstat(folder, &about) == 0 && about.st_uid == geteuid() &&
      (about.st_mode & (S_IWGRP | S_IWOTH)) == 0)
    return folder;
  close(folder);
  return -1;
}

// ---- its bounds

typedef struct file {
  char name[64];
  uint64_t size;
  struct timespec time;
} file;

typedef struct files {
  file *file;
  uint32_t count, capacity;
  uint64_t size;
} files;

// Sixteen digits, and an end that only files of the cache have.
static bool is_ours(const char *name) {
  return strlen(name) < sizeof((file *)0)->name && strspn(name, "0123456789abcdef") == 16 &&
         (tool_ends_with(name, TOOL_CACHE_END) || tool_ends_with(name, TOOL_CACHE_END_NEW));
}

static void look_at(int folder, const char *name, time_t now, files *all) {
  struct stat about;
  if (!is_ours(name) || fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  if (tool_ends_with(name, TOOL_CACHE_END_NEW) && about.st_mtim.tv_sec < now - MOST_AGE) {
    unlinkat(folder, name, 0);
    return;
  }
  file *f = &all->file[all->count++];
  memcpy(f->name, name, strlen(name) + 1); // which has room
  f->size = (uint64_t)about.st_size;
  f->time = about.st_mtim;
  all->size += f->size;
}

static void list_files(int folder, files *all) {
  const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *listed = again < 0 ? NULL : fdopendir(again);
  if (listed == NULL) {
    if (again >= 0)
      close(again);
    return;
  }
  const time_t now = time(NULL);
  const struct dirent *entry;
  while (all->count < all->capacity && (entry = readdir(listed)) != NULL)
    look_at(folder, entry->d_name, now, all);
  closedir(listed);
}

static int by_time(const void *a, const void *b) {
  const struct timespec *one = &((const file *)a)->time, *other = &((const file *)b)->time;
  if (one->tv_sec != other->tv_sec)
    return one->tv_sec < other->tv_sec ? -1 : 1;
  return (one->tv_nsec > other->tv_nsec) - (one->tv_nsec < other->tv_nsec);
}

void tool_cache_make_room(const tool_cache *cache, int folder, uint64_t size) {
  files all = {.capacity = 2 * cache->most_files};
  all.file = calloc(all.capacity, sizeof *all.file);
  if (all.file == NULL)
    return;
  list_files(folder, &all);
  qsort(all.file, all.count, sizeof *all.file, by_time);
  for (uint32_t i = 0;
       i < all.count && (all.count - i >= cache->most_files || all.size + size > cache->most_bytes);
       i++) {
    unlinkat(folder, all.file[i].name, 0);
    all.size -= all.file[i].size;
  }
  free(all.file);
}
