#define _GNU_SOURCE // asprintf, memfd_create

#include "inputs.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/linearize_ptx.h"
#include "ptx/names.h"
#include "versions/format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// What ptxas opens is a file of this process, which it then is. Not /proc/self: a program in
// between that starts ptxas may keep its files to itself.
static const char *add_path(input_list *list, int descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), descriptor);
  list->path = realloc(list->path, ((size_t)list->count + 1) * sizeof *list->path);
  if (list->path == NULL || (list->path[list->count] = strdup(path)) == NULL)
    abort();
  return list->path[list->count++];
}

// A new file in memory, which is open until the process ends. Ends the program if there is no room.
typedef struct new_file {
  const char *name; // as messages have it
  int descriptor;
  FILE *stream;
} new_file;

static new_file create(const char *name) {
  // The name is for those who look into /proc.
  new_file file = {.name = name, .descriptor = memfd_create("linearized", 0)};
  int copy = file.descriptor < 0 ? -1 : dup(file.descriptor);
  file.stream = copy < 0 ? NULL : fdopen(copy, "wb");
  if (file.stream == NULL)
    tool_die(1, "no file for what %s becomes: %s", name, strerror(errno));
  return file;
}

static const char *finish(input_list *list, new_file file) {
  bool failed = ferror(file.stream) != 0;
  if (fclose(file.stream) != 0 || failed)
    tool_die(1, "no room for what %s becomes: %s", file.name, strerror(errno));
  return add_path(list, file.descriptor);
}

// All of a file, or NULL if it can't be read; the caller frees it.
static char *read_file(const char *name, size_t *length) {
  struct stat about;
  FILE *file = stat(name, &about) == 0 && S_ISREG(about.st_mode) ? fopen(name, "rb") : NULL;
  if (file == NULL)
    return NULL;
  char *text = tool_read_all(file, length);
  bool is_read = !ferror(file);
  fclose(file);
  if (is_read)
    return text;
  free(text);
  return NULL;
}

// Behind some of these characters and `end`; NULL: they aren't there.
static const char *skip(const char *at, const char *of, char end) {
  const size_t length = at == NULL ? 0 : strspn(at, of);
  return length > 0 && at[length] == end ? at + length + 1 : NULL;
}

// What people call a file: that of nvcc is gone by then, and `nvcc --keep` leaves it as app.ptx.
//     /tmp/tmpxft_00001f2a_00000000-6_app.ptx
static const char *name_of(const char *path) {
  static const char begin[] = "tmpxft_", hex[] = "0123456789abcdef";
  const char *slash = strrchr(path, '/'), *base = slash == NULL ? path : slash + 1;
  const char *at = strncmp(base, begin, strlen(begin)) == 0 ? base + strlen(begin) : NULL;
  at = skip(skip(skip(at, hex, '_'), hex, '-'), hex, '_');
  return at == NULL ? path : at;
}

enum { FUNCTIONS, VERSIONED }; // scopes of names: those of a module, and what they are versions of

static lin_ptx_names *name_functions(lin_arena *arena, const lin_ptx_module *module) {
  lin_ptx_names *names = lin_ptx_names_new(arena);
  for (uint32_t i = 0; i < module->num_functions; i++) {
    const char *name = module->function[i].name;
    lin_ptx_names_entry(names, FUNCTIONS, name, (uint32_t)strlen(name))->value = i;
    for (const char *end = name; (end = strstr(end, LIN_VERSIONS_FUNCTION_INFIX)) != NULL; end++)
      lin_ptx_names_entry(names, VERSIONED, name, (uint32_t)(end - name));
  }
  return names;
}

// Whether a kernel isn't in `made` what it is in `module`, or has versions there. O(its text).
static bool is_changed(const lin_ptx_module *module, const lin_ptx_place *kernel,
                       const lin_ptx_module *made, const lin_ptx_names *names) {
  const uint32_t length = (uint32_t)strlen(kernel->name), size = kernel->end - kernel->body;
  const lin_ptx_name *same = lin_ptx_names_find(names, FUNCTIONS, kernel->name, length);
  if (lin_ptx_names_find(names, VERSIONED, kernel->name, length) != NULL)
    return true;
  const lin_ptx_place *f = same == NULL ? NULL : &made->function[same->value];
  return f != NULL && (f->end - f->body != size ||
                       memcmp(made->text + f->body, module->text + kernel->body, size) != 0);
}

// Adds a line about a file: `made` is NULL if nothing changed. Nothing of that is said by itself.
static void summarize(input_list *list, const char *name, const lin_ptx_module *module,
                      const char *made, size_t length) {
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *after =
      made == NULL ? NULL : lin_ptx_module_read(&arena, made, length, &error);
  const lin_ptx_names *names = after == NULL ? NULL : name_functions(&arena, after);
  unsigned kernels = 0, changed = 0;
  for (uint32_t i = 0; i < module->num_functions; i++) {
    kernels += module->function[i].is_kernel;
    changed += after != NULL && module->function[i].is_kernel &&
               is_changed(module, &module->function[i], after, names);
  }
  const bool says_how = (list->options->said >> LIN_PTX_PASSED & 1) != 0,
             says_all = (list->options->said >> LIN_PTX_ANALYSIS & 1) != 0;
  char *all = NULL;
  if (kernels > 0 && (changed > 0 || says_how) &&
      asprintf(&all, "%s%s: %s: %u of %u kernels changed%s\n",
               list->summary == NULL ? "" : list->summary, tool_name, name, changed, kernels,
               !says_how ? "; linearize-nvcc --linearize=remarks=passed says how"
               : changed == 0 && !says_all && !tool_ptx_is_idle(list->options)
                   ? "; remarks=all says why"
                   : "") > 0) {
    free(list->summary);
    list->summary = all;
  }
  lin_arena_release(&arena);
}

