#define _POSIX_C_SOURCE 200809L

#include "orders.h"

#include "memory.h"
#include "silence.h"
#include "sorter.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

typedef struct order {
  atomic_flag is_taken;
  atomic_uintptr_t stream; // 0: nobody's; changed by who has taken it
  // By who has taken it:
  uint64_t addresses; // a hash
  memory *memory;     // or NULL
  bool is_made;
  uint64_t made, last; // in which launch of the shape; and used
  unsigned data;       // the program's, then
  uint32_t uses;       // since it was made
} order;

typedef struct orders {
  const sorter *sorter;
  uint32_t threads;      // of a launch
  size_t words, scratch; // bytes: a word for each thread; what the sort needs
  atomic_uint kept;      // launches that the last order was made for
  order order[ORDERS_MOST];
} orders;

static atomic_uint data; // how often the program said that they changed

void linearize_versions_data_changed(void) { atomic_fetch_add(&data, 1); }

// ---- taking one --------------------------------------------------------------------------------

static bool try_to_take(order *o) {
  return !atomic_flag_test_and_set_explicit(&o->is_taken, memory_order_acquire);
}

static void give_back(order *o) {
  if (o != NULL)
    atomic_flag_clear_explicit(&o->is_taken, memory_order_release);
}

// For so many launches in a row an order seems to be good.
static void set_kept(orders *all, uint32_t launches) {
  atomic_store_explicit(&all->kept, launches == 0 ? 1 : launches, memory_order_relaxed);
}

static bool is_better(const order *o, const order *than) {
  if (than == NULL || o->stream == 0 || than->stream == 0)
    return than == NULL || than->stream != 0;
  return o->last < than->last;
}

// It becomes that of other addresses, or somebody's.
static order *claim(orders *all, order *o, uintptr_t stream, uint64_t addresses) {
  if (o == NULL)
    return NULL;
  if (o->is_made)
    set_kept(all, o->uses);
  o->is_made = false;
  o->addresses = addresses;
  atomic_store_explicit(&o->stream, stream, memory_order_relaxed);
  return o;
}

// The stream's order for those addresses, or one that may become it. NULL: all are taken, or other
// streams'.
static order *take(orders *all, uintptr_t stream, uint64_t addresses) {
  order *found = NULL;
  for (int i = 0; i < ORDERS_MOST; i++) {
    order *o = &all->order[i];
    uintptr_t whose = atomic_load_explicit(&o->stream, memory_order_relaxed);
    if ((whose != stream && whose != 0) || !try_to_take(o))
      continue;
    whose = atomic_load_explicit(&o->stream, memory_order_relaxed);
    if (whose == stream && o->addresses == addresses) {
      give_back(found);
      return o;
    }
    bool is_wanted = (whose == stream || whose == 0) && is_better(o, found);
    give_back(is_wanted ? found : o);
    found = is_wanted ? o : found;
  }
  return claim(all, found, stream, addresses);
}

// Of all words of eight bytes, which may be addresses; smaller numbers change from launch to launch
// in many programs, and their data don't.
static uint64_t hash_addresses(const parameters *p, void *const *argument) {
  uint64_t hash = PARAMETERS_HASH_START, word;
  for (uint32_t i = 0; i < p->count; i++)
    for (uint32_t at = 0; at + sizeof word <= p->size[i]; at += sizeof word) {
      memcpy(&word, (const char *)argument[i] + at, sizeof word);
      hash = parameters_mix(hash, word);
    }
  return hash;
}

// ---- making one --------------------------------------------------------------------------------

static size_t bytes_of(const orders *all) { return 2 * all->words + all->scratch; }

// The memory has the order, then the keys, then what the sort needs.
static int sort(const orders *all, const memory *m, void *stream) {
  return all->sorter->sort(m->at + all->words, m->at, all->threads, m->at + 2 * all->words, stream);
}

// With one address more, and no shared memory.
static int inspect(const launch *l, const kernel *k, void **argument, gpu_address keys) {
  launch made = *l;
  launch_configuration configuration;
  argument[k->parameters.count] = &keys;
  made.arguments = argument;
  made.extra = NULL;
  made.shape.shared = 0;
  if (l->configuration != NULL) {
    configuration = *l->configuration;
    configuration.shape.shared = 0;
    made.configuration = &configuration;
  }
  return launch_do(&made, k->inspector);
}

