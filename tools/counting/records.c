#define _POSIX_C_SOURCE 200809L

#include "records.h"

#include "counts/decode.h"
#include "preload/attempt.h"
#include "threads/counts_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// As linearize-run has them for its work: a launch of 2^20 threads with 19 counters takes 0.06 s of
// it.
enum { MOST_SECONDS = 60, MOST_WARNINGS = 16 };
#define MOST_MEMORY ((size_t)2 << 30)

// ---- what there is

typedef struct kept {
  lin_memory memory;
  lin_counts_launch launch;
  bool is_part; // it was late: of a sum with others no more would be known
} kept;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char path[4096]; // "": nothing is wanted
static pid_t owner;     // a child that was forked writes nothing of what its parent had
static kept *all;
static uint32_t count;
static kept late; // a launch that hasn't ended
static bool is_late, is_written = true;
// Who exits writes while others may add.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double last_began, last_ended; // the last time that the file was written, in seconds

// %p becomes the process.
static void find_path(void) {
  const char *given = getenv("LINEARIZE_COUNTS");
  if (given == NULL || given[0] == '\0')
    return;
  owner = getpid();
  const char *process = strstr(given, "%p");
  int length = process == NULL ? snprintf(path, sizeof path, "%s", given)
                               : snprintf(path, sizeof path, "%.*s%ld%s", (int)(process - given),
                                          given, (long)owner, process + 2);
  if (length < 0 || (size_t)length + sizeof ".part" > sizeof path)
    path[0] = '\0';
}

bool records_wanted(void) {
  pthread_once(&once, find_path);
  return path[0] != '\0' && getpid() == owner;
}

void records_warn(const char *reason, const char *kernel) {
  static const char *said[MOST_WARNINGS];
  for (int i = 0; i < MOST_WARNINGS; i++) {
    if (said[i] == reason)
      return;
    if (said[i] == NULL) {
      said[i] = reason;
      fprintf(stderr, "linearize-profile: warning: %s: %s\n", kernel, reason);
      return;
    }
  }
}

// ---- writing

