// A list of options is read from left to right, one at a time: a word, or a name, '=' and a value.
#include "options.h"

#include "choose/estimate.h"
#include "option_table.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/lifted.h"
#include "llvm/ask/target.h"
#include "llvm/tell/message.h"
#include "llvm/tell/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

linearize_options linearize_default_options(void) {
  return (linearize_options){.mode = LINEARIZE_NEEDED, .level = 4};
}

// ---- options as text

// A piece of the text that is read.
typedef struct piece {
  const char *text;
  size_t length;
} piece;

static bool is_word(piece p, const char *word) {
  return p.length == strlen(word) && memcmp(p.text, word, p.length) == 0;
}

static bool parse_mode(piece p, linearize_mode *mode) {
  static const char *const names[] = {"needed", "irreducible", "paper", "all", "none"};
  for (int i = 0; i < 5; i++)
    if (is_word(p, names[i])) {
      *mode = (linearize_mode)i;
      return true;
    }
  return false;
}

bool linearize_parse_mode(const char *text, linearize_mode *mode) {
  return parse_mode((piece){text, strlen(text)}, mode);
}

static bool parse_level(piece p, int *level) {
  if (p.length != 2 || p.text[0] != 'O' || p.text[1] < '0' || p.text[1] > '4')
    return false;
  *level = p.text[1] - '0';
  return true;
}

// Reads digits; UINT32_MAX is a number too large for a region.
static bool parse_number(piece p, uint32_t *number) {
  uint64_t value = 0;
  for (size_t i = 0; i < p.length; i++) {
    if (p.text[i] < '0' || p.text[i] > '9')
      return false;
    value = 10 * value + (uint64_t)(p.text[i] - '0');
    if (value > UINT32_MAX)
      return false;
  }
  *number = (uint32_t)value;
  return p.length > 0;
}

static bool parse_limit(piece p, unsigned *limit) {
  uint32_t number;
  if (!parse_number(p, &number) || number == 0)
    return false;
  *limit = number;
  return true;
}

// The numbers between '+', up to the end of `p`: counts them, and stores them if `numbers` isn't
// NULL. Returns 0 if they are no such list.
static uint32_t parse_numbers(piece p, uint32_t *numbers) {
  uint32_t count = 0, number;
  for (const char *at = p.text, *end = p.text + p.length;; at++) {
    const char *start = at;
    while (at < end && *at != '+')
      at++;
    if (!parse_number((piece){start, (size_t)(at - start)}, &number))
      return 0;
    if (numbers != NULL)
      numbers[count] = number;
    count++;
    if (at == end)
      return count;
  }
}

static bool parse_only(piece p, const char **only) {
  if (parse_numbers(p, NULL) == 0)
    return false;
  *only = p.text;
  return true;
}

static bool parse_text(piece p, const char **file) {
  *file = p.length > 0 ? p.text : NULL;
  return p.length > 0;
}

static const lin_option *find_option(piece name) {
  for (int i = 0; i < LIN_NUM_OPTIONS; i++)
    if (is_word(name, lin_option_table[i].name))
      return &lin_option_table[i];
  return NULL;
}

static void *field_of(const lin_option *option, linearize_options *options) {
  return (char *)options + option->field;
}

// Sets an option that has a value. Returns what it may be, if `value` is wrong for it, or NULL.
static const char *set_option(const lin_option *option, piece value, linearize_options *options) {
  void *field = field_of(option, options);
  switch (option->kind) {
  case LIN_OPTION_MODE:
    return parse_mode(value, field) ? NULL : "needed, irreducible, paper, all or none";
  case LIN_OPTION_LEVEL:
    return parse_level(value, field) ? NULL : "O0, O1, O2, O3 or O4";
  case LIN_OPTION_NUMBER:
    return parse_limit(value, field) ? NULL : "a number from 1 to 4294967295";
  case LIN_OPTION_NUMBERS:
    return parse_only(value, field) ? NULL : "numbers of regions like 0+2+5";
  case LIN_OPTION_NAMES:
    return parse_text(value, field) ? NULL : "names of kernels like step:app::walk";
  case LIN_OPTION_FILE:
    return parse_text(value, field) ? NULL : "a file with counts of blocks";
  case LIN_OPTION_VERSIONS: // version_names.h looks at them
    return parse_text(value, field) ? NULL : "names of versions like plain:needed:merge-loops";
  case LIN_OPTION_WORD:
    break;
  }
  return "a word without a value";
}

