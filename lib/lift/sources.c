// Which lines of the source the lines of a function's PTX were made of.
#include "state.h"

#include "lines.h"

#include "llvm/ask/lifted.h"

#include <stdio.h>
#include <string.h>

// Headers of the compiler and of toolkits are no places to change anything: then it is the line of
// the caller, if that isn't in one, too.
static uint32_t own_loc(const lin_lifting *l, const lin_lift_lines *lines, uint32_t loc) {
  for (uint32_t at = loc; at != LIN_NONE; at = lines->caller[at]) {
    const char *file = lin_ptx_file(l->lift->ptx, l->body->loc[at].own.file);
    if (file != NULL && strncmp(file, "/usr/", 5) != 0 && strncmp(file, "/opt/", 5) != 0)
      return at;
  }
  return loc;
}

void lin_lift_note_sources(lin_lifting *l) {
  const lin_ptx_body *body = l->body;
  if (body->num_locs == 0)
    return;
  const lin_lift_lines lines = lin_lift_lines_read(l->arena, body);
  const char **source = LIN_ARRAY(l->arena, const char *, body->num_locs);
  for (uint32_t i = 0; i < body->num_locs; i++) {
    const lin_ptx_loc *loc = &body->loc[own_loc(l, &lines, i)];
    const char *file = lin_ptx_file(l->lift->ptx, loc->own.file);
    size_t size = strlen(file == NULL ? "" : file) + sizeof ":4294967295";
    char *text = lin_arena_bytes(l->arena, size);
    snprintf(text, size, "%s:%u", file == NULL ? "" : file, loc->own.line);
    source[i] = file == NULL ? "" : text;
  }
  lin_ir_set_source_lines(l->arena, l->function, lines.line, source, body->num_locs);
}
