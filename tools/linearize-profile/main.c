// linearize-profile: what divergence costs a program's kernels, and what would help.
#define _POSIX_C_SOURCE 200809L // strdup

#include "answer.h"
#include "common/child.h"
#include "common/command_line.h"
#include "common/leftovers.h"
#include "common/names.h"
#include "common/runs.h"
#ifdef LINEARIZE_HAS_FIT
#include "inputs.h"
#endif
#include "decisions.h"
#include "options.h"
#include "outcome.h"
#include "page.h"
#include "program.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What is wrong with other files is said before the program runs: it may take hours.
static lin_counts *run(lin_memory *memory, const tool_options *options, profile_notes *notes,
                       int *status) {
  if (options->counts != NULL)
    profile_require_writable(options->counts);
  if (options->html != NULL)
    profile_require_writable(options->html);
  lin_counts *counts = profile_run(memory, options->program, notes, status);
  if (*status != 0)
    fprintf(stderr, "%s: warning: %s ended with status %d\n", tool_name, options->program[0],
            *status);
  if (counts->num_launches > 0)
    return counts;
  const int own = *status != 0 ? *status : 1;
  tool_require_driver(options->program[0], "nothing was counted", own);
  profile_notes_die(notes, options->program[0], own);
}

// Of the program that is run, or of a file.
static lin_counts *find_counts(lin_memory *memory, tool_options *options, profile_notes *notes,
                               int *status) {
  *status = 0;
  if (options->program == NULL)
    return profile_read_counts(memory, options->counts);
  lin_counts *counts = run(memory, options, notes, status);
  profile_notes_write(notes, options->given == NULL ? "" : options->given, counts);
  if (options->counts != NULL) {
    FILE *file = tool_create(options->counts);
    lin_counts_write(file, counts);
    tool_close(file, options->counts);
  } else {
    options->counts = options->program[0];
  }
  return counts;
}

static char *title_of(const char *kernel) {
  char *title = tool_demangle(kernel);
  if (title == NULL)
    title = strdup(kernel);
  if (title == NULL)
    abort();
  return title;
}

static bool is_ambiguous(const lin_counts *counts, const lin_counts_launch *launch) {
  for (uint32_t i = 0; i < counts->num_launches; i++)
    if (counts->launch[i].hash != launch->hash &&
        strcmp(counts->launch[i].kernel, launch->kernel) == 0)
      return true;
  return false;
}

static double lost_of(const profile_estimate *e) {
  return profile_time(e) * profile_share(e, e->now - e->none);
}

// What loses most time comes first, then what takes longest.
static int compare(const void *first, const void *second) {
  const profile_estimate *a = first, *b = second;
  if (lost_of(a) != lost_of(b))
    return lost_of(a) > lost_of(b) ? -1 : 1;
  if (profile_time(a) != profile_time(b))
    return profile_time(a) > profile_time(b) ? -1 : 1;
  if (a->now != b->now)
    return a->now > b->now ? -1 : 1;
  return a->launch < b->launch ? -1 : 1;
}

typedef struct launches {
  profile_estimate *estimate;
  uint32_t count;
} launches;

static launches estimate_all(lin_memory *memory, const tool_options *options,
                             const lin_counts *counts, const profile_passes *passes) {
  launches l = {LIN_HAVE(memory, profile_estimate, counts->num_launches + 1), 0};
  if (l.estimate == NULL)
    tool_die(1, "%s: %s", options->counts, strerror(ENOMEM));
  bool has_passes = false;
  for (uint32_t i = 0; i < counts->num_launches; i++) {
    const lin_counts_launch *launch = &counts->launch[i];
    if (options->kernel != NULL && !tool_is_called(launch->kernel, options->kernel))
      continue;
    profile_estimate *e = &l.estimate[l.count++];
    *e = profile_estimate_launch(memory, options->counts, launch, passes);
    e->title = title_of(launch->kernel);
    e->is_ambiguous = is_ambiguous(counts, launch);
    has_passes = has_passes || e->has_passes;
  }
  if (l.count == 0 && options->kernel != NULL)
    tool_die(1, "%s: no kernel '%s'", options->counts, options->kernel);
  if (l.count == 0)
    tool_die(1, "%s: no launch", options->counts);
  if (passes != NULL && !has_passes)
    tool_die(1, "%s: no row of a block that stands in %s: it is of other kernels", options->passes,
             options->counts);
  qsort(l.estimate, l.count, sizeof *l.estimate, compare);
  return l;
}

