#define _POSIX_C_SOURCE 200809L // open_memstream

#include "command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tool_value_of(const char *name, int argc, char **argv, int *at) {
  size_t length = strlen(name);
  if (strncmp(argv[*at], name, length) != 0)
    return NULL;
  if (argv[*at][length] == '=')
    return argv[*at] + length + 1;
  if (argv[*at][length] != '\0')
    return NULL;
  if (++*at == argc)
    tool_die(2, "%s needs a value", name);
  return argv[*at];
}

const char *const tool_modes[] = {"needed", "irreducible", "paper", "all", "none", NULL};
const char *const tool_levels[] = {"O0", "O1", "O2", "O3", "O4", NULL};

unsigned tool_choose(const char *option, const char *value, const char *const *names) {
  for (unsigned i = 0; names[i] != NULL; i++)
    if (strcmp(value, names[i]) == 0)
      return i;
  char *list;
  size_t length;
  FILE *stream = open_memstream(&list, &length);
  for (unsigned i = 0; names[i] != NULL; i++)
    fprintf(stream, "%s%s", i > 0 ? ", " : "", names[i]);
  fclose(stream);
  tool_die(2, "%s: there is no '%s'; choose from %s", option, value, list);
}

uint64_t tool_number(const char *option, const char *text, uint64_t limit) {
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value > limit)
    tool_die(2, "%s: '%s' is no number from 0 to %llu", option, text, (unsigned long long)limit);
  return value;
}

void tool_take_file(const char *argument, const char **file) {
  if (argument[0] == '-' && argument[1] != '\0')
    tool_die(2, "there is no option %s; see --help", argument);
  if (*file != NULL)
    tool_die(2, "one file at a time: %s and %s", *file, argument);
  *file = argument;
}

void tool_require_file(const char *file) {
  if (file == NULL)
    tool_die(2, "no file given; see --help");
}
