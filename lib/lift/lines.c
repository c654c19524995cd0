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

// The slot of a position in a table of `size` slots, a power of two, more than there are positions.
static uint32_t find_slot(const lin_ptx_position *key, const uint32_t *loc, uint32_t size,
                          lin_ptx_position p) {
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
  lin_ptx_position *key = LIN_ARRAY(&arena, lin_ptx_position, size);
  uint32_t *last = LIN_ARRAY(&arena, uint32_t, size); // .loc of that position
  for (uint32_t slot = 0; slot < size; slot++)
    last[slot] = LIN_NONE;
  for (uint32_t i = 0; i < body->num_locs; i++) {
    const lin_ptx_loc *loc = &body->loc[i];
    lines->caller[i] = loc->is_inlined ? last[find_slot(key, last, size, loc->at)] : LIN_NONE;
    uint32_t slot = find_slot(key, last, size, loc->own);
    key[slot] = loc->own;
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
