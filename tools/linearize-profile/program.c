#include "program.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/preload.h"
#include "common/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

lin_counts *profile_read_counts(lin_memory *memory, const char *name) {
  size_t length;
  char *text = tool_read_file(name, &length);
  lin_counts_error error;
  lin_counts *counts = lin_counts_read(memory, text, length, &error);
  if (counts == NULL)
    tool_die(1, "%s:%zu: %s", name, error.line, error.text);
  free(text);
  return counts;
}

// Adds what a process counted to what others have.
static void add(lin_memory *memory, lin_counts *all, const lin_counts *more) {
  uint32_t count = all->num_launches + more->num_launches;
  lin_counts_launch *launch = LIN_HAVE(memory, lin_counts_launch, count);
  if (launch == NULL)
    tool_die(1, "out of memory");
  if (all->num_launches > 0)
    memcpy(launch, all->launch, all->num_launches * sizeof *launch);
  memcpy(launch + all->num_launches, more->launch, more->num_launches * sizeof *launch);
  *all = (lin_counts){launch, count};
}

typedef struct sum {
  lin_memory *memory;
  lin_counts *all;
  profile_notes *notes;
} sum;

static void take(void *context, const char *name) {
  const sum *s = context;
  if (!profile_notes_take(s->notes, name))
    add(s->memory, s->all, profile_read_counts(s->memory, name));
}

lin_counts *profile_run(lin_memory *memory, char *const *program, profile_notes *notes,
                        int *status) {
  sum s = {memory, LIN_HAVE(memory, lin_counts, 1), notes};
  if (s.all == NULL)
    tool_die(1, "out of memory");
  // What doesn't count by itself is made to, where the program has PTX of it.
  tool_preload_ptx("count-passes;count-plain;jit");
  tool_preload("liblinearize-count.so");
  *status = tool_run_for_files(program, NULL, "LINEARIZE_COUNTS", take, &s);
  return s.all;
}

// ---- files

void profile_require_writable(const char *name) {
  bool is_new = access(name, F_OK) != 0;
  FILE *file = fopen(name, "ab");
  if (file == NULL)
    tool_die(1, "%s: %s", name, strerror(errno));
  fclose(file);
  if (is_new)
    unlink(name);
}
