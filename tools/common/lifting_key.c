#define _GNU_SOURCE // memmem
#include "lifting_key.h"

#include "llvm_id.h"

#include "graph/fnv.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// A helper that was installed anew has another time of change, whatever its package says of when it
// was built. LLVM may be exchanged under it.
static bool write_program(FILE *key, const char *program) {
  struct stat about;
  if (stat(program, &about) != 0)
    return false;
  fprintf(key, "%s\n%lld bytes, %lld.%09ld, %lld.%09ld\n", program, (long long)about.st_size,
          (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec, (long long)about.st_ctim.tv_sec,
          about.st_ctim.tv_nsec);
  tool_llvm_id_write(key, program);
  fputc('\n', key);
  return true;
}

static bool write_contents(FILE *key, int file) {
  char buffer[1 << 12];
  uint64_t hash = LIN_FNV_START, length = 0;
  for (;;) {
    const ssize_t more = read(file, buffer, sizeof buffer);
    if (more < 0 && errno == EINTR)
      continue;
    if (more <= 0) {
      fprintf(key, "%016" PRIx64 " of %" PRIu64 "\n", hash, length);
      return more == 0;
    }
    hash = lin_fnv_bytes(hash, buffer, (size_t)more);
    length += (uint64_t)more;
  }
}

// An option's value that is the name of a file counts with what that holds, so that no list has to
// say which options name files. A pipe can't be read twice: false.
static bool write_file(FILE *key, const char *name) {
  struct stat about;
  if (stat(name, &about) != 0 || S_ISDIR(about.st_mode))
    return true; // then it is no file, or the helper fails
  const int file = S_ISREG(about.st_mode) ? open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
  if (file < 0)
    return false;
  const bool is_written = write_contents(key, file);
  close(file);
  return is_written;
}

static bool write_files(FILE *key, const char *options) {
  char *copy = strdup(options), *rest = NULL;
  bool is_written = copy != NULL;
  for (char *word = is_written ? strtok_r(copy, ";", &rest) : NULL; word != NULL && is_written;
       word = strtok_r(NULL, ";", &rest)) {
    const char *value = strchr(word, '=');
    is_written = value == NULL || write_file(key, value + 1);
  }
  free(copy);
  return is_written;
}

char *tool_lifting_key(const char *program, const char *options, uint32_t sm) {
  char *text = NULL;
  size_t length;
  FILE *key = open_memstream(&text, &length);
  if (key == NULL)
    return NULL;
  const bool is_written = write_program(key, program) &&
                          fprintf(key, "sm_%" PRIu32 "\n%s\n", sm, options) > 0 &&
                          write_files(key, options) && !ferror(key);
  if (fclose(key) == 0 && is_written)
    return text;
  free(text);
  return NULL;
}

// Remarks have its last component. Names of blocks that are counted are numbers, one for each byte.
bool tool_lifting_is_named(const char *name, const tool_cache_value *answer) {
  const char *slash = strrchr(name, '/'), *last = slash == NULL ? name : slash + 1;
  if (memmem(answer->said, answer->said_length, last, strlen(last)) != NULL)
    return true;
  static const char counted[] = "__linearize_blocks_";
  return answer->made != NULL &&
         (memmem(answer->made, answer->made_length, last, strlen(last)) != NULL ||
          memmem(answer->made, answer->made_length, counted, sizeof counted - 1) != NULL);
}
