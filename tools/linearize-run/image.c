#define _POSIX_C_SOURCE 200809L

#include "image.h"

#include "noted.h"
#include "preload/attempt.h"

#include "common/command_line.h"
#include "common/linearize_ptx.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char tool_name[] = "linearize-run";

// ---- options

static pthread_once_t options_once = PTHREAD_ONCE_INIT;
static tool_ptx_options options;

static void take_options(void *context) {
  (void)context;
  tool_ptx_options taken = tool_ptx_defaults("warnings");
  tool_ptx_environment(&taken);
  taken.most_seconds = IMAGE_MOST_SECONDS;
  options = taken;
}

static void read_options(void) {
  if (attempt_run(take_options, NULL, IMAGE_MOST_MEMORY, IMAGE_MOST_SECONDS))
    return;
  options = (tool_ptx_options){.mode = LIN_NO_MODE};
  fprintf(stderr, "%s: warning: %s; PTX goes to the driver as it is\n", tool_name,
          attempt_failure());
}

// What ends a tool ends an attempt here.
_Noreturn void tool_die(int status, const char *format, ...) {
  static _Thread_local char reason[320];
  (void)status;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  attempt_fail_because(reason);
}

void image_lacks_ptx(const char *what) {
  pthread_once(&options_once, read_options);
  if (options.counts)
    noted_reason(what);
}

bool image_is_compiled(void) {
  pthread_once(&options_once, read_options);
  return options.jit;
}

// ---- PTX

void image_refuse(const image *given, const char *reason) {
  if (!given->is_quiet)
    fprintf(stderr, "%s: warning: %s: %s; it goes to the driver as it is\n", tool_name, given->name,
            reason);
}

bool image_is_linearized(const char *text, size_t length) {
  size_t mark = sizeof IMAGE_MARK - 1;
  return length >= mark && memcmp(text + length - mark, IMAGE_MARK, mark) == 0;
}

typedef struct work {
  const image *given;
  const char *text;
  size_t length;
  char *result; // NULL: the text stays as it is
  size_t result_length;
} work;

static void hear(void *context, const lin_ptx_remark *remark) {
  const image *given = context;
  if (options.counts && strcmp(remark->name, "NotLifted") == 0) {
    char reason[320];
    snprintf(reason, sizeof reason, "%s: %s", remark->function, remark->message);
    noted_reason(reason);
  }
  if (given->is_quiet)
    return;
  flockfile(stderr);
  tool_ptx_print(&options, given->name, remark);
  funlockfile(stderr);
}

static void linearize(void *context) {
  work *w = context;
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, w->text, w->length, &error);
  if (module == NULL) {
    char reason[256];
    snprintf(reason, sizeof reason, "line %" PRIu32 ": %s", error.line, error.message);
    image_refuse(w->given, reason);
  } else {
    const char *failure;
    w->result_length = w->length;
    w->result = tool_linearize_ptx(&options, w->given->name, module, w->text, &w->result_length,
                                   hear, (void *)(uintptr_t)w->given, &failure);
    if (failure != NULL)
      image_refuse(w->given, failure);
  }
  lin_arena_release(&arena);
}

char *image_linearize_text(const image *given, const char *text, size_t length, size_t *size) {
  pthread_once(&options_once, read_options);
  if (tool_ptx_is_idle(&options) || image_is_linearized(text, length) ||
      !lin_ptx_is_module(text, length))
    return NULL;
  image named = *given;
  char name[NOTED_NAME];
  if (options.counts && noted_ptx(text, length, name))
    named.name = name; // whose lines are places
  work w = {.given = &named, .text = text, .length = length};
  if (length > IMAGE_MOST_BYTES)
    image_refuse(given, "it has more than 128 MB of PTX");
  else if (!attempt_run(linearize, &w, IMAGE_MOST_MEMORY, IMAGE_MOST_SECONDS))
    image_refuse(given, attempt_failure());
  *size = w.result_length + 1;
  return w.result;
}
