#define _POSIX_C_SOURCE 200809L
#include "reply.h"

#include "graph/fnv.h"

#include <inttypes.h>
#include <stdlib.h>

static const char start[] = "linearize-lift ";

static uint64_t sum_of(const char *text, size_t length, const char *said, size_t said_length) {
  return lin_fnv_bytes(lin_fnv_bytes(LIN_FNV_START, text, length), said, said_length);
}

void tool_reply_write(FILE *file, const char *text, size_t length, const char *said,
                      size_t said_length) {
  fprintf(file, "%s%zu %zu %016" PRIx64 "\n", start, length, said_length,
          sum_of(text, length, said, said_length));
  fwrite(text, 1, length, file);
  fwrite(said, 1, said_length, file);
}

static char *copy(const char *text, size_t length) {
  char *result = malloc(length + 1);
  if (result != NULL) {
    memcpy(result, text, length);
    result[length] = '\0';
  }
  return result;
}

// The numbers of its first line, whose end `*text` is behind. False: it has others.
static bool read_head(const char *reply, size_t length, const char **text, size_t *made,
                      size_t *said, uint64_t *sum) {
  const size_t name = sizeof start - 1;
  if (length < name || memcmp(reply, start, name) != 0)
    return false;
  char *end;
  *made = strtoull(reply + name, &end, 10);
  *said = strtoull(end, &end, 10);
  *sum = strtoull(end, &end, 16);
  *text = end + 1;
  return *end == '\n';
}

bool tool_reply_read(const char *reply, size_t length, tool_cache_value *answer) {
  size_t made, said;
  uint64_t sum;
  const char *text;
  if (!read_head(reply, length, &text, &made, &said, &sum))
    return false;
  const size_t rest = length - (size_t)(text - reply);
  if (made == 0 || made > rest || said != rest - made ||
      sum != sum_of(text, made, text + made, said))
    return false;
  *answer = (tool_cache_value){.made = copy(text, made),
                               .said = copy(text + made, said),
                               .made_length = made,
                               .said_length = said};
  if (answer->made != NULL && answer->said != NULL)
    return true;
  free(answer->made);
  free(answer->said);
  *answer = (tool_cache_value){0};
  return false;
}
