#include "variables.h"

#include <string.h>

lin_ptx_space lin_ptx_space_of(const char *text, lin_ptx_token word) {
  static const struct {
    const char *word;
    lin_ptx_space space;
  } spaces[] = {{".global", LIN_PTX_GLOBAL}, {".shared", LIN_PTX_SHARED}, {".const", LIN_PTX_CONST},
                {".local", LIN_PTX_LOCAL},   {".param", LIN_PTX_PARAM},   {".reg", LIN_PTX_REG}};
  for (size_t i = 0; word.first == '.' && i < sizeof spaces / sizeof *spaces; i++)
    if (lin_ptx_is(text, word, spaces[i].word))
      return spaces[i].space;
  return LIN_PTX_GENERIC;
}

// The number in `.v4`, or in `.u32`; in `.f16x2` it is 32.
static uint32_t number_in(const char *text, lin_ptx_token word) {
  uint32_t number = 0, times = 1;
  for (uint32_t at = word.start; at < word.end; at++) {
    if (text[at] >= '0' && text[at] <= '9')
      number = number * 10 + (uint32_t)(text[at] - '0');
    if (text[at] != 'x')
      continue;
    times = number;
    number = 0;
  }
  return number * times;
}

// What is read of the next name. Names behind a comma share it, unless they name a space.
typedef struct reading {
  lin_ptx_variable v;
  uint32_t elements, bytes, align; // of a vector, of each
  bool is_pointer;                 // what follows tells what it points to
} reading;

static bool read_word(reading *r, lin_ptx_scan *scan, const lin_ptx_variable *known,
                      lin_ptx_token token) {
  const char *text = scan->text;
  const lin_ptx_space space = lin_ptx_space_of(text, token);
  if (token.first != '.') {
    r->v.start = token.start;
    r->v.end = token.end;
    r->v.bytes = r->elements;
    r->v.is_array = false;
  } else if (lin_ptx_is(text, token, ".align")) {
    const uint32_t align = lin_ptx_number(text, lin_ptx_next(scan));
    r->align = r->is_pointer ? r->align : align;
    return align != UINT32_MAX;
  } else if (lin_ptx_is(text, token, ".ptr")) {
    r->is_pointer = true;
  } else if (space != LIN_PTX_GENERIC && !r->is_pointer) {
    *r = (reading){.v = *known, .elements = 1};
    r->v.space = space;
  } else if (text[token.start + 1] == 'v' && token.end - token.start <= 3) {
    r->elements = number_in(text, token);
  } else if (strchr("busf", text[token.start + 1]) != NULL || lin_ptx_is(text, token, ".pred")) {
    r->bytes = number_in(text, token) / 8;
    r->v.type = token.start;
    r->v.type_end = token.end;
  }
  return true;
}

// name[16], or name[] of a size that is declared elsewhere.
static bool read_bound(reading *r, lin_ptx_scan *scan) {
  lin_ptx_token token = lin_ptx_next(scan);
  const uint32_t count = token.first == ']' ? 0 : lin_ptx_number(scan->text, token);
  r->v.is_array = true;
  r->v.bytes *= count;
  return token.first == ']' || (count != UINT32_MAX && lin_ptx_next(scan).first == ']');
}

static void add(lin_arena *arena, const reading *r, lin_ptx_variables *into) {
  lin_ptx_variable v = r->v;
  v.bytes *= r->bytes;
  v.align = r->align != 0 ? r->align : r->bytes != 0 ? r->elements * r->bytes : 1;
  v.is_plain = !v.is_array && r->align == 0 && r->elements == 1;
  into->variable = LIN_ROOM(arena, into->variable, into->count, &into->capacity);
  into->variable[into->count++] = v;
}

char lin_ptx_variables_read(lin_arena *arena, lin_ptx_scan *scan, const lin_ptx_variable *known,
                            lin_ptx_variables *into) {
  reading r = {.v = *known, .elements = 1};
  for (bool is_usual = true; is_usual;) {
    const uint32_t before = scan->at;
    const lin_ptx_token token = lin_ptx_next(scan);
    if (token.kind == LIN_PTX_WORD) {
      is_usual = read_word(&r, scan, known, token);
    } else if (token.first == '[') {
      is_usual = read_bound(&r, scan);
    } else if (token.kind == LIN_PTX_PUNCTUATION && strchr(";,=)", token.first) != NULL &&
               r.v.end != 0) {
      r.v.value = token.first == '=' ? token.start : 0;
      r.v.behind = token.end; // who reads the statement knows better
      add(arena, &r, into);
      r.v.end = 0;
      r.is_pointer = false;
      if (token.first == ',')
        continue;
      scan->at = before;
      return token.first;
    } else {
      is_usual = false;
    }
  }
  return 0;
}

bool lin_ptx_is_variable(const char *text, const lin_ptx_variable *v, uint32_t start,
                         uint32_t end) {
  return v->end - v->start == end - start &&
         memcmp(text + v->start, text + start, end - start) == 0;
}
