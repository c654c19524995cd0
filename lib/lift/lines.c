#include "lines.h"

// ---- where each .loc stands

static void find_lines(lin_lift_lines *lines) {
  const lin_ptx_body *body = lines->body;
  uint32_t line = body->place->line, counted = body->place->signature;
  for (uint32_t i = 0; i < body->num_locs; i++) {
    uint32_t place = body->loc[i].start;
    line += lin_ptx_line(body->module->text + counted, place - counted) - 1;
    counted = place;
    lines->line[i] = line;
  }
}

// ---- what is inlined where

typedef struct position {
  uint32_t file, line, column;
} position;

static position read_position(lin_ptx_scan *scan) {
  position p;
  p.file = lin_ptx_number(scan->text, lin_ptx_next(scan));
  p.line = lin_ptx_number(scan->text, lin_ptx_next(scan));
  p.column = lin_ptx_number(scan->text, lin_ptx_next(scan));
  return p;
}

// .loc 1 5 20, function_name $L__info_string0, inlined_at 1 16 7
//      own                                                 at
// Returns whether there is the second.
static bool read_loc(const lin_ptx_body *body, uint32_t loc, position *own, position *at) {
  lin_ptx_scan scan = {body->module->text, body->loc[loc].end, body->loc[loc].start};
  lin_ptx_next(&scan);
  *own = read_position(&scan);
  for (;;) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (token.kind == LIN_PTX_END)
      return false;
    if (lin_ptx_is(scan.text, token, "inlined_at")) {
      *at = read_position(&scan);
      return true;
    }
  }
}

// The slot of a position in a table of `size` slots, a power of two, more than there are positions.
static uint32_t find_slot(const position *key, const uint32_t *loc, uint32_t size, position p) {
  uint32_t slot = (p.line * 2654435761u ^ p.column * 40503u ^ p.file * 97u) & (size - 1);
  while (loc[slot] != LIN_NONE &&
         (key[slot].file != p.file || key[slot].line != p.line || key[slot].column != p.column))
    slot = (slot + 1) & (size - 1);
  return slot;
}

static void find_callers(lin_lift_lines *lines) {
  const lin_ptx_body *body = lines->body;
  lin_arena arena = {0};
  uint32_t size = 2;
  while (size <= 2 * body->num_locs)
    size *= 2;
  position *key = LIN_ARRAY(&arena, position, size);
  uint32_t *last = LIN_ARRAY(&arena, uint32_t, size); // .loc of that position
  for (uint32_t slot = 0; slot < size; slot++)
    last[slot] = LIN_NONE;
  for (uint32_t i = 0; i < body->num_locs; i++) {
    position own, at;
    const bool is_inlined = read_loc(body, i, &own, &at);
    lines->caller[i] = is_inlined ? last[find_slot(key, last, size, at)] : LIN_NONE;
    uint32_t slot = find_slot(key, last, size, own);
    key[slot] = own;
    last[slot] = i;
  }
  lin_arena_release(&arena);
}

// ---- all

lin_lift_lines lin_lift_lines_read(lin_arena *arena, const lin_ptx_body *body) {
  lin_lift_lines lines = {body, LIN_ARRAY(arena, uint32_t, body->num_locs + 1),
                          LIN_ARRAY(arena, uint32_t, body->num_locs + 1)};
  find_lines(&lines);
  find_callers(&lines);
  return lines;
}

uint32_t lin_lift_loc_on(const lin_lift_lines *lines, uint32_t line) {
  uint32_t low = 0, high = lines->body->num_locs;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (lines->line[middle] <= line)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? LIN_NONE : low - 1;
}