static double now(void) {
  struct timespec t = {0};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// False: there is no memory.
static bool write_all(FILE *file) {
  lin_counts_launch *list = calloc(count + (size_t)1, sizeof *list);
  if (list == NULL)
    return false;
  for (uint32_t i = 0; i < count; i++)
    list[i] = all[i].launch;
  list[count] = late.launch;
  lin_counts_write(file, &(lin_counts){list, count + is_late});
  free(list);
  return true;
}

static void write_file(void) {
  char part[sizeof path + sizeof ".part"];
  last_began = now();
  snprintf(part, sizeof part, "%s.part", path);
  FILE *file = fopen(part, "w");
  bool is_whole = file != NULL;
  if (is_whole) {
    is_whole = write_all(file) && !ferror(file);
    is_whole = fclose(file) == 0 && is_whole && rename(part, path) == 0;
  }
  if (!is_whole) {
    fprintf(stderr, "linearize-profile: warning: %s: %s: counts are lost\n", path, strerror(errno));
    path[0] = '\0';
  }
  is_written = true;
  last_ended = now();
}

void records_save(void) {
  pthread_mutex_lock(&mutex);
  if (!is_written && path[0] != '\0')
    write_file();
  pthread_mutex_unlock(&mutex);
}

// A thread may have ended, or been interrupted by what exits, while it wrote.
__attribute__((destructor)) static void write_at_end(void) {
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  soon.tv_sec++;
  if (!records_wanted() || pthread_mutex_timedlock(&mutex, &soon) != 0)
    return;
  if (!is_written)
    write_file();
  pthread_mutex_unlock(&mutex);
}

// ---- adding

typedef struct decoding {
  const record *r;
  const char *text;
  const lin_counts_launch *before;
  uint32_t counters;
  kept made; // out of which nothing points, if it is whole
  bool is_whole;
} decoding;

static void read_counters(void *context) {
  decoding *d = context;
  lin_arena arena = {0};
  const lin_count_description *read = lin_count_parse(&arena, d->text, strlen(d->text));
  d->counters = read == NULL ? 0 : read->num_counters;
  lin_arena_release(&arena);
}

uint32_t records_counters(const char *text) {
  decoding d = {.text = text};
  return attempt_run(read_counters, &d, MOST_MEMORY, MOST_SECONDS) ? d.counters : 0;
}

static lin_counts_launch launch_of(const record *r) {
  lin_counts_launch launch = {.kernel = r->kernel,
                              .times = 1,
                              .sample = r->sample,
                              .gpu = r->gpu,
                              .multiprocessors = r->multiprocessors,
                              .time = r->time};
  memcpy(launch.grid, r->grid, sizeof launch.grid);
  memcpy(launch.block, r->block, sizeof launch.block);
  return launch;
}

uint64_t records_slots(const uint32_t grid[3], const uint32_t block[3], uint32_t sample) {
  lin_counts_launch launch = {.sample = sample};
  uint64_t threads = 1;
  for (int i = 0; i < 3; i++) {
    launch.grid[i] = grid[i];
    launch.block[i] = block[i];
    if (grid[i] == 0 || block[i] == 0 || threads > UINT32_MAX / grid[i] / block[i])
      return 0;
    threads *= (uint64_t)grid[i] * block[i];
  }
  return lin_count_slots(&launch);
}

static const char *keep_text(lin_memory *memory, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = lin_memory_array(memory, size, 1);
  return copy == NULL ? "" : memcpy(copy, text, size);
}

static void keep_names(lin_memory *memory, lin_counts_launch *launch) {
  launch->kernel = keep_text(memory, launch->kernel);
  launch->gpu = keep_text(memory, launch->gpu);
  for (uint32_t b = 0; b < launch->num_blocks; b++) {
    lin_counts_block *block = &launch->blocks[b];
    block->function = keep_text(memory, block->function);
    block->name = keep_text(memory, block->name);
    block->source = keep_text(memory, block->source);
  }
}

static void decode(void *context) {
  decoding *d = context;
  lin_arena arena = {0};
  lin_memory *memory = &d->made.memory;
  lin_counts_launch *launch = &d->made.launch;
  const lin_count_description *read = lin_count_parse(&arena, d->text, strlen(d->text));
  *launch = launch_of(d->r);
  if (d->before != NULL) {
    launch->times += d->before->times;
    launch->launched = d->before->launched == 0 ? 0 : d->before->launched + 1;
    launch->time += d->before->time;
  }
  if (lin_count_decode(&arena, memory, read, d->r->counters, d->r->slots, d->before, launch)) {
    keep_names(memory, launch);
    d->is_whole = !memory->is_out;
  }
  lin_arena_release(&arena);
}

static bool is_alike(const lin_counts_launch *launch, const record *r, uint64_t hash) {
  return launch->hash == hash && launch->sample == r->sample &&
         strcmp(launch->kernel, r->kernel) == 0 && strcmp(launch->gpu, r->gpu) == 0 &&
         memcmp(launch->grid, r->grid, sizeof r->grid) == 0 &&
         memcmp(launch->block, r->block, sizeof r->block) == 0;
}

// The second line of the text.
static uint64_t hash_of(const char *text) {
  const char *line = strchr(text, '\n');
  return line == NULL ? 0 : strtoull(line + 1, NULL, 16);
}

static kept *find_alike(const record *r) {
  uint64_t hash = hash_of(r->text);
  for (uint32_t i = 0; i < count; i++)
    if (!all[i].is_part && is_alike(&all[i].launch, r, hash))
      return &all[i];
  return NULL;
}

// Room for one more; NULL: out of memory.
static kept *add_kept(void) {
  kept *more = realloc(all, (count + (size_t)1) * sizeof *all);
  if (more == NULL)
    return NULL;
  all = more;
  all[count] = (kept){.memory = {NULL, false}};
  return &all[count++];
}

static bool keep(kept *before, const kept *made) {
  kept *place = before != NULL ? before : add_kept();
  if (place == NULL)
    return false;
  lin_memory_release(&place->memory);
  *place = *made;
  return true;
}

// Decodes a launch, added to those that are `before`. False: that takes too much, and is said.
static bool make(const record *r, const kept *before, kept *made) {
  decoding d = {.r = r, .text = r->text, .before = before == NULL ? NULL : &before->launch};
  bool is_done = attempt_run(decode, &d, MOST_MEMORY, MOST_SECONDS) && d.is_whole;
  *made = d.made;
  if (!is_done) {
    lin_memory_release(&made->memory);
    records_warn("a launch isn't counted, for there is too little memory, or time", r->kernel);
  }
  return is_done;
}

int64_t records_add(const record *r) {
  kept made, *before = find_alike(r);
  int64_t number = before == NULL ? -1 : before - all;
  if (!make(r, before, &made))
    return number;
  pthread_mutex_lock(&mutex);
  if (keep(before, &made)) {
    number = before == NULL ? (int64_t)count - 1 : number;
    is_written = false;
    if (now() - last_ended >= last_ended - last_began)
      write_file();
  } else {
    lin_memory_release(&made.memory);
  }
  pthread_mutex_unlock(&mutex);
  return number;
}

void records_launched(int64_t number) {
  if (number < 0)
    return;
  pthread_mutex_lock(&mutex);
  lin_counts_launch *l = &all[number].launch;
  l->launched = (l->launched == 0 ? l->times : l->launched) + 1;
  is_written = false;
  pthread_mutex_unlock(&mutex);
}

int64_t records_add_late(const record *r) {
  kept made = {.memory = {NULL, false}};
  bool is_made = r != NULL && make(r, NULL, &made);
  pthread_mutex_lock(&mutex);
  lin_memory_release(&late.memory);
  late = made;
  is_late = is_made;
  is_written = false;
  pthread_mutex_unlock(&mutex);
  if (is_made)
    records_save();
  return -1;
}

void records_keep_late(void) {
  pthread_mutex_lock(&mutex);
  late.is_part = true;
  if (is_late && !keep(NULL, &late))
    lin_memory_release(&late.memory);
  late = (kept){.memory = {NULL, false}};
  is_late = false;
  pthread_mutex_unlock(&mutex);
}
