// linearize/pipeline.h with threads: what is there in time, late, dropped, refused; who ends whom;
// what a checking run says. Remappings wait until the test lets them go on, so that no outcome
// depends on how fast anything is.
#define _POSIX_C_SOURCE 200809L

#include "expect.h"
#include "linearize/pipeline.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

// ---- what is remapped --------------------------------------------------------------------------

enum { CHUNKS = 200, WORDS = 8 };

typedef struct program {
  atomic_uint begun[CHUNKS];   // how often each chunk's remapping was
  atomic_uint through[CHUNKS]; // or ended
  atomic_uint let;             // chunks below go on
  atomic_uint told;            // how many were told that they are late
  atomic_uint data;            // of which remapping makes something
  atomic_int places;           // that are there
  atomic_uint waited;
  unsigned failing; // that chunk's remapping fails
} program;

static void rest(void) {
  const struct timespec shortly = {0, 100000};
  nanosleep(&shortly, NULL);
}

static int remap(void *context, size_t chunk, void *place, const linearize_late *late) {
  program *p = context;
  uint32_t *word = place;
  atomic_fetch_add(&p->begun[chunk], 1);
  while (chunk >= atomic_load(&p->let) && !linearize_is_late(late))
    rest();
  atomic_fetch_add(&p->told, linearize_is_late(late));
  for (int i = 0; i < WORDS; i++)
    word[i] = (uint32_t)chunk * 100 + (uint32_t)i + atomic_load(&p->data);
  atomic_fetch_add(&p->through[chunk], 1);
  return chunk == p->failing;
}

static linearize_pipeline_settings settings_of(program *p) {
  *p = (program){.failing = CHUNKS};
  atomic_store(&p->let, CHUNKS);
  return (linearize_pipeline_settings){.remap = remap,
                                       .context = p,
                                       .chunks = CHUNKS,
                                       .bytes = WORDS * sizeof(uint32_t),
                                       .threads = 3};
}

static void await(atomic_uint *what) {
  while (atomic_load(what) == 0)
    rest();
}

static bool is_remapped(const void *place, size_t chunk) {
  const uint32_t *word = place;
  for (uint32_t i = 0; i < WORDS; i++)
    if (word[i] != chunk * 100 + i)
      return false;
  return true;
}

// By far long enough for a remapping that is through to be there.
static void await_there(program *p, size_t chunk) {
  const struct timespec long_enough = {0, 50000000};
  await(&p->through[chunk]);
  nanosleep(&long_enough, NULL);
}

// ---- in time -----------------------------------------------------------------------------------

static void test_in_time(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline_counts counts;
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  EXPECT(linearize_pipeline_take(pipeline, 0) == NULL);
  unsigned remapped = 0;
  for (size_t chunk = 1; chunk < CHUNKS; chunk++) {
    for (int turn = 0; turn < 100 && atomic_load(&p.through[chunk]) == 0; turn++)
      rest();
    rest();
    const void *place = linearize_pipeline_take(pipeline, chunk);
    remapped += place != NULL;
    EXPECT(place == NULL || is_remapped(place, chunk));
    linearize_pipeline_done(pipeline, chunk);
  }
  linearize_pipeline_end(pipeline, &counts);
  EXPECT(counts.remapped == remapped && counts.remapped + counts.late + counts.plain == CHUNKS);
  EXPECT(remapped > CHUNKS / 4 && !counts.is_over);
  for (size_t chunk = 0; chunk < CHUNKS; chunk++)
    EXPECT(atomic_load(&p.begun[chunk]) <= 1);
}

// What was taken stays as it is until it is done, while others are filled.
static void test_stays(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  const void *kept[CHUNKS] = {NULL};
  linearize_pipeline_take(pipeline, 0);
  for (size_t chunk = 1; chunk < 40; chunk++) {
    for (int turn = 0; turn < 20 && atomic_load(&p.through[chunk]) == 0; turn++)
      rest();
    rest();
    kept[chunk] = linearize_pipeline_take(pipeline, chunk);
    for (size_t old = 1; old < chunk; old++)
      EXPECT(kept[old] == NULL || is_remapped(kept[old], old));
  }
  unsigned taken = 0;
  for (size_t chunk = 1; chunk < 40; chunk++)
    taken += kept[chunk] != NULL;
  EXPECT(taken > 0 && taken <= 2 * 3 + 3);
  linearize_pipeline_end(pipeline, NULL);
}

