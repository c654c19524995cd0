#define _GNU_SOURCE // memfd_create
#include "making.h"

#include "settings.h"
#include "texts.h"

#include "common/apart.h"
#include "common/cache.h"
#include "common/helper.h"
#include "common/lifting_key.h"
#include "ptx/extract.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A kernel that takes less in a whole run gains nothing that anybody would notice, and starting a
// process takes 1 ms.
static const uint64_t LEAST_TIME = 10000000; // ns

enum { MOST_COPIED = 8 }; // constant variables, 1 us of the GPU each

typedef struct variable {
  gpu_address to, from;
  size_t size;
} variable;

struct making {
  making_of of;
  unsigned sm;
  char *asked; // the cache's key
  bool is_started;
  void *module; // NULL: not there
  variable copied[MOST_COPIED];
  uint32_t num_copied;
  making_variable shared[MAKING_MOST_SHARED];
  uint32_t num_shared;
};

// ---- the question ------------------------------------------------------------------------------

static unsigned sm_of(const gpu *g, int device) {
  int major = 0, minor = 0;
  const bool is_known = gpu_is_ok(g->cuDeviceGetAttribute(&major, GPU_MAJOR, device)) &&
                        gpu_is_ok(g->cuDeviceGetAttribute(&minor, GPU_MINOR, device));
  return is_known ? (unsigned)(10 * major + minor) : 0;
}

static const void *handle_of(const making_of *k) {
  return k->library != NULL ? k->library : k->module;
}

// What an answer depends on beside the kernel: who makes it. The same for the whole run.
static const char *makers(unsigned sm) {
  static const char *known;
  static unsigned known_sm;
  if (known == NULL || known_sm != sm) {
    const char *helper = tool_find_helper("LINEARIZE_LIFT", "linearize-lift");
    known = tool_lifting_key(helper, settings_get()->make, sm);
    known_sm = sm;
  }
  return known;
}

static char *question(const making_of *k, unsigned sm, const text_of_gpu *t) {
  char *asked = NULL;
  size_t length;
  int driver = 0;
  const char *by = makers(sm);
  FILE *memory = by == NULL ? NULL : open_memstream(&asked, &length);
  if (memory == NULL)
    return NULL;
  k->gpu->cuDriverGetVersion(&driver);
  fprintf(memory, "make %s\nof %016" PRIx64 ", %zu bytes\nCUDA %d\n%s", k->symbol, t->digest,
          t->size, driver, by);
  return fclose(memory) == 0 ? asked : NULL;
}

static uint32_t without_text;

uint32_t making_without_text(void) { return without_text; }

making *making_begin(const making_of *k) {
  text_of_gpu t;
  const unsigned sm = settings_get()->make == NULL ? 0 : sm_of(k->gpu, k->device);
  if (sm == 0 || k->gpu->cuModuleLoadData == NULL)
    return NULL;
  if (!texts_find(handle_of(k), sm, &t)) {
    without_text++;
    settings_log("%s: no versions: the program has no PTX of it", k->symbol);
    return NULL;
  }
  making *m = calloc(1, sizeof *m);
  if (m == NULL)
    return NULL;
  m->of = *k;
  m->of.symbol = strdup(k->symbol);
  m->sm = sm;
  m->asked = question(k, sm, &t);
  if (m->asked != NULL && m->of.symbol != NULL)
    return m;
  making_end(m, true);
  return NULL;
}

// ---- linearize-make ----------------------------------------------------------------------------

// Where somebody asks for versions by name, or for all of them, they are waited for.
static bool is_waited_for(void) { return settings_get()->mode != VERSIONS_AUTO; }

static bool run(const char *const *arguments, FILE *input) {
  enum { MOST_SECONDS = 300 };
  if (!is_waited_for())
    return tool_leave_apart(arguments, input);
  FILE *nowhere = fopen("/dev/null", "we");
  const bool is_run =
      nowhere != NULL && tool_run_apart(arguments, input, nowhere, nowhere, MOST_SECONDS) == 0;
  if (nowhere != NULL)
    fclose(nowhere);
  return is_run;
}

static bool start(const making *m, const text_of_gpu *t) {
  char sm[16];
  const char *arguments[] = {tool_find_helper("LINEARIZE_MAKE", "linearize-make"),
                             "--kernel",
                             m->of.symbol,
                             "--versions",
                             settings_get()->make,
                             "--asked",
                             m->asked,
                             "--sm",
                             sm,
                             is_waited_for() ? "--wait" : NULL,
                             NULL};
  const int descriptor = memfd_create("linearize", MFD_CLOEXEC);
  FILE *input = descriptor < 0 ? NULL : fdopen(descriptor, "w+b");
  if (input == NULL) {
    if (descriptor >= 0)
      close(descriptor);
    return false;
  }
  snprintf(sm, sizeof sm, "%u", m->sm);
  texts_write(input, t);
  const bool is_started = fflush(input) == 0 && !ferror(input) && fseek(input, 0, SEEK_SET) == 0 &&
                          run(arguments, input);
  fclose(input);
  return is_started;
}

// ---- the answer --------------------------------------------------------------------------------

