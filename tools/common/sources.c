#define _POSIX_C_SOURCE 200809L // getline

#include "sources.h"

#include "open_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 8, MOST_COLUMNS = 400 };

uint32_t tool_find_source(tool_sources *sources, const char *path) {
  for (uint32_t i = 0; i < sources->count; i++)
    if (strcmp(sources->source[i].path, path) == 0)
      return i;
  sources->source = LIN_ROOM(sources->arena, sources->source, sources->count, &sources->capacity);
  sources->source[sources->count] = (tool_source){.path = path};
  return sources->count++;
}

// Notes that lines up to AROUND from `line` are wanted.
static void want(lin_arena *arena, tool_source *source, uint32_t line) {
  uint32_t last = line + AROUND;
  if (last > source->num_lines) {
    uint32_t room = 2 * last;
    bool *wanted = LIN_ARRAY(arena, bool, (size_t)room + 1);
    if (source->num_lines > 0)
      memcpy(wanted, source->is_wanted, (size_t)source->num_lines + 1);
    source->is_wanted = wanted;
    source->num_lines = room;
  }
  for (uint32_t at = line > AROUND ? line - AROUND : 1; at <= last; at++)
    source->is_wanted[at] = true;
}

void tool_add_line(tool_sources *sources, tool_lines *lines, tool_line_at line) {
  if (lines->count > 0 && lines->at[lines->count - 1].file == line.file &&
      lines->at[lines->count - 1].line == line.line)
    return;
  want(sources->arena, &sources->source[line.file], line.line);
  lines->at = LIN_ROOM(sources->arena, lines->at, lines->count, &lines->capacity);
  lines->at[lines->count++] = line;
}

static int compare(const void *a, const void *b) {
  const tool_line_at *x = a, *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

void tool_sort_lines(tool_lines *lines) {
  uint32_t kept = 0;
  if (lines->count > 0)
    qsort(lines->at, lines->count, sizeof *lines->at, compare);
  for (uint32_t i = 0; i < lines->count; i++)
    if (kept == 0 || compare(&lines->at[i], &lines->at[kept - 1]) != 0)
      lines->at[kept++] = lines->at[i];
  lines->count = kept;
}

const char *tool_lines_text(lin_arena *arena, const tool_lines *lines, uint32_t file,
                            uint32_t most) {
  char *text = lin_arena_bytes(arena, (size_t)lines->count * 24 + 16), *end = text;
  uint32_t ranges = 0;
  bool is_plural = false;
  for (uint32_t i = 0; i < lines->count; i++) {
    uint32_t first = lines->at[i].line, last = first;
    if (lines->at[i].file != file)
      continue;
    while (i + 1 < lines->count && lines->at[i + 1].file == file &&
           lines->at[i + 1].line == last + 1)
      last = lines->at[++i].line;
    if (++ranges > most) {
      strcpy(end, " ...");
      break;
    }
    end += sprintf(end, "%s%u", ranges > 1 ? ", " : "", first);
    if (last > first)
      end += sprintf(end, "-%u", last);
    is_plural |= last > first || ranges > 1;
  }
  if (ranges == 0)
    return NULL;
  size_t size = strlen(text) + sizeof "lines ";
  char *result = lin_arena_bytes(arena, size);
  snprintf(result, size, "%s %s", is_plural ? "lines" : "line", text);
  return result;
}

// The length of the character at `at`, 0 if it is none. Table 3-7 of the Unicode standard.
static size_t character(const unsigned char *at, size_t left) {
  unsigned char first = at[0];
  if (first < 0x80)
    return 1;
  size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || length > left)
    return 0;
  unsigned char low = 0x80, high = 0xbf;
  low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : low;
  high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : high;
  if (at[1] < low || at[1] > high)
    return 0;
  for (size_t i = 2; i < length; i++)
    if (at[i] < 0x80 || at[i] > 0xbf)
      return 0;
  return length;
}

const char *tool_utf8(lin_arena *arena, const char *text, size_t length) {
  char *copy = lin_arena_text(arena, text, length);
  for (size_t at = 0; at < length;) {
    size_t step = character((unsigned char *)copy + at, length - at);
    if (step == 0 || copy[at] == '\0')
      copy[at] = '?';
    at += step == 0 ? 1 : step;
  }
  return copy;
}

static void read_source(lin_arena *arena, tool_source *source) {
  source->text = LIN_ARRAY(arena, const char *, (size_t)source->num_lines + 1);
  errno = 0;
  FILE *file = tool_open_source(source->path);
  if (file == NULL) {
    source->error = strerror(errno);
    return;
  }
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  for (uint32_t at = 1; at <= source->num_lines && (length = getline(&line, &capacity, file)) >= 0;
       at++) {
    while (length > 0 && strchr("\r\n", line[length - 1]) != NULL)
      length--;
    if (source->is_wanted[at])
      source->text[at] =
          tool_utf8(arena, line, length > MOST_COLUMNS ? MOST_COLUMNS : (size_t)length);
  }
  source->error = ferror(file) ? strerror(errno) : NULL;
  free(line);
  fclose(file);
}

void tool_read_sources(tool_sources *sources) {
  for (uint32_t i = 0; i < sources->count; i++)
    read_source(sources->arena, &sources->source[i]);
}
