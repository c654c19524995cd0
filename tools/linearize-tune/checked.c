#define _GNU_SOURCE // memfd_create

#include "checked.h"

#include "common/command_line.h"
#include "common/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char variable[] = "LINEARIZE_VERSIONS_CHECK";

// ---- the library's lines -----------------------------------------------------------------------

void checked_begin(tool_checks *checks) {
  char path[64];
  *checks = (tool_checks){.descriptor = memfd_create("linearize", MFD_CLOEXEC)};
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), checks->descriptor);
  if (checks->descriptor < 0 || setenv(variable, path, 1) != 0)
    tool_die(1, "--check: %s", strerror(errno));
}

// False: it is cut off, as by a crash.
static bool take_line(tool_check *c, char *line) {
  char *field[5];
  for (int i = 0; i < 5; i++)
    if ((field[i] = strsep(&line, "\t")) == NULL)
      return false;
  *c = (tool_check){field[0], field[1], field[3], field[4], strtoull(field[2], NULL, 16)};
  return true;
}

static bool is(const tool_check *c, const char *what) { return strcmp(c->what, what) == 0; }

static bool is_any(const tool_checks *checks, const char *what) {
  uint32_t i = 0;
  while (i < checks->count && !is(&checks->check[i], what))
    i++;
  return i < checks->count;
}

void checked_end(tool_checks *checks) {
  const off_t size = lseek(checks->descriptor, 0, SEEK_END);
  char *text = calloc(1, (size_t)(size < 0 ? 0 : size) + 1);
  size_t lines = 0;
  if (size < 0 || text == NULL || pread(checks->descriptor, text, (size_t)size, 0) != size)
    tool_die(1, "--check: %s", strerror(errno));
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
    lines++;
  checks->count = 0;
  checks->check = calloc(lines + 1, sizeof *checks->check);
  if (checks->check == NULL)
    tool_die(1, "out of memory");
  for (char *line; lines > 0 && (line = strsep(&text, "\n")) != NULL; lines--) {
    tool_check c;
    if (take_line(&c, line))
      checks->check[checks->count++] = c;
  }
  if (is_any(checks, "differs"))
    return; // what is wrong isn't launched in later runs either
  close(checks->descriptor);
  unsetenv(variable);
}

// ---- what is dropped ---------------------------------------------------------------------------

static void drop(lin_tuned_line *line, const char *version) {
  uint32_t kept = 0;
  for (uint32_t v = 0; v < line->count; v++)
    if (strcmp(line->version[v].name, version) != 0)
      line->version[kept++] = line->version[v];
  line->count = kept;
  line->winner = lin_tuned_winner(line);
}

void checked_drop(const tool_checks *checks, lin_tuned *tuned) {
  for (uint32_t i = 0; i < checks->count; i++)
    for (uint32_t line = 0; line < tuned->count; line++) {
      const tool_check *c = &checks->check[i];
      lin_tuned_line *l = &tuned->line[line];
      if (is(c, "differs") && l->hash == c->hash && strcmp(l->kernel, c->kernel) == 0)
        drop(l, c->version);
    }
}

// ---- for people --------------------------------------------------------------------------------

// Whether no check before it is of the same version, with the same outcome.
static bool is_first(const tool_checks *checks, uint32_t at) {
  const tool_check *c = &checks->check[at];
  for (uint32_t i = 0; i < at; i++) {
    const tool_check *other = &checks->check[i];
    if (is(other, c->what) && strcmp(other->kernel, c->kernel) == 0 &&
        strcmp(other->version, c->version) == 0)
      return false;
  }
  return true;
}

static void print_size(FILE *file, double bytes) {
  const double mib = 1 << 20;
  if (bytes < mib)
    fprintf(file, "%.1f KiB", bytes / 1024);
  else
    fprintf(file, "%.0f MiB", bytes / mib);
}

static void print_check(FILE *file, const tool_check *c) {
  char *name = tool_short_name(c->kernel);
  const char *kernel = name == NULL ? c->kernel : name;
  if (is(c, "differs"))
    fprintf(file, "%s: %s differs from plain: %s\n", kernel, c->version, c->rest);
  else if (is(c, "unsure"))
    fprintf(file,
            "%s: %s can't be compared: %s; plain differs from itself there: the order of atomics, "
            "or a race\n",
            kernel, c->version, c->rest);
  else if (is(c, "large")) {
    fprintf(file, "%s: not checked: its arguments point to ", kernel);
    print_size(file, strtod(c->rest, NULL));
    fputs("; LINEARIZE_CHECK_MEMORY=MIB allows more\n", file);
  }
  free(name);
}

static void print_sums(FILE *file, uint32_t launches, uint32_t versions, double bytes,
                       uint32_t differ) {
  if (launches + differ == 0) {
    fputs("checked: nothing, no launch could be compared\n", file);
    return;
  }
  fprintf(file, "checked: %u launches of %u versions, ", launches, versions);
  print_size(file, bytes);
  if (differ == 0)
    fputs(" compared, none differs\n", file);
  else
    fprintf(file, " compared, where none differs; %u that differ%s dropped\n", differ,
            differ == 1 ? "s is" : " are");
}

uint32_t checked_print(FILE *file, const tool_checks *checks) {
  uint32_t launches = 0, versions = 0, differ = 0;
  double bytes = 0, most_left = 0;
  for (uint32_t i = 0; i < checks->count; i++) {
    const tool_check *c = &checks->check[i];
    const double size = strtod(c->rest, NULL);
    launches += is(c, "checked");
    bytes += is(c, "checked") ? size : 0;
    most_left = is(c, "left") && size > most_left ? size : most_left;
    if (!is_first(checks, i))
      continue;
    versions += is(c, "checked");
    differ += is(c, "differs");
    print_check(file, c);
  }
  if (most_left > 0) {
    fputs("not compared: ", file);
    print_size(file, most_left);
    fputs(" of the program's memory; LINEARIZE_CHECK_MEMORY=MIB allows more\n", file);
  }
  print_sums(file, launches, versions, bytes, differ);
  return differ;
}
