// The pool of threads and the places that they fill (linearize/pipeline.h). What is asked for, and
// when it is given up, is pace.h's to say.
//
//     place  FREE ── asked for ──▶ ASKED ─ a thread is free ─▶ RUNNING ─▶ THERE ─ turn ─▶ TAKEN
//             ▲                     │ something newer is         │                         │
//             └─────────────────────┴─────────── late ◀──────────┴◀───────── done ◀────────┘
//
// All of it is behind one lock, which nobody has for long: remapping is done without it.
#define _POSIX_C_SOURCE 200809L

#include "linearize/pipeline.h"
#include "pace.h"
#include "threads/complain.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct linearize_late {
  atomic_bool is_late;
};

typedef enum place_state { FREE, ASKED, RUNNING, THERE, TAKEN } place_state;

typedef struct place {
  place_state state;
  size_t chunk;
  size_t before; // turns that were to come before its own when it was there
  bool has_failed;
  linearize_late late;
  void *memory;
} place;

struct linearize_pipeline {
  linearize_pipeline_settings settings;
  pthread_mutex_t lock;
  pthread_cond_t work;
  pthread_t *thread;
  unsigned num_threads, num_places;
  place *place;   // [num_places]
  place *request; // ASKED, or NULL
  size_t turn;    // of the last chunk that was taken
  bool has_begun; // there was one
  bool is_ending, is_checking, has_complained;
  void *scratch; // to check
  lin_pace pace;
  linearize_pipeline_counts counts;
};

enum { MOST_THREADS = 1024, USUAL_DEPTH = 64 };

bool linearize_is_late(const linearize_late *late) { return atomic_load(&late->is_late); }

// ---- threads -----------------------------------------------------------------------------------

static int remap(linearize_pipeline *p, size_t chunk, void *memory, const linearize_late *late) {
  if (p->is_checking)
    memset(memory, 0, p->settings.bytes);
  return p->settings.remap(p->settings.context, chunk, memory, late);
}

// With the lock, which it doesn't have meanwhile.
static void run(linearize_pipeline *p, place *at) {
  at->state = RUNNING;
  pthread_mutex_unlock(&p->lock);
  const bool has_failed = remap(p, at->chunk, at->memory, &at->late) != 0;
  pthread_mutex_lock(&p->lock);
  at->has_failed = has_failed;
  at->state = atomic_load(&at->late.is_late) ? FREE : THERE;
  at->before = at->chunk - p->turn;
}

static void *work(void *of) {
  linearize_pipeline *p = of;
  pthread_mutex_lock(&p->lock);
  while (!p->is_ending) {
    place *at = p->request;
    p->request = NULL;
    if (at == NULL)
      pthread_cond_wait(&p->work, &p->lock);
    else
      run(p, at);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

// Signals are the program's.
static void start_threads(linearize_pipeline *p) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (p->num_threads < p->settings.threads &&
         pthread_create(&p->thread[p->num_threads], NULL, work, p) == 0)
    p->num_threads++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// ---- beginning, ending -------------------------------------------------------------------------

static void *have(const linearize_pipeline_settings *s) {
  return s->have == NULL ? malloc(s->bytes) : s->have(s->context, s->bytes);
}

static void release(const linearize_pipeline_settings *s, void *memory) {
  if (s->release == NULL)
    free(memory);
  else if (memory != NULL)
    s->release(s->context, memory);
}

static linearize_pipeline *refuse(int error) {
  errno = error;
  return NULL;
}

static void free_all(linearize_pipeline *p) {
  for (unsigned i = 0; i < p->num_places; i++)
    release(&p->settings, p->place[i].memory);
  free(p->scratch);
  free(p->place);
  free(p->thread);
  free(p);
}

static void complete(linearize_pipeline_settings *s) {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  if (s->threads == 0)
    s->threads = cores > 2 ? (unsigned)cores - 1 : 1;
  if (s->threads > MOST_THREADS)
    s->threads = MOST_THREADS;
  if (s->most_depth == 0)
    s->most_depth = USUAL_DEPTH;
}

// Those being filled, as many that are there before their turn, what is asked for, and what the
// program has.
static unsigned places_of(unsigned threads) { return 2 * threads + 3; }

// As many as there is memory for.
static void have_places(linearize_pipeline *p) {
  while (p->num_places < places_of(p->settings.threads) &&
         (p->place[p->num_places].memory = have(&p->settings)) != NULL)
    p->num_places++;
}

static linearize_pipeline *make(const linearize_pipeline_settings *settings) {
  linearize_pipeline *p = calloc(1, sizeof *p);
  if (p == NULL)
    return NULL;
  p->settings = *settings;
  complete(&p->settings);
  p->is_checking = lin_is_checking();
  p->scratch = p->is_checking ? malloc(p->settings.bytes) : NULL;
  p->place = calloc(places_of(p->settings.threads), sizeof *p->place);
  p->thread = calloc(p->settings.threads, sizeof *p->thread);
  if (p->place != NULL && p->thread != NULL && (p->scratch != NULL || !p->is_checking))
    have_places(p);
  if (p->num_places > 0)
    return p;
  free_all(p);
  return NULL;
}

linearize_pipeline *linearize_pipeline_begin(const linearize_pipeline_settings *s) {
  if (s == NULL || s->remap == NULL || s->bytes == 0 || (s->have == NULL) != (s->release == NULL)) {
    lin_complain("linearize_pipeline_begin",
                 "there is no remap, places have no bytes, or have and release aren't both given");
    return refuse(EINVAL);
  }
  linearize_pipeline *p = make(s);
  if (p == NULL)
    return refuse(ENOMEM);
  lin_pace_begin(&p->pace, s->chunks, p->settings.most_depth);
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->work, NULL);
  start_threads(p);
  p->pace.is_over = p->num_threads == 0;
  return p;
}

void linearize_pipeline_end(linearize_pipeline *p, linearize_pipeline_counts *counts) {
  if (p == NULL)
    return;
  pthread_mutex_lock(&p->lock);
  p->is_ending = true;
  for (unsigned i = 0; i < p->num_places; i++)
    atomic_store(&p->place[i].late.is_late, true);
  pthread_cond_broadcast(&p->work);
  pthread_mutex_unlock(&p->lock);
  for (unsigned i = 0; i < p->num_threads; i++)
    pthread_join(p->thread[i], NULL);
  if (counts != NULL) {
    *counts = p->counts;
    counts->depth = p->pace.depth;
    counts->is_over = p->pace.is_over;
  }
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->work);
  free_all(p);
}

