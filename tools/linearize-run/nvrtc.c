#define _POSIX_C_SOURCE 200809L // strnlen

#include "nvrtc.h"

#include "image.h"

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

// The linearized text, with its mark and as long as the original at least, so that whichever of
// both comes has room; or NULL. *size counts the zero at its end.
static char *linearize(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                       bool is_quiet, size_t *size) {
  size_t original_size = 0;
  if (get_size == NULL || get_text == NULL || get_size(program, &original_size) != 0 ||
      original_size == 0 || original_size > IMAGE_MOST_BYTES)
    return NULL;
  char *original = malloc(original_size);
  if (original == NULL || get_text(program, original) != 0) {
    free(original);
    return NULL;
  }
  image given = {.name = "nvrtcGetPTX", .is_quiet = is_quiet};
  size_t length = 0;
  char *text = image_linearize_text(&given, original, strnlen(original, original_size), &length);
  free(original);
  if (text == NULL)
    return NULL;
  length--;
  size_t most = length + sizeof mark;
  *size = most > original_size ? most : original_size;
  char *result = realloc(text, *size);
  if (result == NULL) {
    free(text);
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
  char *text = linearize(get_size, get_text, program, true, &linearized_size);
  if (text != NULL)
    *size = linearized_size;
  free(text);
  *place_of(program) = mix(program, *size);
  return status;
}

int nvrtc_linearized_text(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                          char *text) {
  size_t size;
  char *linearized = linearize(get_size, get_text, program, false, &size);
  bool has_room = linearized != NULL && text != NULL && *place_of(program) == mix(program, size);
  if (has_room)
    memcpy(text, linearized, size);
  free(linearized);
  return has_room ? 0 : get_text(program, text);
}