static bool is_current(const kernel *k) {
  void *context;
  return gpu_is_ok(k->gpu->cuCtxGetCurrent(&context)) && context == k->context;
}

// A try that fails leaves memory for the next one.
static bool make(const launch *l, const kernel *k, const orders *all, order *o, void **argument) {
  const gpu *g = k->gpu;
  void *stream = (void *)o->stream;
  int mode = GPU_RELAXED;
  if (!gpu_is_ok(g->cuThreadExchangeStreamCaptureMode(&mode)))
    return false;
  o->is_made = false;
  silence_keep_here(true);
  if (o->memory == NULL && is_current(k))
    o->memory = memory_have(g, k->context, bytes_of(all));
  o->is_made = o->memory != NULL &&
               gpu_is_ok(inspect(l, k, argument, o->memory->at + all->words)) &&
               gpu_is_ok(sort(all, o->memory, stream));
  silence_keep_here(false);
  g->cuThreadExchangeStreamCaptureMode(&mode);
  return o->is_made;
}

// Launches of the shape until now, within those that ask nobody.
static uint64_t now(const shape *s) {
  int quiet = atomic_load_explicit(&s->quiet, memory_order_relaxed);
  return (uint64_t)((int64_t)atomic_load_explicit(&s->until, memory_order_relaxed) - quiet);
}

// What is learned of how long orders are good: as long as this one was when it isn't any more, but
// for one that nobody used although it was; and at least as long as this one is.
static bool is_fresh(orders *all, const order *o, uint64_t here, bool is_best) {
  if (!o->is_made)
    return false;
  bool is_of_data = o->data == atomic_load_explicit(&data, memory_order_relaxed);
  bool is_young = here - o->made < LIN_KEPT;
  bool is_longer = o->uses > atomic_load_explicit(&all->kept, memory_order_relaxed);
  if (!is_of_data || (is_young ? is_longer : is_best))
    set_kept(all, o->uses);
  return is_of_data && is_young;
}

// Where it isn't known what making takes, a launch that is timed finds out.
static bool have_made(const launch *l, const kernel *k, shape *s, order *o, void **argument,
                      timing *t) {
  orders *all = s->orders;
  uint64_t here = now(s);
  unsigned changed = atomic_load_explicit(&data, memory_order_relaxed);
  bool is_best = (k->takes_order >> atomic_load(&s->best) & 1) != 0;
  bool is_there = is_fresh(all, o, here, is_best) &&
                  (t == NULL || atomic_load_explicit(&s->once, memory_order_relaxed) > 0);
  o->last = here;
  if (!is_there) {
    if (!make(l, k, all, o, argument))
      return false;
    o->made = here;
    o->data = changed;
    o->uses = 0;
  }
  if (t != NULL)
    timing_ordered(t, k->gpu, l, !is_there, atomic_load_explicit(&all->kept, memory_order_relaxed));
  o->uses++;
  return true;
}

bool orders_launch(const launch *l, kernel *k, shape *s, uint32_t version, timing *t, int *status) {
  void *argument[PARAMETERS_MOST + 1];
  orders *all = atomic_load_explicit(&s->orders, memory_order_acquire);
  if (all == NULL || !orders_may_be_of(k, l) || !parameters_find(&k->parameters, l, argument))
    return false;
  order *o = take(all, (uintptr_t)gpu_stream(k->gpu, l->shape.stream),
                  hash_addresses(&k->parameters, argument));
  if (o == NULL)
    return false;
  bool is_there = have_made(l, k, s, o, argument, t);
  if (is_there) {
    launch ordered = *l;
    argument[k->parameters.count] = &o->memory->at;
    ordered.arguments = argument;
    ordered.extra = NULL;
    *status = launch_do(&ordered, k->function[version]);
  } else {
    atomic_fetch_or(&s->failed, 1U << version);
    atomic_store(&s->quiet, 0);
  }
  give_back(o);
  return is_there;
}

