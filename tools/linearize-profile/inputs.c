#include "inputs.h"

#include "common/command_line.h"
#include "fit/fit.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 4096 };

typedef struct row {
  unsigned long thread, input;
  double value;
} row;

static const char *end_of_line(const char *name, size_t line, const char *text) {
  const char *end = strchr(text, '\n');
  if (end == NULL)
    tool_die(1, "%s:%zu: the file is cut off in this line", name, line);
  return end + 1;
}

static row read_row(const char *name, size_t line, const char *text, size_t num_threads) {
  row r = {0, 0, 0};
  char *at;
  errno = 0;
  r.thread = strtoul(text, &at, 10);
  bool good = at > text && *at == ',';
  r.input = good ? strtoul(at + 1, &at, 10) : 0;
  good = good && *at == ',' && r.input < MOST_INPUTS;
  at = good ? strchr(at + 1, ',') : NULL; // behind the source's line
  r.value = at != NULL ? strtod(at + 1, &at) : 0;
  if (at == NULL || *at != '\n' || !isfinite(r.value) || errno == EINVAL)
    tool_die(1, "%s:%zu: no 'thread,input,line,value'", name, line);
  if (r.thread >= num_threads)
    tool_die(1, "%s:%zu: thread %lu: the launch has %zu: it is another one", name, line, r.thread,
             num_threads);
  return r;
}

// The values of all threads; 0 of what a thread didn't read.
static double *read_inputs(lin_memory *memory, const char *name, const char *text,
                           size_t num_threads, size_t *num_inputs) {
  static const char head[] = "thread,input,line,value\n";
  if (strncmp(text, head, strlen(head)) != 0)
    tool_die(1, "%s:1: no inputs: linearize-simt --inputs writes them", name);
  text += strlen(head);
  size_t line = 2;
  *num_inputs = 0;
  for (const char *at = text; *at != '\0'; at = end_of_line(name, line++, at)) {
    row r = read_row(name, line, at, num_threads);
    *num_inputs = r.input + 1 > *num_inputs ? r.input + 1 : *num_inputs;
  }
  double *input = LIN_HAVE(memory, double, num_threads **num_inputs + 1);
  if (memory->is_out)
    tool_die(1, "%s: %s", name, strerror(ENOMEM));
  for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1) {
    row r = read_row(name, 0, at, num_threads);
    input[r.thread * *num_inputs + r.input] = r.value;
  }
  return input;
}

void profile_print_inputs(FILE *file, lin_memory *memory, const char *name, const char *text,
                          const profile_estimate *e) {
  const lin_counts_launch *l = e->launch;
  if (e->num_threads < lin_counts_threads(l))
    tool_die(1, "%s: --inputs wants all threads counted", name);
  lin_fit_data data = {
      .entries = e->vectors, .num_threads = e->num_threads, .num_blocks = l->num_blocks};
  data.input = read_inputs(memory, name, text, data.num_threads, &data.num_inputs);
  size_t learned = (size_t)lin_counts_block_threads(l);
  if (learned == data.num_threads)
    tool_die(1, "%s: there is one thread block, and no other to be told", name);
  lin_fit fit = lin_fit_learn(memory, &data, 0, learned);
  double *error = LIN_HAVE(memory, double, data.num_blocks + 1);
  if (fit == NULL || memory->is_out)
    tool_die(1, "%s: %s", name, memory->is_out ? strerror(ENOMEM) : "no solution was found");
  lin_fit_errors(fit, &data, 0, learned, error);
  fprintf(
      file,
      "\n  told by the thread's number and %zu %s, learned in thread block 0\n  %8s  %-24s %s\n",
      data.num_inputs, data.num_inputs == 1 ? "input" : "inputs", "error", "block", "source");
  for (uint32_t b = 0; b < l->num_blocks; b++)
    fprintf(file, "  %7.1f%%  %-24s %s%s\n", 100 * error[b], l->blocks[b].name,
            profile_place(l->blocks[b].source),
            error[b] > LIN_FIT_INSPECT ? "  needs an inspector" : "");
}
