#include "patch.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void lin_ptx_change_text(lin_ptx_patch *patch, uint32_t start, uint32_t end, const char *text) {
  uint32_t length = (uint32_t)strlen(text);
  patch->change = LIN_ROOM(patch->arena, patch->change, patch->count, &patch->capacity);
  patch->change[patch->count] = (lin_ptx_change){start, end, patch->count, length,
                                                 lin_arena_text(patch->arena, text, length)};
  patch->count++;
}

static int by_place(const void *left, const void *right) {
  const lin_ptx_change *a = left, *b = right;
  if (a->start != b->start)
    return a->start < b->start ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

void lin_ptx_patch_write(FILE *file, const char *text, uint32_t length, lin_ptx_patch *patch) {
  uint32_t at = 0;
  if (patch->count > 0)
    qsort(patch->change, patch->count, sizeof *patch->change, by_place);
  for (uint32_t i = 0; i < patch->count; i++) {
    const lin_ptx_change *change = &patch->change[i];
    assert(at <= change->start && change->end <= length);
    fwrite(text + at, 1, change->start - at, file);
    fwrite(change->text, 1, change->length, file);
    at = change->end;
  }
  fwrite(text + at, 1, length - at, file);
  patch->count = 0;
}
