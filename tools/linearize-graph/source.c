#define _POSIX_C_SOURCE 200809L // getline
#include "source.h"

#include "common/open_source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

tool_source *tool_source_read(lin_arena *arena, const char *path) {
  tool_source *source = LIN_NEW(arena, tool_source);
  source->path = path;
  errno = 0;
  FILE *file = tool_open_source(path);
  uint32_t capacity = 0;
  size_t size = 0;
  char *line = NULL;
  while (file != NULL && getline(&line, &size, file) >= 0) {
    source->line = LIN_ROOM(arena, source->line, source->num_lines, &capacity);
    source->line[source->num_lines++] = lin_arena_text(arena, line, strlen(line));
  }
  if (file == NULL || ferror(file))
    source->error = strerror(errno);
  free(line);
  if (file != NULL)
    fclose(file);
  return source;
}

void tool_source_print(FILE *file, const tool_source *source, uint32_t number) {
  if (number == 0 || number > source->num_lines)
    return;
  const char *line = source->line[number - 1];
  line += strspn(line, " \t");
  size_t length = strlen(line);
  while (length > 0 && strchr(" \t\r\n", line[length - 1]) != NULL)
    length--;
  for (size_t i = 0; i < length; i++)
    fputc((unsigned char)line[i] < ' ' ? ' ' : line[i], file);
}