static bool write_address(const gpu *g, gpu_address to, gpu_address value) {
  void *stream = NULL;
  if (!gpu_is_ok(g->cuStreamCreate(&stream, GPU_NON_BLOCKING)))
    return false;
  const bool is_written = gpu_is_ok(g->cuMemcpyHtoDAsync_v2(to, &value, sizeof value, stream)) &&
                          gpu_is_ok(g->cuStreamSynchronize(stream));
  g->cuStreamDestroy_v2(stream);
  return is_written;
}

// One line of what the versions need: "copy NAME", "point NAME".
static bool share_variable(making *m, const char *line, uint32_t *points) {
  static const char copy[] = "copy ", point[] = "point ";
  const gpu *g = m->of.gpu;
  const bool is_copied = strncmp(line, copy, sizeof copy - 1) == 0;
  const char *name = line + (is_copied ? sizeof copy : sizeof point) - 1;
  size_t size = 0, size_there = 0;
  char own[64];
  const gpu_address from = gpu_global(g, m->of.module, "", name, &size);
  snprintf(own, sizeof own, LIN_PTX_ADDRESS "%" PRIu32, *points);
  const gpu_address to = gpu_global(g, m->module, "", is_copied ? name : own, &size_there);
  if (from == 0 || to == 0)
    return false;
  if (!is_copied) {
    (*points)++;
    if (m->num_shared < MAKING_MOST_SHARED)
      m->shared[m->num_shared++] = (making_variable){from, size};
    return size_there == sizeof from && write_address(g, to, from);
  }
  if (size != size_there || m->num_copied == MOST_COPIED)
    return false;
  m->copied[m->num_copied++] = (variable){to, from, size};
  return true;
}

static bool share_variables(making *m, char *needs) {
  uint32_t points = 0;
  for (char *line = needs, *next; *line != '\0'; line = next) {
    next = line + strcspn(line, "\n");
    if (*next != '\0')
      *next++ = '\0';
    if (!share_variable(m, line, &points)) {
      settings_log("%s: no versions: a variable that it uses isn't found: %s", m->of.symbol, line);
      return false;
    }
  }
  return true;
}

static making_state take(making *m, const tool_cache_value *answer) {
  const gpu *g = m->of.gpu;
  if (answer->made == NULL) {
    settings_log("%s: no versions: %s", m->of.symbol, answer->said);
    return MAKING_NOTHING;
  }
  if (!gpu_is_ok(g->cuModuleLoadData(&m->module, answer->made))) {
    settings_log("%s: no versions: the driver refuses their code", m->of.symbol);
    m->module = NULL;
    return MAKING_NOTHING;
  }
  if (share_variables(m, answer->said))
    return MAKING_THERE;
  g->cuModuleUnload(m->module);
  m->module = NULL;
  return MAKING_NOTHING;
}

// By who has the kernels' lock.
static bool find_answer(const making *m, tool_cache_value *answer) {
  static enum { UNKNOWN, THERE, NOT_THERE } is_there;
  static tool_cache cache;
  const tool_cache_key key = {m->asked, m->of.symbol, "", 0};
  if (is_there == UNKNOWN)
    is_there = tool_cache_default(&cache) ? THERE : NOT_THERE;
  return is_there == THERE && tool_cache_find(&cache, &key, answer);
}

// False: it isn't there.
static bool take_answer(making *m, making_state *state) {
  tool_cache_value answer = {0};
  if (!find_answer(m, &answer))
    return false;
  *state = take(m, &answer);
  free(answer.made);
  free(answer.said);
  return true;
}

making_state making_go_on(making *m, uint64_t time) {
  making_state state;
  text_of_gpu t;
  if (m->module != NULL)
    return MAKING_THERE;
  if (take_answer(m, &state))
    return state;
  if (m->is_started || (time < LEAST_TIME && !is_waited_for()))
    return MAKING_WAITS;
  m->is_started = true;
  if (!texts_find(handle_of(&m->of), m->sm, &t) || !start(m, &t))
    return MAKING_NOTHING;
  if (is_waited_for())
    return take_answer(m, &state) ? state : MAKING_NOTHING;
  settings_log("%s: took %.1f ms; its versions are being made", m->of.symbol, (double)time / 1e6);
  return MAKING_WAITS;
}

// ---- launches ----------------------------------------------------------------------------------

bool making_is_started(const making *m) { return m->is_started; }

void *making_module(const making *m) { return m->module; }

uint32_t making_shared(const making *m, const making_variable **shared) {
  *shared = m->shared;
  return m->num_shared;
}

bool making_refresh(const making *m, void *stream) {
  for (uint32_t i = 0; i < m->num_copied; i++) {
    const variable *v = &m->copied[i];
    if (!gpu_is_ok(m->of.gpu->cuMemcpyDtoDAsync_v2(v->to, v->from, v->size, stream)))
      return false;
  }
  return true;
}

void making_end(making *m, bool is_over) {
  if (m->module != NULL && !is_over)
    m->of.gpu->cuModuleUnload(m->module);
  free((char *)(uintptr_t)m->of.symbol);
  free(m->asked);
  free(m);
}