// What the text and the page begin with, to be freed.
static char *find_verdict(lin_memory *memory, const tool_options *options, const launches *l) {
  FILE *file = tool_scratch_file();
  profile_print_verdict(file, memory, l->estimate, l->count, options->given, options->rows);
  return tool_take_all(file, NULL);
}

static void print_all(const tool_options *options, const launches *l,
                      const profile_outcomes *outcomes) {
  for (uint32_t i = 0; i < l->count; i++) {
    putchar('\n');
    profile_print(stdout, &l->estimate[i], options->rows);
    profile_outcomes_print(stdout, outcomes, &l->estimate[i]);
  }
}

// What is known of versions: what earlier runs measured, and what the compiler decides.
static profile_outcomes find_versions(lin_memory *memory, const tool_options *options,
                                      const profile_notes *notes, const lin_counts *counts,
                                      const launches *l) {
  profile_outcomes outcomes = {.count = 0};
  if (options->program != NULL)
    outcomes = profile_outcomes_read(options->program[0]);
  for (uint32_t i = 0; i < l->count; i++)
    profile_outcomes_find(&outcomes, &l->estimate[i]);
  profile_decisions_find(memory, notes, counts, l->estimate, l->count);
  return outcomes;
}

static void require_one(const launches *l, const char *option, const char *name) {
  if (l->count != 1)
    tool_die(1, "%s: %s is for one launch, and here are %u: choose one by --kernel", name, option,
             l->count);
}

static void print_inputs(lin_memory *memory, const char *name, const launches *l) {
  require_one(l, "--inputs", name);
#ifdef LINEARIZE_HAS_FIT
  char *text = tool_read_file(name, NULL);
  profile_print_inputs(stdout, memory, name, text, &l->estimate[0]);
  free(text);
#else
  (void)memory;
  tool_die(2, "--inputs: linearize was built without LAPACKE; see docs/contributing.md");
#endif
}

static void write_page(const tool_options *options, const launches *l, const char *verdict,
                       const profile_lanes *lanes) {
  FILE *file = tool_create(options->html);
  const char *title = options->title != NULL ? options->title : options->counts;
  profile_print_page(file, title, verdict, l->estimate, l->count, lanes);
  tool_close(file, options->html);
}

int main(int argc, char **argv) {
  tool_options options;
  tool_options_parse(argc, argv, &options);
  lin_memory memory = {0};
  int status;
  char *text = options.passes == NULL ? NULL : tool_read_file(options.passes, NULL);
  char *lanes_text = options.lanes == NULL ? NULL : tool_read_file(options.lanes, NULL);
  profile_notes notes = {.ptx = NULL};
  lin_counts *counts = find_counts(&memory, &options, &notes, &status);
  profile_passes passes;
  if (text != NULL)
    passes = profile_passes_read(&memory, options.passes, text);
  launches l = estimate_all(&memory, &options, counts, text == NULL ? NULL : &passes);
  char *verdict = find_verdict(&memory, &options, &l);
  fputs(verdict, stdout);
  fflush(stdout); // what follows may take a minute
  profile_outcomes outcomes = find_versions(&memory, &options, &notes, counts, &l);
  print_all(&options, &l, &outcomes);
  if (options.inputs != NULL)
    print_inputs(&memory, options.inputs, &l);
  profile_print_next(stdout, l.estimate, l.count, options.program);
  if (fflush(stdout) != 0)
    tool_die(1, "<stdout>: %s", strerror(errno));
  profile_lanes lanes;
  if (lanes_text != NULL) {
    require_one(&l, "--lanes", options.lanes);
    lanes = profile_lanes_read(&memory, options.lanes, lanes_text, l.estimate[0].launch);
  }
  if (options.html != NULL)
    write_page(&options, &l, verdict, lanes_text == NULL ? NULL : &lanes);
  for (uint32_t i = 0; i < l.count; i++)
    free(l.estimate[i].title);
  profile_outcomes_release(&outcomes);
  profile_notes_release(&notes);
  free(verdict);
  free(lanes_text);
  free(text);
  lin_memory_release(&memory);
  return status;
}
