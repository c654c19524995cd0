// Graphviz's dot draws many graphs in one process; as many processes as there are processors share
// them. If one fails, each of its graphs is drawn alone, and then without frames.
#define _POSIX_C_SOURCE 200809L

#include "picture.h"

#include "common/child.h"
#include "linearize-graph/dot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_JOBS = 8, MOST_BLOCKS = 3000 };

typedef struct task {
  const report_function *function;
  const report_side *side;
  report_drawing *drawing;
  uint32_t size;
} task;

typedef struct job {
  task **task;
  uint64_t size;
  FILE *input, *output;
  uint32_t count;
  pid_t child;
} job;

static void start(job *j, bool framed) {
  j->input = tool_scratch_file();
  j->output = tool_scratch_file();
  for (uint32_t i = 0; i < j->count; i++)
    report_print_picture(j->input, j->task[i]->function, j->task[i]->side, framed);
  j->child = tool_dot_start(j->input, j->output);
}

// Hands out the pictures in `text`, one for each task. Returns false if there are fewer.
static bool take_pictures(lin_arena *arena, const job *j, const char *text) {
  static const char first[] = "<svg", last[] = "</svg>";
  for (uint32_t i = 0; i < j->count; i++) {
    const char *from = strstr(text, first), *to = from == NULL ? NULL : strstr(from, last);
    if (to == NULL)
      return false;
    to += strlen(last);
    j->task[i]->drawing->svg = lin_arena_text(arena, from, (size_t)(to - from));
    text = to;
  }
  return true;
}

static bool finish(lin_arena *arena, job *j) {
  bool drawn = tool_dot_end(j->child);
  char *text = tool_take_all(j->output, NULL);
  bool ok = take_pictures(arena, j, text) && drawn;
  free(text);
  fclose(j->input);
  return ok;
}

static void draw_alone(lin_arena *arena, task *t) {
  job j = {.task = &t, .count = 1};
  t->drawing->svg = NULL;
  start(&j, true);
  if (finish(arena, &j))
    return;
  t->drawing->svg = NULL;
  start(&j, false);
  if (finish(arena, &j))
    return;
  t->drawing->svg = NULL;
  t->drawing->why = "Graphviz couldn't draw this graph.";
}

// ------------------------------------------------------------------------------------------------

static int larger_first(const void *a, const void *b) {
  const task *x = *(task *const *)a, *y = *(task *const *)b;
  if (x->size != y->size)
    return x->size < y->size ? 1 : -1;
  return x->drawing < y->drawing ? -1 : x->drawing > y->drawing;
}

static void add_task(lin_arena *arena, task **tasks, uint32_t *count, const report_function *f,
                     const report_side *side, report_drawing *drawing) {
  task *t = LIN_NEW(arena, task);
  *t = (task){f, side, drawing, side->num_blocks};
  tasks[(*count)++] = t;
}

// What is to be drawn. Returns how many there are.
static uint32_t find_tasks(lin_arena *arena, const report_functions *functions,
                           report_drawing *drawing, task **tasks) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < functions->count; i++) {
    const report_function *f = &functions->function[i];
    if (f->before.num_blocks <= MOST_BLOCKS)
      add_task(arena, tasks, &count, f, &f->before, &drawing[2 * i]);
    if (f->after.num_blocks <= MOST_BLOCKS && f->is_changed)
      add_task(arena, tasks, &count, f, &f->after, &drawing[2 * i + 1]);
    for (uint32_t side = 0; side < 2; side++)
      drawing[2 * i + side].why = "This graph is too large to be drawn.";
  }
  return count;
}

report_drawing *report_draw(lin_arena *arena, const report_functions *functions) {
  report_drawing *drawing = LIN_ARRAY(arena, report_drawing, 2 * (size_t)functions->count);
  task **tasks = LIN_ARRAY(arena, task *, 2 * (size_t)functions->count);
  uint32_t count = find_tasks(arena, functions, drawing, tasks);
  if (count == 0)
    return drawing;
  qsort(tasks, count, sizeof(task *), larger_first);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  uint32_t num_jobs = processors < 1           ? 1
                      : processors > MOST_JOBS ? MOST_JOBS
                                               : (uint32_t)processors;
  num_jobs = count < num_jobs ? count : num_jobs;
  job jobs[MOST_JOBS] = {0};
  for (uint32_t i = 0; i < num_jobs; i++)
    jobs[i].task = LIN_ARRAY(arena, task *, count);
  for (uint32_t i = 0; i < count; i++) { // the largest that is left, to who has least
    job *least = &jobs[0];
    for (uint32_t j = 1; j < num_jobs; j++)
      least = jobs[j].size < least->size ? &jobs[j] : least;
    least->task[least->count++] = tasks[i];
    least->size += tasks[i]->size + 8;
  }
  for (uint32_t i = 0; i < num_jobs; i++)
    start(&jobs[i], true);
  for (uint32_t i = 0; i < num_jobs; i++)
    if (!finish(arena, &jobs[i]))
      for (uint32_t k = 0; k < jobs[i].count; k++)
        draw_alone(arena, jobs[i].task[k]);
  return drawing;
}