// ---- late, failed, not at all ------------------------------------------------------------------

static void test_late(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline_counts counts;
  atomic_store(&p.let, 0);
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  linearize_pipeline_take(pipeline, 0);
  await(&p.begun[1]);
  EXPECT(linearize_pipeline_take(pipeline, 1) == NULL); // and 3 is asked for, two chunks ahead
  await(&p.through[1]);
  EXPECT(atomic_load(&p.told) == 1);
  await(&p.begun[3]);
  EXPECT(atomic_load(&p.begun[2]) == 0);
  atomic_store(&p.let, CHUNKS);
  await_there(&p, 3);
  EXPECT(linearize_pipeline_take(pipeline, 2) == NULL);
  EXPECT(is_remapped(linearize_pipeline_take(pipeline, 3), 3));
  linearize_pipeline_end(pipeline, &counts);
  EXPECT(counts.late == 1 && counts.remapped == 1 && counts.plain == 2 && counts.depth == 2);
}

static void test_failing(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline_counts counts;
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  p.failing = 1;
  linearize_pipeline_take(pipeline, 0);
  await_there(&p, 1);
  EXPECT(linearize_pipeline_take(pipeline, 1) == NULL);
  linearize_pipeline_end(pipeline, &counts);
  EXPECT(counts.plain == 2 && counts.late == 0);
}

// Who is at it when all ends is told so.
static void test_end(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  atomic_store(&p.let, 0);
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  linearize_pipeline_take(pipeline, 0);
  await(&p.begun[1]);
  linearize_pipeline_end(pipeline, NULL);
  EXPECT(atomic_load(&p.through[1]) == 1 && atomic_load(&p.told) == 1);
  linearize_pipeline_end(NULL, NULL);
}

// What is always late ends, at a depth of 2 after 1 and 16 of them.
static void test_never(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline_counts counts;
  s.most_depth = 2;
  atomic_store(&p.let, 0);
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  for (size_t chunk = 0; chunk < CHUNKS; chunk++) {
    for (int turn = 0; turn < 100 && atomic_load(&p.begun[chunk]) == 0 && chunk % 2 == 1; turn++)
      rest();
    EXPECT(linearize_pipeline_take(pipeline, chunk) == NULL);
  }
  linearize_pipeline_end(pipeline, &counts);
  EXPECT(counts.remapped == 0 && counts.is_over && counts.late == 17);
}

// Nor does what gains nothing go on, if somebody tells.
static void test_no_gain(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline_counts counts;
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  for (size_t chunk = 0; chunk < CHUNKS; chunk++) {
    for (int turn = 0; turn < 30 && atomic_load(&p.through[chunk]) == 0 && chunk > 0; turn++)
      rest();
    const void *place = linearize_pipeline_take(pipeline, chunk);
    linearize_pipeline_took(pipeline, place != NULL, 1e-3 * (1 + 0.01 * (double)(chunk % 3)));
    linearize_pipeline_done(pipeline, chunk);
  }
  linearize_pipeline_took(pipeline, true, -1);
  linearize_pipeline_end(pipeline, &counts);
  EXPECT(counts.is_over && counts.remapped > 5 && counts.remapped < 40);
}

// ---- refused -----------------------------------------------------------------------------------

static void *have_one(void *context, size_t bytes) {
  program *p = context;
  return atomic_fetch_add(&p->places, 1) < 1 ? malloc(bytes) : NULL;
}

static void *have_none(void *context, size_t bytes) {
  (void)context, (void)bytes;
  return NULL;
}

static void release_it(void *context, void *place) {
  program *p = context;
  atomic_store(&p->places, 0);
  free(place);
}

