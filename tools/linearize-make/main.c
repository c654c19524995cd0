// linearize-make: versions of one kernel as machine code, for a program that runs.
//
//     PTX, LTO-IR, or an entry of a fat binary ──▶ the kernel and what it uses ──▶ its versions, by
//     linearize-lift ──▶ machine code, by ptxas or the driver ──▶ the cache (common/cache.h)
//
// liblinearize-versions.so starts it, and doesn't wait for it: what it says is in the cache, or
// nowhere. An answer without code is kept as well: it isn't asked again.
#define _GNU_SOURCE // nice
#include "lto.h"
#include "machine_code.h"

#include "common/cache.h"
#include "common/child.h"
#include "common/command_line.h"
#include "common/fat_entries.h"
#include "common/lifting.h"

#include "graph/fnv.h"
#include "ptx/extract.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

const char tool_name[] = "linearize-make";

static const char help[] =
    "Usage: linearize-make --kernel NAME --sm N --versions LIST --asked TEXT [FILE]\n"
    "\n"
    "Makes versions of a kernel, compiles them, and keeps the machine code in the cache of\n"
    "linearize. FILE is PTX or a fat binary; standard input without one. Prints nothing: programs\n"
    "that run with liblinearize-versions.so start this one.\n"
    "\n"
    "  --kernel NAME     the kernel, by its symbol\n"
    "  --sm N            it will run on GPUs of sm_N\n"
    "  --versions LIST   as linearize-ptx --help has them\n"
    "  --asked TEXT      what the answer is kept by\n"
    "  --wait            waits for somebody else who is at it\n"
    "  --output FILE     writes the machine code there as well, and says why if there is none\n"
    "  --help            print this\n"
    "  --version         print the version of linearize\n"
    "\n"
    "Exit status:\n"
    "  0                 there is an answer, or somebody is at it\n"
    "  1                 there is none\n"
    "  2                 a wrong command line\n";

// Seconds, for LLVM and for all of it.
enum { MOST_SECONDS = 60, MOST_SECONDS_OF_ALL = 300 };

typedef struct options {
  const char *kernel, *versions, *asked, *output, *file;
  unsigned sm;
  bool waits;
} options;

static options read_options(int argc, char **argv) {
  options o = {0};
  for (int at = 1; at < argc; at++) {
    const char *value;
    tool_answer(argv[at], help);
    if ((value = tool_value_of("--kernel", argc, argv, &at)) != NULL)
      o.kernel = value;
    else if ((value = tool_value_of("--versions", argc, argv, &at)) != NULL)
      o.versions = value;
    else if ((value = tool_value_of("--asked", argc, argv, &at)) != NULL)
      o.asked = value;
    else if ((value = tool_value_of("--output", argc, argv, &at)) != NULL)
      o.output = value;
    else if (strcmp(argv[at], "--wait") == 0)
      o.waits = true;
    else if ((value = tool_value_of("--sm", argc, argv, &at)) != NULL)
      o.sm = (unsigned)tool_number("--sm", value, 999);
    else
      tool_take_file(argv[at], &o.file);
  }
  if (o.kernel == NULL || o.versions == NULL || o.asked == NULL || o.sm == 0)
    tool_die(2, "--kernel, --versions, --sm and --asked are needed; see --help");
  return o;
}

// ---- PTX ---------------------------------------------------------------------------------------

// The PTX of a fat binary for the newest GPUs that aren't newer than this one. To be freed.
static char *unpack_ptx(const char *bytes, size_t size, unsigned sm, size_t *length,
                        const char **failure) {
  fat_reader r, best = {.data = NULL};
  *failure = "a fat binary of a form that isn't known";
  if (!fat_start(&r, bytes, size))
    return NULL;
  for (; fat_read(&r); r.at += fat_whole(&r.entry))
    if (r.entry.kind == FAT_PTX && r.entry.architecture <= sm &&
        (best.data == NULL || r.entry.architecture > best.entry.architecture))
      best = r;
  *failure = "it has no PTX for this GPU";
  if (best.data == NULL)
    return NULL;
  char *owned;
  const char *text = fat_content(&best, dlsym, &owned, length, failure);
  if (text == NULL)
    return NULL;
  *length = strnlen(text, *length);
  char *copy = strndup(text, *length);
  free(owned);
  return copy;
}

static char *read_ptx(const options *o, size_t *length, const char **failure) {
  size_t size;
  char *bytes = tool_read_input(o->file == NULL ? "-" : o->file, &size);
  if (!fat_is(bytes, size) && !lto_is(bytes, size)) {
    *length = strlen(bytes);
    return bytes;
  }
  char *text = lto_is(bytes, size) ? lto_link(bytes, size, length, failure)
                                   : unpack_ptx(bytes, size, o->sm, length, failure);
  free(bytes);
  return text;
}

static char *write_patch(const char *text, uint32_t length, lin_ptx_patch *patch, size_t *size) {
  char *made = NULL;
  FILE *memory = open_memstream(&made, size);
  if (memory == NULL)
    tool_die(1, "out of memory");
  lin_ptx_patch_write(memory, text, length, patch);
  fclose(memory);
  return made;
}

// What the program has to do before launches (ptx/extract.h), a line for each variable.
static char *write_needs(const lin_ptx_extracted *e) {
  char *text = NULL;
  size_t length;
  FILE *memory = open_memstream(&text, &length);
  if (memory == NULL)
    tool_die(1, "out of memory");
  for (uint32_t i = 0; i < e->num_copied; i++)
    fprintf(memory, "copy %s\n", e->copied[i]);
  for (uint32_t i = 0; i < e->num_pointed; i++)
    fprintf(memory, "point %s\n", e->pointed[i]);
  fclose(memory);
  return text;
}