// ---- turns -------------------------------------------------------------------------------------

static void drop(linearize_pipeline *p, place *at) {
  if (at == p->request)
    p->request = NULL;
  if (at->state == RUNNING)
    atomic_store(&at->late.is_late, true); // its thread frees it
  else
    at->state = FREE;
}

// What became of a chunk whose turn has come; all places of it, and of those before, are given up,
// but for the one that is `*taken`.
static lin_arrival arrive(linearize_pipeline *p, size_t chunk, place **taken) {
  lin_arrival arrival = LIN_NOT_BEGUN;
  for (unsigned i = 0; i < p->num_places; i++) {
    place *at = &p->place[i];
    if (at->state == FREE || at->state == TAKEN || at->chunk > chunk ||
        atomic_load(&at->late.is_late))
      continue;
    const bool is_there = at->state == THERE && !at->has_failed;
    if (at->chunk == chunk && is_there)
      *taken = at;
    if (at->chunk == chunk)
      arrival = is_there ? LIN_ARRIVED : at->state == RUNNING ? LIN_LATE : LIN_NOT_BEGUN;
    if (at != *taken)
      drop(p, at);
  }
  if (*taken != NULL)
    (*taken)->state = TAKEN;
  return arrival;
}

static void ask(linearize_pipeline *p, size_t chunk) {
  if (p->request != NULL)
    drop(p, p->request);
  for (unsigned i = 0; i < p->num_places && p->request == NULL; i++) {
    place *at = &p->place[i];
    if (at->state != FREE)
      continue;
    at->state = ASKED;
    at->chunk = chunk;
    atomic_store(&at->late.is_late, false);
    p->request = at;
    pthread_cond_signal(&p->work);
  }
}

static void give_up(linearize_pipeline *p) {
  for (unsigned i = 0; i < p->num_places; i++)
    if (p->place[i].state != FREE && p->place[i].state != TAKEN)
      drop(p, &p->place[i]);
}

static place *take_turn(linearize_pipeline *p, size_t chunk) {
  place *taken = NULL;
  p->turn = chunk;
  p->has_begun = true;
  const lin_arrival arrival = arrive(p, chunk, &taken);
  p->counts.remapped += arrival == LIN_ARRIVED;
  p->counts.late += arrival == LIN_LATE;
  p->counts.plain += arrival == LIN_NOT_BEGUN;
  lin_pace_turn(&p->pace, chunk, arrival, taken == NULL ? 0 : taken->before);
  const size_t next = lin_pace_ask(&p->pace, chunk);
  if (p->pace.is_over)
    give_up(p);
  else if (next != SIZE_MAX)
    ask(p, next);
  return taken;
}

// Whether the chunk is remapped now as it was ahead.
static void check(linearize_pipeline *p, const place *taken) {
  linearize_late late = {false};
  if (p->has_complained)
    return;
  if (p->settings.wait != NULL)
    p->settings.wait(p->settings.context);
  if (remap(p, taken->chunk, p->scratch, &late) == 0 &&
      memcmp(p->scratch, taken->memory, p->settings.bytes) == 0)
    return;
  p->has_complained = true;
  lin_complain("linearize_pipeline_take",
               "chunk %zu is remapped otherwise now than it was ahead: it depends on chunks before "
               "it, or on chance",
               taken->chunk);
}

const void *linearize_pipeline_take(linearize_pipeline *p, size_t chunk) {
  pthread_mutex_lock(&p->lock);
  const bool is_in_order = (!p->has_begun || chunk > p->turn) && chunk < p->settings.chunks;
  const size_t last = p->turn;
  place *taken = is_in_order ? take_turn(p, chunk) : NULL;
  pthread_mutex_unlock(&p->lock);
  if (!is_in_order)
    lin_complain("linearize_pipeline_take", "chunk %zu comes after chunk %zu, of %zu", chunk, last,
                 p->settings.chunks);
  if (taken == NULL)
    return NULL;
  if (p->is_checking)
    check(p, taken);
  return taken->memory;
}

void linearize_pipeline_done(linearize_pipeline *p, size_t chunk) {
  pthread_mutex_lock(&p->lock);
  for (unsigned i = 0; i < p->num_places; i++)
    if (p->place[i].state == TAKEN && p->place[i].chunk == chunk)
      p->place[i].state = FREE;
  pthread_mutex_unlock(&p->lock);
}

void linearize_pipeline_took(linearize_pipeline *p, bool was_remapped, double seconds) {
  if (!(seconds >= 0) || seconds > 1e9)
    return;
  pthread_mutex_lock(&p->lock);
  lin_pace_took(&p->pace, was_remapped, (uint64_t)(seconds * 1e9));
  pthread_mutex_unlock(&p->lock);
}
