#include "format.h"

#include "fields.h"

#include <inttypes.h>
#include <string.h>

// ---- names

size_t lin_versions_symbol(char *symbol, size_t size, const char *kernel, const char *name) {
  int length = snprintf(symbol, size, "%s" LIN_VERSIONS_FUNCTION_INFIX "%s", kernel, name);
  if (length < 0)
    return size;
  size_t at = strlen(kernel) + sizeof LIN_VERSIONS_FUNCTION_INFIX - 1;
  for (; at < size && symbol[at] != '\0'; at++)
    if (symbol[at] == '-' || symbol[at] == '.')
      symbol[at] = '_';
  return (size_t)length;
}

size_t lin_versions_variable(char *symbol, size_t size, const char *kernel) {
  int length = snprintf(symbol, size, LIN_VERSIONS_VARIABLE_PREFIX "%s", kernel);
  return length < 0 ? size : (size_t)length;
}

bool lin_versions_is_name(const char *name) {
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  enum { MOST_LENGTH = 63 };
  size_t length = strspn(name, allowed);
  return length > 0 && length <= MOST_LENGTH && name[length] == '\0' &&
         strcmp(name, LIN_VERSIONS_PLAIN) != 0;
}

// What a version takes, as text.
static const char *const takes_text[] = {[LIN_TAKES_NOTHING] = NULL,
                                         [LIN_TAKES_ORDER] = "order",
                                         [LIN_TAKES_ORDER_OF_LINE] = "order of a line",
                                         [LIN_TAKES_COUNTER] = "counter",
                                         [LIN_TAKES_COUNTER_OF_LINE] = "counter of a line"};

// ---- writing

void lin_versions_write(FILE *file, const lin_versions *v) {
  fprintf(file, "linearize-versions 1 %016" PRIx64, v->hash);
  if (v->compiler != NULL && v->compiler[0] != '\0') {
    fputc(' ', file);
    lin_field_write(file, v->compiler);
  }
  fputs(v->ends ? "\tends\n" : "\n", file);
  for (uint32_t i = 0; i < v->count; i++) {
    lin_field_write(file, v->version[i].name);
    fputc('\t', file);
    lin_field_write(file, v->version[i].function);
    if (v->version[i].takes != LIN_TAKES_NOTHING)
      fprintf(file, "\t%s", takes_text[v->version[i].takes]);
    if (v->version[i].inspector != NULL) {
      fputc('\t', file);
      lin_field_write(file, v->version[i].inspector);
    }
    fputc('\n', file);
  }
}

// ---- reading

static bool fail(lin_versions_error *error, size_t line, const char *what) {
  error->line = line;
  snprintf(error->text, sizeof error->text, "%s", what);
  return false;
}

static const char *read_first(char *line, lin_versions *v) {
  if (!lin_field_skip(&line, "linearize-versions "))
    return "it says nothing of versions";
  if (!lin_field_skip(&line, "1 "))
    return "versions are described in a form that is not known here; was it compiled by another "
           "version of linearize?";
  if (!lin_field_hash(&line, &v->hash))
    return "the hash is not 16 hexadecimal digits";
  if (line[0] != '\0' && line[0] != ' ' && line[0] != '\t')
    return "the hash is not 16 hexadecimal digits";
  line += line[0] == ' ';
  v->compiler = lin_field_next(&line);
  v->ends = line != NULL && strcmp(line, "ends") == 0;
  return line == NULL || v->ends ? NULL : "what is said of the kernel is not known here";
}

static bool read_takes(const char *text, lin_version *version) {
  version->takes = LIN_TAKES_NOTHING;
  if (text == NULL)
    return true;
  for (int i = LIN_TAKES_ORDER; i <= LIN_TAKES_COUNTER_OF_LINE; i++)
    if (strcmp(text, takes_text[i]) == 0)
      version->takes = (lin_version_takes)i;
  return version->takes != LIN_TAKES_NOTHING;
}

static const char *read_version(char *line, lin_versions *v) {
  if (v->count == LIN_VERSIONS_MOST - 1)
    return "too many versions";
  lin_version *version = &v->version[v->count];
  version->name = lin_field_next(&line);
  version->function = lin_field_next(&line);
  const char *takes = line == NULL ? NULL : lin_field_next(&line);
  version->inspector = line == NULL ? NULL : lin_field_next(&line);
  if (version->function == NULL || line != NULL || version->function[0] == '\0')
    return "a version's name, a tab and its function are expected here";
  if (!read_takes(takes, version))
    return "what the version takes is not known here; was it compiled by another version of "
           "linearize?";
  if (!lin_versions_is_name(version->name))
    return "a version can't have that name";
  for (uint32_t i = 0; i < v->count; i++)
    if (strcmp(v->version[i].name, version->name) == 0)
      return "the version was named before";
  v->count++;
  return NULL;
}

bool lin_versions_read(char *text, size_t length, lin_versions *v, lin_versions_error *error) {
  *v = (lin_versions){.compiler = ""};
  text[length] = '\0';
  size_t number = 0;
  for (char *line; (line = lin_field_line(&text)) != NULL;) {
    const char *wrong = ++number == 1 ? read_first(line, v) : read_version(line, v);
    if (wrong != NULL)
      return fail(error, number, wrong);
  }
  if (text[0] != '\0')
    return fail(error, number + 1, "the text is cut off in this line");
  return v->count > 0 ? true : fail(error, number + 1, "it names no version");
}
