#define _POSIX_C_SOURCE 200809L

#include "inputs.h"

#include "common/child.h"
#include "common/command_line.h"
#include "common/leftovers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LEFTOVERS = 8 }; // of files; the others stay if the program is interrupted

__attribute__((format(printf, 1, 2))) static char *make_text(const char *format, ...) {
  char *text;
  size_t length;
  FILE *stream = open_memstream(&text, &length);
  va_list values;
  va_start(values, format);
  if (stream == NULL || vfprintf(stream, format, values) < 0 || fclose(stream) != 0)
    abort();
  va_end(values);
  return text;
}

static void make_folder(input_list *list) {
  const char *parent = getenv("TMPDIR");
  list->folder =
      make_text("%s/linearize-ptxas-XXXXXX", parent == NULL || parent[0] == '\0' ? "/tmp" : parent);
  if (mkdtemp(list->folder) == NULL)
    tool_die(1, "no folder %s: %s", list->folder, strerror(errno));
  tool_leftover(list->folder);
}

// A new file, named after `name`. Ends the program if it can't be written.
static FILE *create(input_list *list, const char *name) {
  if (list->folder == NULL)
    make_folder(list);
  const char *base = strrchr(name, '/');
  base = base == NULL ? name : base + 1;
  list->file = realloc(list->file, ((size_t)list->count + 1) * sizeof *list->file);
  if (list->file == NULL)
    abort();
  // A blank would be two arguments in a file of arguments.
  char *path = make_text("%s/%d.%s", list->folder, list->count + 1, base);
  for (char *c = path + strlen(list->folder); *c != '\0'; c++)
    if (strchr(" \t\n\"'\\", *c) != NULL)
      *c = '_';
  list->file[list->count++] = path;
  if (list->count <= MOST_LEFTOVERS)
    tool_leftover(path);
  FILE *file = fopen(path, "wbx");
  if (file == NULL)
    tool_die(1, "%s: %s", path, strerror(errno));
  return file;
}

static const char *last_file(const input_list *list) { return list->file[list->count - 1]; }

static void close_last(input_list *list, FILE *file) {
  bool failed = ferror(file) != 0;
  if (fclose(file) == 0 && !failed)
    return;
  const char *why = strerror(errno);
  inputs_remove(list);
  tool_die(1, "%s: %s", last_file(list), why);
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

static bool is_ptx(const char *text, size_t length) {
  lin_ptx_scan scan = {text, length < UINT32_MAX ? (uint32_t)length : UINT32_MAX - 1, 0};
  return lin_ptx_is(text, lin_ptx_next(&scan), ".version");
}

typedef struct hearer {
  const tool_ptx_options *options;
  const char *name;
} hearer;

static void hear(void *context, const lin_ptx_remark *remark) {
  const hearer *listener = context;
  tool_ptx_print(listener->options, listener->name, remark);
}

// The file of what the text called `name` becomes, or NULL.
static const char *linearize(input_list *list, const char *name, const char *text, size_t length) {
  if (!is_ptx(text, length))
    return NULL;
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, text, length, &error);
  lin_ptx_patch patch = {.arena = &arena};
  if (module == NULL) {
    fprintf(stderr, "%s: warning: %s:%" PRIu32 ": %s; it goes to ptxas as it is\n", tool_name, name,
            error.line, error.message);
  } else {
    hearer listener = {list->options, name};
    lin_ptx_linearize(module, &list->options->linearize, &patch, hear, &listener);
  }
  bool changes = patch.count > 0;
  if (changes) {
    FILE *file = create(list, name);
    lin_ptx_patch_write(file, text, (uint32_t)length, &patch);
    close_last(list, file);
  }
  lin_arena_release(&arena);
  return changes ? last_file(list) : NULL;
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

const char *inputs_of_standard_input(input_list *list) {
  size_t length;
  char *text = tool_read_all(stdin, &length);
  const char *result = linearize(list, "stdin", text, length);
  if (result == NULL) {
    FILE *file = create(list, "stdin");
    fwrite(text, 1, length, file);
    close_last(list, file);
    result = last_file(list);
  }
  free(text);
  return result;
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
  if (changes) {
    FILE *file = create(list, name);
    fwrite(result, 1, result_length, file);
    close_last(list, file);
  }
  free(result);
  free(text);
  return changes ? last_file(list) : NULL;
}

void inputs_remove(input_list *list) {
  for (int i = 0; i < list->count; i++)
    unlink(list->file[i]);
  if (list->folder != NULL)
    rmdir(list->folder);
}