static bool set_word(piece word, linearize_options *options) {
  const lin_option *option = find_option(word);
  if (option != NULL && option->kind == LIN_OPTION_WORD) {
    *(bool *)field_of(option, options) = true;
    return true;
  }
  return parse_mode(word, &options->mode) || parse_level(word, &options->level);
}

// "merge-loops, warps= and profile=", in `text` with `size` bytes; returns how many it takes.
static size_t list_options(char *text, size_t size) {
  size_t used = 0;
  for (int i = 0; i < LIN_NUM_OPTIONS; i++) {
    const lin_option *option = &lin_option_table[i];
    const char *before = i == 0 ? "" : i + 1 == LIN_NUM_OPTIONS ? " and " : ", ";
    const char *equals = option->kind == LIN_OPTION_WORD ? "" : "=";
    used += (size_t)snprintf(used < size ? text + used : NULL, used < size ? size - used : 0,
                             "%s%s%s", before, option->name, equals);
  }
  return used;
}

static char *say_unknown(piece item) {
  static const char form[] = "unknown parameter '%.*s'; there are needed, irreducible, paper, all, "
                             "none, O0 to O4, ";
  size_t size = sizeof form + item.length + list_options(NULL, 0);
  char *message = malloc(size);
  if (message == NULL)
    abort();
  int used = snprintf(message, size, form, (int)item.length, item.text);
  list_options(message + used, size - (size_t)used);
  return message;
}

static char *say_wrong(piece name, piece value, const char *could_be) {
  static const char form[] = "%.*s is '%.*s', not %s";
  size_t size = sizeof form + name.length + value.length + strlen(could_be);
  char *message = malloc(size);
  if (message == NULL)
    abort();
  snprintf(message, size, form, (int)name.length, name.text, (int)value.length, value.text,
           could_be);
  return message;
}

// Returns what is wrong with one item of a list, to be freed, or NULL.
static char *parse_item(piece item, linearize_options *options) {
  const char *equals = memchr(item.text, '=', item.length);
  if (equals == NULL)
    return set_word(item, options) ? NULL : say_unknown(item);
  piece name = {item.text, (size_t)(equals - item.text)};
  piece value = {equals + 1, item.length - name.length - 1};
  const lin_option *option = find_option(name);
  if (option == NULL || option->kind == LIN_OPTION_WORD)
    return say_unknown(item);
  const char *could_be = set_option(option, value, options);
  return could_be == NULL ? NULL : say_wrong(name, value, could_be);
}

bool linearize_parse_options(const char *text, linearize_options *options, char **message) {
  for (const char *at = text; *at != '\0';) {
    piece item = {at, strcspn(at, ",;")};
    char *wrong = item.length == 0 ? NULL : parse_item(item, options);
    if (wrong != NULL) {
      if (message != NULL)
        *message = wrong;
      else
        free(wrong);
      return false;
    }
    at += item.length + (at[item.length] != '\0');
  }
  return true;
}

// ---- attributes

// Parses a list or one value; returns what is wrong in the arena, and where.
static const char *parse_at(lin_arena *arena, const char *list, const char *where,
                            linearize_options *options) {
  char *message;
  linearize_options here = *options;
  here.profile_file = here.versions = here.tuned_file = here.except = NULL;
  if (linearize_parse_options(list, &here, &message)) {
    if (here.profile_file == NULL && here.versions == NULL && here.tuned_file == NULL &&
        here.except == NULL) {
      here.profile_file = options->profile_file;
      here.versions = options->versions;
      here.tuned_file = options->tuned_file;
      here.except = options->except;
      *options = here;
      return NULL;
    }
    message = lin_ir_copy_text(
        here.profile_file != NULL ? "a profile is for all functions, give it as an option"
        : here.except != NULL     ? "except is for all functions: annotate this one no-linearize"
                                  : "versions are for all kernels, give them as an option");
  }
  size_t size = strlen(where) + strlen(message) + 3;
  char *text = lin_arena_bytes(arena, size);
  snprintf(text, size, "%s: %s", where, message);
  free(message);
  return text;
}