typedef struct hearer {
  const tool_ptx_options *options;
  const char *name;
} hearer;

static void hear(void *context, const lin_ptx_remark *remark) {
  const hearer *listener = context;
  tool_ptx_print(listener->options, listener->name, remark);
}

// The path of what the text called `name` becomes, or NULL.
static const char *linearize(input_list *list, const char *path, const char *text, size_t length) {
  const char *name = name_of(path);
  if (!lin_ptx_is_module(text, length))
    return NULL;
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, text, length, &error);
  char *made = NULL;
  const char *failure = NULL;
  if (module == NULL) {
    fprintf(stderr, "%s: warning: %s:%" PRIu32 ": %s; it goes to ptxas as it is\n", tool_name, name,
            error.line, error.message);
  } else {
    hearer listener = {list->options, name};
    made =
        tool_linearize_ptx(list->options, name, module, text, &length, hear, &listener, &failure);
  }
  if (failure != NULL)
    fprintf(stderr, "%s: warning: %s: %s; it goes to ptxas as it is\n", tool_name, name, failure);
  if (module != NULL && failure == NULL && (list->options->said & TOOL_PTX_SUMMARY) != 0)
    summarize(list, name, module, made, length);
  const char *result = NULL;
  if (made != NULL) {
    new_file file = create(name);
    fwrite(made, 1, length, file.stream);
    result = finish(list, file);
    list->is_changed = true;
  }
  free(made);
  lin_arena_release(&arena);
  return result;
}

const char *inputs_of_file(input_list *list, const char *name) {
  size_t length;
  char *text = read_file(name, &length);
  const char *result = text == NULL ? NULL : linearize(list, name, text, length);
  free(text);
  return result;
}

const char *inputs_of_string(input_list *list, const char *text) {
  return linearize(list, "string.ptx", text, strlen(text));
}

const char *inputs_of_standard_input(input_list *list, char **original) {
  size_t length;
  char *text = tool_read_all(stdin, &length);
  while (length > 0 && text[length - 1] == '\0') // which ptxas takes there, and in no file
    length--;
  new_file file = create("stdin");
  fwrite(text, 1, length, file.stream);
  finish(list, file);
  *original = list->path[list->count - 1];
  const char *result = linearize(list, "stdin", text, length);
  free(text);
  return result == NULL ? *original : result;
}

// The word at `*at`, as ptxas takes it from a file of arguments: blanks end it, but behind a
// backslash and between double quotes. `*at` moves behind it. The caller frees the result.
static char *next_word(const char *text, size_t length, size_t *at) {
  char *word = malloc(length - *at + 1);
  if (word == NULL)
    abort();
  size_t used = 0;
  bool is_quoted = false;
  for (; *at < length && (is_quoted || strchr(" \t\r\n", text[*at]) == NULL); (*at)++) {
    if (text[*at] == '"')
      is_quoted = !is_quoted;
    else if (text[*at] == '\\' && *at + 1 < length)
      word[used++] = text[++*at];
    else
      word[used++] = text[*at];
  }
  word[used] = '\0';
  return word;
}

bool inputs_is_output(const char *word) {
  return strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0;
}

uint32_t inputs_target(const char *value) {
  static const char *const kinds[] = {"sm_", "compute_"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(kinds[i]);
    if (strncmp(value, kinds[i], length) == 0)
      return (uint32_t)strtoul(value + length, NULL, 10);
  }
  return 0;
}

uint32_t inputs_target_of_arguments(const char *name) {
  size_t length;
  char *text = read_file(name, &length);
  uint32_t target = 0;
  bool is_value = false;
  for (size_t at = 0; text != NULL && at < length;) {
    at += strspn(text + at, " \t\r\n");
    char *word = next_word(text, length, &at);
    size_t option = strcspn(word, "=");
    bool is_target = (option == 5 && strncmp(word, "-arch", option) == 0) ||
                     (option == 10 && strncmp(word, "--gpu-name", option) == 0);
    const char *value = is_value ? word : is_target && word[option] == '=' ? word + option + 1 : "";
    uint32_t named = inputs_target(value);
    target = named != 0 ? named : target;
    is_value = is_target && word[option] == '\0';
    free(word);
  }
  free(text);
  return target;
}

const char *inputs_of_arguments(input_list *list, const char *name) {
  size_t length, result_length;
  char *result, *text = read_file(name, &length);
  if (text == NULL)
    return NULL;
  FILE *stream = open_memstream(&result, &result_length);
  if (stream == NULL)
    abort();
  bool changes = false, is_value = false;
  for (size_t at = 0; at < length;) {
    size_t start = at;
    at += strspn(text + at, " \t\r\n");
    fwrite(text + start, 1, at - start, stream);
    start = at;
    char *word = next_word(text, length, &at);
    bool is_input = !is_value && word[0] != '-' && word[0] != '\0';
    const char *made = is_input ? inputs_of_file(list, word) : NULL;
    if (made != NULL)
      fputs(made, stream);
    else
      fwrite(text + start, 1, at - start, stream);
    changes |= made != NULL;
    is_value = inputs_is_output(word);
    free(word);
  }
  if (fclose(stream) != 0)
    abort();
  const char *path = NULL;
  if (changes) {
    new_file file = create(name);
    fwrite(result, 1, result_length, file.stream);
    path = finish(list, file);
  }
  free(result);
  free(text);
  return path;
}

void inputs_forget(input_list *list) {
  for (int i = 0; i < list->count; i++)
    free(list->path[i]);
  free(list->path);
  free(list->summary);
}