static const lin_ptx_module *read_module(lin_arena *arena, const char *text, size_t length,
                                         const char **failure) {
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(arena, text, length, &error);
  if (module == NULL)
    *failure = error.message;
  return module;
}

// The kernel's module, or NULL. To be freed.
static char *extract(lin_arena *arena, const options *o, size_t *length, char **needs,
                     const char **target, const char **failure) {
  char *text = read_ptx(o, length, failure);
  const lin_ptx_module *module = text == NULL ? NULL : read_module(arena, text, *length, failure);
  lin_ptx_patch patch = {.arena = arena};
  lin_ptx_extracted needed;
  if (module != NULL)
    *failure = lin_ptx_extract(module, o->kernel, &patch, &needed);
  if (module == NULL || *failure != NULL) {
    free(text);
    return NULL;
  }
  *target = module->target;
  *needs = write_needs(&needed);
  char *made = write_patch(text, module->length, &patch, length);
  free(text);
  return made;
}

// ---- versions ----------------------------------------------------------------------------------

static void hear_nothing(void *context, const lin_ptx_remark *remark) {
  (void)context;
  (void)remark;
}

// Its versions without itself; or NULL. To be freed.
static char *make_versions(lin_arena *arena, const options *o, const char *text, size_t *length,
                           const char **failure) {
  char list[1024];
  if (snprintf(list, sizeof list, "versions=%s", o->versions) >= (int)sizeof list) {
    *failure = "too many versions";
    return NULL;
  }
  for (char *comma = list; (comma = strchr(comma, ',')) != NULL;)
    *comma = ':'; // a list within a list
  char *lifted =
      tool_lift(o->kernel, text, length, list, o->sm, MOST_SECONDS, hear_nothing, NULL, failure);
  if (lifted == NULL && *failure == NULL)
    *failure = "no version differs from it";
  const lin_ptx_module *module =
      lifted == NULL ? NULL : read_module(arena, lifted, *length, failure);
  lin_ptx_patch patch = {.arena = arena};
  if (module == NULL || !lin_ptx_drop(module, o->kernel, &patch))
    return lifted;
  char *made = write_patch(lifted, module->length, &patch, length);
  free(lifted);
  return made;
}

// The answer: code and what it needs, or why there is none.
static tool_cache_value make(lin_arena *arena, const options *o) {
  const char *failure = NULL, *target = NULL;
  char *needs = NULL, *code = NULL;
  size_t length, size = 0;
  char *text = extract(arena, o, &length, &needs, &target, &failure);
  char *versions = text == NULL ? NULL : make_versions(arena, o, text, &length, &failure);
  if (versions != NULL)
    code = machine_code(versions, length, target, o->sm, &size, &failure);
  free(text);
  free(versions);
  char *said = code != NULL ? needs : strdup(failure == NULL ? "nothing was made" : failure);
  if (code == NULL)
    free(needs);
  return (tool_cache_value){.made = code,
                            .said = said,
                            .made_length = size,
                            .said_length = said == NULL ? 0 : strlen(said)};
}

// ---- the cache ---------------------------------------------------------------------------------

// A file that says that somebody is at it. False: somebody else is, or was within the hour.
static bool begin(const tool_cache *cache, const options *o, char name[64]) {
  const int folder = tool_cache_open(cache);
  snprintf(name, 64, "%016" PRIx64 ".busy" TOOL_CACHE_END_NEW,
           lin_fnv_text(LIN_FNV_START, o->asked));
  if (folder >= 0)
    tool_cache_make_room(cache, folder, 0);
  const int file =
      folder < 0 ? -1 : openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (folder >= 0)
    close(folder);
  if (file >= 0)
    close(file);
  return file >= 0;
}

// Until the file of somebody else is gone, a minute at most.
static void wait_for_other(const tool_cache *cache, const char *name) {
  enum { MOST = 600 };
  const struct timespec tenth = {0, 100000000};
  const int folder = tool_cache_open(cache);
  for (int i = 0; i < MOST && folder >= 0 && faccessat(folder, name, F_OK, 0) == 0; i++)
    nanosleep(&tenth, NULL);
  if (folder >= 0)
    close(folder);
}

static void end(const tool_cache *cache, const char *name) {
  const int folder = tool_cache_open(cache);
  if (folder < 0)
    return;
  unlinkat(folder, name, 0);
  close(folder);
}

static void write_output(const options *o, const tool_cache_value *answer) {
  if (answer->made == NULL)
    tool_die(1, "%s: %s", o->kernel, answer->said);
  FILE *file = fopen(o->output, "wb");
  if (file == NULL || fwrite(answer->made, 1, answer->made_length, file) != answer->made_length ||
      fclose(file) != 0)
    tool_die(1, "%s can't be written", o->output);
}

int main(int argc, char **argv) {
  const options o = read_options(argc, argv);
  const struct rlimit core = {0, 0};
  lin_arena arena = {0};
  tool_cache cache;
  char name[64];
  setrlimit(RLIMIT_CORE, &core);
  alarm(MOST_SECONDS_OF_ALL);
  const bool is_nice = nice(19) != -1; // whoever started it comes first
  (void)is_nice;
  if (!tool_cache_default(&cache))
    tool_die(1, "there is no folder for the cache");
  if (!begin(&cache, &o, name)) {
    if (o.waits)
      wait_for_other(&cache, name);
    return 0;
  }
  const tool_cache_value answer = make(&arena, &o);
  const tool_cache_key key = {o.asked, o.kernel, "", 0};
  tool_cache_keep(&cache, &key, &answer);
  end(&cache, name);
  if (o.output != NULL)
    write_output(&o, &answer);
  free(answer.made);
  free(answer.said);
  lin_arena_release(&arena);
  return 0;
}
