#define _POSIX_C_SOURCE 200809L // strdup, strnlen

#include "nvrtc.h"

#include "image.h"

#include "graph/fnv.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char mark[] = IMAGE_MARK;

// The sizes that programs were told, each as one number of the program and its size: programs that
// share a place take it from each other, which costs the first its linearized text.
enum { MOST_TOLD = 256 };
static _Atomic uint64_t told[MOST_TOLD];

static uint64_t mix(const void *program, size_t size) {
  uint64_t bits = (uint64_t)(uintptr_t)program * UINT64_C(0x9e3779b97f4a7c15);
  return (bits ^ bits >> 29) + (uint64_t)size * UINT64_C(0xbf58476d1ce4e5b9) + 1;
}

static _Atomic uint64_t *place_of(const void *program) {
  return &told[mix(program, 0) >> 32 & (MOST_TOLD - 1)];
}

// ---- what programs got in place of what

enum { MOST_ORIGINALS = 64 };
typedef struct original {
  uint64_t hash; // of what the program got
  char *text;
} original;
static original originals[MOST_ORIGINALS];
static unsigned next_original;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// NULL: there is none.
static original *find_original(uint64_t hash) {
  for (unsigned i = 0; i < MOST_ORIGINALS; i++)
    if (originals[i].text != NULL && originals[i].hash == hash)
      return &originals[i];
  return NULL;
}

// Takes `text`.
static void remember(const char *given, char *text) {
  const uint64_t hash = lin_fnv_bytes(LIN_FNV_START, given, strlen(given));
  pthread_mutex_lock(&mutex);
  original *place = find_original(hash);
  if (place == NULL)
    place = &originals[next_original++ % MOST_ORIGINALS];
  free(place->text);
  *place = (original){hash, text};
  pthread_mutex_unlock(&mutex);
}

char *nvrtc_original(const char *text, size_t length) {
  const uint64_t hash = lin_fnv_bytes(LIN_FNV_START, text, length);
  pthread_mutex_lock(&mutex);
  const original *found = find_original(hash);
  char *copy = found == NULL ? NULL : strdup(found->text);
  pthread_mutex_unlock(&mutex);
  return copy;
}

// ---- both functions

// The linearized text, with its mark and as long as the original at least, so that whichever of
// both comes has room; or NULL. *size counts the zero at its end. *original is to be freed.
static char *linearize(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                       bool is_quiet, size_t *size, char **original_text) {
  *original_text = NULL;
  size_t original_size = 0;
  if (get_size == NULL || get_text == NULL || get_size(program, &original_size) != 0 ||
      original_size == 0 || original_size > IMAGE_MOST_BYTES)
    return NULL;
  char *text = malloc(original_size);
  if (text == NULL || get_text(program, text) != 0) {
    free(text);
    return NULL;
  }
  *original_text = text;
  image given = {.name = "nvrtcGetPTX", .is_quiet = is_quiet};
  size_t length = 0;
  char *made = image_linearize_text(&given, text, strnlen(text, original_size), &length);
  if (made == NULL)
    return NULL;
  length--;
  size_t most = length + sizeof mark;
  *size = most > original_size ? most : original_size;
  char *result = realloc(made, *size);
  if (result == NULL) {
    free(made);
    return NULL;
  }
  size_t filling = *size - most;
  memset(result + length, '\n', filling);
  memcpy(result + length + filling, mark, sizeof mark);
  return result;
}

int nvrtc_linearized_size(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                          size_t *size) {
  int status = get_size(program, size);
  if (status != 0 || size == NULL)
    return status;
  size_t linearized_size;
  char *before, *text = linearize(get_size, get_text, program, true, &linearized_size, &before);
  if (text != NULL)
    *size = linearized_size;
  free(text);
  free(before);
  *place_of(program) = mix(program, *size);
  return status;
}

int nvrtc_linearized_text(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                          char *text) {
  size_t size;
  char *before, *linearized = linearize(get_size, get_text, program, false, &size, &before);
  bool has_room = linearized != NULL && text != NULL && *place_of(program) == mix(program, size);
  if (has_room) {
    memcpy(text, linearized, size);
    remember(text, before);
  } else {
    free(before);
  }
  free(linearized);
  return has_room ? 0 : get_text(program, text);
}
