#include "places.h"

#include <stdarg.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

uint32_t lin_ptx_begin_line(const lin_ptx_body *body, uint32_t place) {
  const char *text = body->module->text;
  uint32_t at = place;
  while (at > body->place->body && is_blank(text[at - 1]))
    at--;
  return at > body->place->body && text[at - 1] == '\n' ? at : place;
}

uint32_t lin_ptx_end_line(const lin_ptx_body *body, uint32_t place) {
  const char *text = body->module->text;
  uint32_t at = place, end = body->place->end;
  while (at < end && is_blank(text[at]))
    at++;
  if (at + 1 < end && text[at] == '/' && text[at + 1] == '/')
    while (at < end && text[at] != '\n')
      at++;
  return at < end && text[at] == '\n' ? at + 1 : place;
}

uint32_t lin_ptx_place_before(const lin_ptx_function *f, lin_block block) {
  if (block >= f->num_written)
    return lin_ptx_begin_line(f->body, f->body->place->end);
  const lin_ptx_block *b = &f->block[block];
  return b->label != LIN_NONE ? lin_ptx_begin_line(f->body, b->start)
                              : lin_ptx_end_line(f->body, b->start);
}

uint32_t lin_ptx_place_of(const lin_ptx_body *body, uint32_t at) {
  return lin_ptx_begin_line(body, body->instruction[at].start);
}

void lin_ptx_span_of(const lin_ptx_body *body, uint32_t at, uint32_t *start, uint32_t *end) {
  const lin_ptx_instruction *i = &body->instruction[at];
  *start = lin_ptx_begin_line(body, i->start);
  *end = lin_ptx_end_line(body, i->end);
  bool is_line = *start > 0 && body->module->text[*start - 1] == '\n' && *end > i->end;
  *start = is_line ? *start : i->start;
  *end = is_line ? *end : i->end;
}

const char *lin_ptx_fresh_prefix(lin_arena *arena, const lin_ptx_body *body) {
  uint32_t start = body->place->signature, length = body->place->end - start;
  const char *text = body->module->text;
  char *prefix = lin_arena_text(arena, "linearize00000", 14);
  for (unsigned number = 0;; number++) {
    snprintf(prefix, 15, number == 0 ? "linearize" : "linearize%u", number);
    bool is_there = false;
    size_t size = strlen(prefix);
    for (const char *at = text + start, *end = at + length;
         !is_there && (at = memchr(at, 'l', (size_t)(end - at))) != NULL; at++)
      is_there = (size_t)(end - at) > size && memcmp(at, prefix, size) == 0 && at[size] == '_';
    if (!is_there)
      return prefix;
  }
}

void lin_ptx_say(lin_ptx_lines *lines, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  uint32_t length = (uint32_t)vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (lines->length + length + 1 > lines->capacity) {
    uint32_t capacity = 2 * (lines->length + length) + 64;
    char *larger = lin_arena_bytes(lines->arena, capacity);
    if (lines->length > 0)
      memcpy(larger, lines->text, lines->length);
    lines->text = larger;
    lines->capacity = capacity;
  }
  va_start(arguments, format);
  vsnprintf(lines->text + lines->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  lines->length += length;
}

void lin_ptx_insert(lin_ptx_patch *patch, const lin_ptx_body *body, uint32_t place,
                    lin_ptx_lines *lines) {
  if (lines->length == 0)
    return;
  if (place > 0 && body->module->text[place - 1] != '\n') {
    char *longer = lin_arena_bytes(lines->arena, (size_t)lines->length + 2);
    longer[0] = '\n';
    memcpy(longer + 1, lines->text, (size_t)lines->length + 1);
    lin_ptx_change_text(patch, place, place, longer);
  } else {
    lin_ptx_change_text(patch, place, place, lines->text);
  }
  lines->length = 0;
}
