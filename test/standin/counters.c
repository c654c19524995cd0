// Words that kernels count with. A launch finds its word 0, and has it for itself until it is over.
#include "standin.h"

#include <string.h>

enum { MOST_WORDS = 1024 };

// A launch that is under way.
typedef struct use {
  gpu_address at;
  const gpu_stream *stream;
  uint64_t end;
} use;

static use uses[MOST_WORDS];
static uint32_t num_uses;
static uint64_t counted, wrong;

static void complain(const char *kernel, const char *what) {
  if (wrong++ < 10)
    fprintf(stderr, "stand-in: %s: its counter %s\n", kernel, what);
}

static void forget_past(void) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < num_uses; i++)
    if (uses[i].end > driver_now)
      uses[left++] = uses[i];
  num_uses = left;
}

static bool is_used(gpu_address at, const gpu_stream *s) {
  for (uint32_t i = 0; i < num_uses; i++)
    if (uses[i].at == at && uses[i].stream != s && uses[i].end > driver_now)
      return true;
  return false;
}

static gpu_address address_of(const gpu_launch *l) {
  const image_kernel *k = l->function->kernel;
  const uint64_t parameter = settings_counter(k->name);
  gpu_address at = 0;
  if (parameter < k->parameters && k->size[parameter] == sizeof at)
    memcpy(&at, l->arguments + k->offset[parameter], sizeof at);
  return at;
}

static uint32_t *word_of(gpu_address at) {
  gpu_memory *m = memory_find(at);
  return m == NULL || m->context != driver_current || m->size - (at - m->address) < sizeof(uint32_t)
             ? NULL
             : (uint32_t *)(void *)(m->bytes + (at - m->address));
}

void counter_begin(const gpu_launch *l, const gpu_stream *s) {
  const char *kernel = l->function->kernel->name;
  if (settings_counter(kernel) == NO_COUNTER)
    return;
  const gpu_address at = address_of(l);
  const uint32_t *word = word_of(at);
  counted++;
  if (word == NULL)
    complain(kernel, "is no memory of the context");
  else if (*word != 0)
    complain(kernel, "isn't 0");
  if (is_used(at, s))
    complain(kernel, "is another launch's");
}

void counter_end(const gpu_launch *l, const gpu_stream *s, uint64_t end) {
  if (settings_counter(l->function->kernel->name) == NO_COUNTER)
    return;
  const gpu_address at = address_of(l);
  uint32_t *word = word_of(at);
  if (word != NULL && *word == 0)
    *word = 1; // kernels that do nothing count, too
  forget_past();
  if (num_uses < MOST_WORDS)
    uses[num_uses++] = (use){at, s, end};
}

void counter_written(gpu_address at, const gpu_stream *s) {
  if (is_used(at, s))
    complain("memset", "is another stream's launch's");
}

void counters_tell(FILE *log) {
  if (counted > 0)
    fprintf(log, "counters: %llu used, %llu wrong\n", (unsigned long long)counted,
            (unsigned long long)wrong);
}