static const char *read_attribute(lin_arena *arena, LLVMValueRef function, const lin_option *option,
                                  linearize_options *options) {
  unsigned length;
  char name[64], where[80];
  snprintf(name, sizeof name, "linearize-%s", option->name);
  const char *value = lin_ir_string_attribute(function, name, &length);
  if (value == NULL)
    return NULL;
  size_t size = strlen(option->name) + length + 2;
  char *list = lin_arena_bytes(arena, size);
  snprintf(list, size, "%s=%.*s", option->name, (int)length, value);
  snprintf(where, sizeof where, "attribute \"%s\"", name);
  return parse_at(arena, list, where, options);
}

const char *lin_ir_read_attributes(lin_arena *arena, LLVMValueRef function,
                                   linearize_options *options) {
  if (lin_ir_is_annotated(function, "linearize"))
    options->mode = LINEARIZE_PAPER;
  const char *wrong = NULL;
  unsigned next = 0;
  for (const char *list;
       wrong == NULL && (list = lin_ir_annotation(arena, function, "linearize:", &next)) != NULL;)
    wrong = parse_at(arena, list, "annotation \"linearize:\"", options);
  for (int i = 0; wrong == NULL && i < LIN_NUM_OPTIONS; i++)
    if ((lin_option_table[i].where & LIN_OPTION_OF_FUNCTION) != 0)
      wrong = read_attribute(arena, function, &lin_option_table[i], options);
  return wrong;
}

// ---- for the core

bool lin_ir_is_gpu(LLVMValueRef function) {
  return strncmp(LLVMGetTarget(LLVMGetGlobalParent(function)), "nvptx", 5) == 0;
}

// A GPU function that doesn't say what it is compiled for may run on anything.
static bool runs_in_lock_step(LLVMValueRef function) {
  return lin_ir_is_gpu(function) && lin_ir_target(function)->lock_step;
}

static void add_modes(const linearize_options *options, lin_asked *asked) {
  static const lin_mode modes[] = {
      [LINEARIZE_NEEDED] = LIN_MODE_NEEDED,
      [LINEARIZE_IRREDUCIBLE] = LIN_MODE_IRREDUCIBLE,
      [LINEARIZE_PAPER] = LIN_MODE_PAPER,
      [LINEARIZE_ALL] = LIN_MODE_ALL,
  };
  if (options->mode != LINEARIZE_NONE)
    asked->mode[asked->num_modes++] = modes[options->mode];
  if (options->merge_loops)
    asked->mode[asked->num_modes++] = LIN_MODE_MERGE_LOOPS;
  if (options->interleave)
    asked->mode[asked->num_modes++] = LIN_MODE_INTERLEAVE;
  if (options->limit_depth > 0)
    asked->mode[asked->num_modes++] = LIN_MODE_LIMIT_DEPTH;
}

lin_asked lin_ir_asked(lin_arena *arena, LLVMValueRef function, const linearize_options *options) {
  lin_asked asked = {.level = options->level,
                     .policy = {.force = options->force,
                                .regardless = options->regardless,
                                .votes = options->vote,
                                .most_nested = options->limit_depth,
                                .warps = options->warps,
                                .least_cost = options->threshold,
                                .most_blocks = options->max_blocks,
                                .most_work = options->max_work},
                     .profile = options->profile};
  if (function != NULL) {
    asked.policy.lock_step = runs_in_lock_step(function);
    asked.policy.gpu = lin_ir_target(function);
    asked.policy.least_gain = lin_ir_was_ptx(function) ? LIN_LEAST_GAIN_OF_PTX : 0;
  }
  add_modes(options, &asked);
  if (options->only != NULL) {
    piece list = {options->only, strspn(options->only, "0123456789+")};
    uint32_t *only = LIN_ARRAY(arena, uint32_t, list.length);
    asked.policy.num_only = parse_numbers(list, only);
    asked.policy.only = only;
  }
  return asked;
}