static void test_settings(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  errno = 0;
  EXPECT(linearize_pipeline_begin(NULL) == NULL && errno == EINVAL);
  s.bytes = 0;
  EXPECT(linearize_pipeline_begin(&s) == NULL);
  s = settings_of(&p);
  s.have = have_none;
  errno = 0;
  EXPECT(linearize_pipeline_begin(&s) == NULL && errno == EINVAL);
  s.release = release_it;
  EXPECT(linearize_pipeline_begin(&s) == NULL && errno == ENOMEM);
  s.have = have_one;
  s.threads = 0;
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  EXPECT(pipeline != NULL);
  linearize_pipeline_take(pipeline, 0);
  await_there(&p, 1);
  EXPECT(is_remapped(linearize_pipeline_take(pipeline, 1), 1));
  EXPECT(linearize_pipeline_take(pipeline, 2) == NULL); // the only place is the program's
  linearize_pipeline_end(pipeline, NULL);
  EXPECT(atomic_load(&p.places) == 0);
}

// ---- threads that can't be made (-Wl,--wrap=pthread_create)

static bool no_threads;

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *of) {
  return no_threads ? EAGAIN : __real_pthread_create(t, a, f, of);
}

static void test_no_threads(void) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  linearize_pipeline_counts counts;
  no_threads = true;
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  no_threads = false;
  for (size_t chunk = 0; chunk < 10; chunk++)
    EXPECT(linearize_pipeline_take(pipeline, chunk) == NULL);
  linearize_pipeline_end(pipeline, &counts);
  EXPECT(counts.plain == 10);
}

// ---- checking ----------------------------------------------------------------------------------

// What was said on standard error since the last call.
static const char *said(void) {
  static char text[1024];
  fflush(stderr);
  rewind(stderr);
  text[fread(text, 1, sizeof text - 1, stderr)] = '\0';
  EXPECT(freopen("pipeline_test.said", "w+", stderr) != NULL);
  return text;
}

static void wait_for_it(void *context) {
  program *p = context;
  atomic_fetch_add(&p->waited, 1);
}

// A kernel that changes what the chunks behind it are remapped by.
static const char *run_checked(bool depends) {
  program p;
  linearize_pipeline_settings s = settings_of(&p);
  s.wait = wait_for_it;
  linearize_pipeline *pipeline = linearize_pipeline_begin(&s);
  unsigned remapped = 0;
  for (size_t chunk = 0; chunk < 20; chunk++) {
    remapped += linearize_pipeline_take(pipeline, chunk) != NULL;
    linearize_pipeline_done(pipeline, chunk);
    for (int turn = 0; turn < 100 && atomic_load(&p.through[chunk + 1]) == 0; turn++)
      rest();
    rest();
    atomic_fetch_add(&p.data, depends);
  }
  EXPECT(linearize_pipeline_take(pipeline, 3) == NULL);
  linearize_pipeline_end(pipeline, NULL);
  EXPECT(remapped > 0 && (atomic_load(&p.waited) > 0) == (getenv("LINEARIZE_CHECK") != NULL));
  return said();
}

static void test_checking(void) {
  EXPECT_TEXT(run_checked(true), "");
  setenv("LINEARIZE_CHECK", "1", 1);
  const char *text = run_checked(true);
  EXPECT(strstr(text, "linearize: linearize_pipeline_take: chunk ") == text &&
         strstr(text, "remapped otherwise now than it was ahead") != NULL);
  EXPECT(strstr(text, "ahead") != NULL && strstr(strstr(text, "ahead") + 1, "ahead") == NULL);
  EXPECT_TEXT(run_checked(false),
              "linearize: linearize_pipeline_take: chunk 3 comes after chunk 19, of 200\n");
  unsetenv("LINEARIZE_CHECK");
}

int main(void) {
  if (freopen("pipeline_test.said", "w+", stderr) == NULL)
    return 2;
  test_in_time();
  test_stays();
  test_late();
  test_failing();
  test_end();
  test_never();
  test_no_gain();
  test_settings();
  test_no_threads();
  test_checking();
  remove("pipeline_test.said");
  return expect_end();
}