bool orders_may_be_of(const kernel *k, const launch *l) {
  return gpu_stream(k->gpu, l->shape.stream) != (void *)(uintptr_t)GPU_PER_THREAD;
}

// ---- before the first one ----------------------------------------------------------------------

// Sorts what there is in memory that nobody needs, so that the sort's code is on the GPU when the
// time of one is measured.
static bool warm_up(const kernel *k, const orders *all) {
  const gpu *g = k->gpu;
  void *stream;
  if (!gpu_is_ok(g->cuStreamCreate(&stream, GPU_NON_BLOCKING)))
    return false;
  memory *m = memory_have(g, k->context, bytes_of(all));
  bool is_sorted = m != NULL && gpu_is_ok(sort(all, m, stream));
  if (m != NULL)
    memory_retire(g, m, stream);
  g->cuStreamDestroy_v2(stream);
  return is_sorted;
}

static orders *make_orders(const kernel *k, uint32_t threads) {
  enum { ALIGNMENT = 256 };
  const sorter *found = sorter_find();
  orders *all = found == NULL ? NULL : calloc(1, sizeof *all);
  if (all == NULL)
    return NULL;
  silence_keep_here(true);
  all->sorter = found;
  all->threads = threads;
  all->words = (threads * sizeof(uint32_t) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  all->scratch = found->scratch(threads);
  all->kept = LIN_KEPT;
  for (int i = 0; i < ORDERS_MOST; i++)
    atomic_flag_clear(&all->order[i].is_taken);
  bool is_warm = all->scratch > 0 && warm_up(k, all);
  silence_keep_here(false);
  if (!is_warm)
    free(all);
  return is_warm ? all : NULL;
}

bool orders_prepare(kernel *k, shape *s, uint32_t version) {
  bool is_line;
  const uint64_t threads = kernels_threads(s, &is_line),
                 of_block = (uint64_t)s->block[0] * s->block[1] * s->block[2];
  const bool may_be = threads > 0 && (is_line || (k->takes_line >> version & 1) == 0) &&
                      of_block <= (uint64_t)k->inspector_threads;
  if (may_be && s->orders == NULL)
    atomic_store_explicit(&s->orders, make_orders(k, (uint32_t)threads), memory_order_release);
  return may_be && s->orders != NULL;
}

// ---- when something ends -----------------------------------------------------------------------

// Other threads only look whose it is.
static void release_order(const gpu *g, order *o, bool ends_context) {
  while (!try_to_take(o))
    sched_yield();
  if (o->memory != NULL && ends_context)
    memory_lose(o->memory);
  else if (o->memory != NULL)
    memory_retire(g, o->memory, (void *)o->stream);
  o->memory = NULL;
  o->is_made = false;
  atomic_store_explicit(&o->stream, 0, memory_order_relaxed);
  give_back(o);
}

static bool enter(const kernel *k) { return gpu_is_ok(k->gpu->cuCtxPushCurrent_v2(k->context)); }

static void leave(const kernel *k) {
  void *context;
  k->gpu->cuCtxPopCurrent_v2(&context);
}

void orders_release(const kernel *k, shape *s, bool ends_context) {
  if (s->orders == NULL)
    return;
  bool is_over = ends_context || !enter(k);
  for (int i = 0; i < ORDERS_MOST; i++)
    release_order(k->gpu, &s->orders->order[i], is_over);
  if (!is_over)
    leave(k);
  free(s->orders);
}

static void forget_stream(const kernel *k, orders *all, const void *stream) {
  for (int i = 0; i < ORDERS_MOST; i++) {
    order *o = &all->order[i];
    if (o->stream != (uintptr_t)stream || !enter(k))
      continue;
    release_order(k->gpu, o, false);
    leave(k);
  }
}

void orders_forget_stream(const void *stream) {
  for (const kernel *k = kernels_first(); k != NULL; k = k->next)
    for (shape *s = k->shapes; s != NULL && k->takes_order != 0; s = s->next)
      if (s->orders != NULL)
        forget_stream(k, s->orders, stream);
}
