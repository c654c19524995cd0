#include "lines.h"

lin_lift_lines lin_lift_lines_read(lin_arena *arena, const lin_ptx_body *body) {
  lin_lift_lines lines = {body, LIN_ARRAY(arena, uint32_t, body->num_locs + 1)};
  uint32_t line = body->place->line, counted = body->place->signature;
  for (uint32_t i = 0; i < body->num_locs; i++) {
    uint32_t place = body->loc[i].start;
    line += lin_ptx_line(body->module->text + counted, place - counted) - 1;
    counted = place;
    lines.line[i] = line;
  }
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
