#define _DEFAULT_SOURCE // TIOCGWINSZ
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char gap[] = "   ";

tool_terminal tool_terminal_of_output(void) {
  if (!isatty(STDOUT_FILENO))
    return (tool_terminal){0};
  const char *none = getenv("NO_COLOR"), *type = getenv("TERM");
  struct winsize size;
  bool is_known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return (tool_terminal){.has_colours = (none == NULL || none[0] == '\0') && type != NULL &&
                                        strcmp(type, "dumb") != 0,
                         .columns = is_known ? size.ws_col : 0};
}

static bool is_mark(char c) { return c >= MARK_PLAIN && c < MARK_END; }

// A character of UTF-8 takes one column, at its first byte.
static bool takes_column(char c) { return !is_mark(c) && ((unsigned char)c & 0xc0) != 0x80; }

uint32_t tool_marked_width(const char *text, size_t length) {
  uint32_t width = 0;
  for (size_t i = 0; i < length; i++)
    width += takes_column(text[i]);
  return width;
}

uint32_t tool_print_marked(FILE *file, const char *text, size_t length, bool has_colours) {
  static const char *const colours[] = {[MARK_PLAIN] = "\033[0m",
                                        [MARK_BAD] = "\033[31m",
                                        [MARK_GUARD] = "\033[36m",
                                        [MARK_FAINT] = "\033[2m",
                                        [MARK_BOLD] = "\033[1m"};
  for (size_t i = 0; i < length; i++)
    if (!is_mark(text[i]))
      fputc(text[i], file);
    else if (has_colours)
      fputs(colours[(int)text[i]], file);
  return tool_marked_width(text, length);
}

static uint32_t widest(const char *text) {
  uint32_t width = 0;
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    uint32_t line = tool_marked_width(text, length);
    width = line > width ? line : width;
    text += length + (text[length] == '\n');
  }
  return width;
}

// Prints the first line of `*text`, which moves on to the next.
static uint32_t print_line(FILE *file, const char **text, bool has_colours) {
  size_t length = strcspn(*text, "\n");
  uint32_t width = tool_print_marked(file, *text, length, has_colours);
  *text += length + ((*text)[length] == '\n');
  return width;
}

void tool_print_pair(FILE *file, const char *left, const char *right, tool_terminal terminal) {
  uint32_t width = widest(left);
  if (width + strlen(gap) + widest(right) > terminal.columns) {
    tool_print_marked(file, left, strlen(left), terminal.has_colours);
    fputc('\n', file);
    tool_print_marked(file, right, strlen(right), terminal.has_colours);
    return;
  }
  while (*left != '\0' || *right != '\0') {
    uint32_t used = print_line(file, &left, terminal.has_colours);
    if (*right != '\0' && *right != '\n')
      fprintf(file, "%*s%s", (int)(width - used), "", gap);
    print_line(file, &right, terminal.has_colours);
    fputc('\n', file);
  }
}
