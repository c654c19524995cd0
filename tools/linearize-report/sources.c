#define _POSIX_C_SOURCE 200809L // getline

#include "sources.h"

#include "common/open_source.h"
#include "report.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 8, MOST_LINES = 1 << 20, MOST_COLUMNS = 400 };

uint32_t report_find_source(report_sources *sources, const char *path) {
  for (uint32_t i = 0; i < sources->count; i++)
    if (strcmp(sources->source[i].path, path) == 0)
      return i;
  sources->source = LIN_ROOM(sources->arena, sources->source, sources->count, &sources->capacity);
  sources->source[sources->count] = (report_source){.path = path};
  return sources->count++;
}

// Notes that lines up to AROUND from `line` are wanted.
static void want(lin_arena *arena, report_source *source, uint32_t line) {
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

static const char *path_of(lin_arena *arena, LLVMMetadataRef file) {
  unsigned folder_length, name_length;
  const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
  const char *name = LLVMDIFileGetFilename(file, &name_length);
  bool is_whole = name_length > 0 && (name[0] == '/' || folder_length == 0);
  size_t size = (size_t)folder_length + name_length + 2;
  char *path = lin_arena_bytes(arena, size);
  if (is_whole)
    snprintf(path, size, "%.*s", (int)name_length, name);
  else
    snprintf(path, size, "%.*s/%.*s", (int)folder_length, folder, (int)name_length, name);
  return path;
}

static void add_line(report_sources *sources, report_lines *lines, report_line line) {
  if (lines->count > 0 && lines->at[lines->count - 1].file == line.file &&
      lines->at[lines->count - 1].line == line.line)
    return;
  lines->at = LIN_ROOM(sources->arena, lines->at, lines->count, &lines->capacity);
  lines->at[lines->count++] = line;
}

// Returns false if the location is nowhere in a file.
static bool find_line(report_sources *sources, LLVMMetadataRef location, report_line *line) {
  line->line = LLVMDILocationGetLine(location);
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  LLVMMetadataRef file = scope == NULL ? NULL : LLVMDIScopeGetFile(scope);
  if (file == NULL || line->line == 0 || line->line > MOST_LINES)
    return false;
  line->file = report_find_source(sources, path_of(sources->arena, file));
  want(sources->arena, &sources->source[line->file], line->line);
  return true;
}

void report_add_lines(report_sources *sources, LLVMValueRef instruction, report_lines *all,
                      report_lines own[REPORT_LEVELS]) {
  report_line outer[REPORT_LEVELS]; // the last ones: outer[0] is the outermost
  uint32_t known = 0;
  for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction); at != NULL;
       at = LLVMDILocationGetInlinedAt(at)) {
    report_line line;
    if (!find_line(sources, at, &line))
      continue;
    add_line(sources, all, line);
    memmove(outer + 1, outer, (REPORT_LEVELS - 1) * sizeof *outer);
    outer[0] = line;
    known += known < REPORT_LEVELS;
  }
  for (uint32_t level = 0; level < known; level++)
    add_line(sources, &own[level], outer[level]);
}

static int compare(const void *a, const void *b) {
  const report_line *x = a, *y = b;
  if (x->file != y->file)
    return x->file < y->file ? -1 : 1;
  return x->line < y->line ? -1 : x->line > y->line;
}

void report_sort_lines(report_lines *lines) {
  uint32_t kept = 0;
  if (lines->count > 0)
    qsort(lines->at, lines->count, sizeof *lines->at, compare);
  for (uint32_t i = 0; i < lines->count; i++)
    if (kept == 0 || compare(&lines->at[i], &lines->at[kept - 1]) != 0)
      lines->at[kept++] = lines->at[i];
  lines->count = kept;
}

static void read_source(lin_arena *arena, report_source *source) {
  source->text = LIN_ARRAY(arena, const char *, (size_t)source->num_lines + 1);
  FILE *file = tool_open_source(source->path);
  if (file == NULL)
    return;
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  for (uint32_t at = 1; at <= source->num_lines && (length = getline(&line, &capacity, file)) >= 0;
       at++) {
    while (length > 0 && strchr("\r\n", line[length - 1]) != NULL)
      length--;
    if (source->is_wanted[at])
      source->text[at] =
          report_utf8(arena, line, length > MOST_COLUMNS ? MOST_COLUMNS : (size_t)length);
  }
  source->is_read = !ferror(file);
  free(line);
  fclose(file);
}

void report_read_sources(report_sources *sources) {
  for (uint32_t i = 0; i < sources->count; i++)
    read_source(sources->arena, &sources->source[i]);
}
