#include "held_ptx.h"

#include "command_line.h"
#include "names.h"
#include "open_source.h"
#include "programs.h"

#include "ptx/module.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct names {
  char **name;
  uint32_t count, capacity;
} names;

// Which module is chosen, as they are read one by one.
typedef struct search {
  lin_arena arena;
  const tool_choice *choice;
  names kernels, functions; // that there are; MOST_NAMES of each, and one more
  names found;              // symbols of functions with the wanted name
  bool is_ambiguous;        // modules have different ones
  bool is_exact;            // the wanted name is the symbol
  uint32_t num_usable;      // modules that define functions
  char *text;               // of the chosen one, or NULL
  size_t length;
} search;

enum { MOST_NAMES = 20 };

static bool has(const names *list, const char *name) {
  for (uint32_t i = 0; i < list->count; i++)
    if (strcmp(list->name[i], name) == 0)
      return true;
  return false;
}

static void add(lin_arena *arena, names *list, const char *name) {
  list->name = LIN_ROOM(arena, list->name, list->count, &list->capacity);
  list->name[list->count++] = lin_arena_text(arena, name, strlen(name));
}

// Notes that there is such a function, for messages.
static void note(search *s, const lin_ptx_place *function) {
  names *list = function->is_kernel ? &s->kernels : &s->functions;
  if (list->count > MOST_NAMES)
    return;
  char *name = tool_short_name(function->name);
  if (!has(list, name))
    add(&s->arena, list, name);
  free(name);
}

// `a, b, c`, in the arena.
static const char *say(search *s, const names *list) {
  size_t size = sizeof " and others", at = 0;
  for (uint32_t i = 0; i < list->count; i++)
    size += strlen(list->name[i]) + 2;
  char *text = lin_arena_bytes(&s->arena, size);
  text[0] = '\0';
  for (uint32_t i = 0; i < list->count && i < MOST_NAMES; i++)
    at += (size_t)snprintf(text + at, size - at, "%s%s", i == 0 ? "" : ", ", list->name[i]);
  if (list->count > MOST_NAMES)
    snprintf(text + at, size - at, " and others");
  return text;
}

static const char *say_functions(search *s) {
  return say(s, s->kernels.count > 0 ? &s->kernels : &s->functions);
}

// Whether a module has what is wanted; if none is named, whether it has functions at all.
static bool look_at(search *s, const lin_ptx_module *module) {
  const char *wanted = s->choice->name;
  const bool is_first = s->found.count == 0;
  bool is_here = wanted == NULL && module->num_functions > 0;
  for (uint32_t i = 0; i < module->num_functions; i++) {
    const char *symbol = module->function[i].name;
    note(s, &module->function[i]);
    if (wanted == NULL || !tool_is_called(symbol, wanted))
      continue;
    is_here = true;
    s->is_exact |= strcmp(symbol, wanted) == 0;
    if (has(&s->found, symbol))
      continue;
    s->is_ambiguous |= !is_first;
    add(&s->arena, &s->found, symbol);
  }
  return is_here;
}

// Takes `text`, which is to be freed. Returns false if it can't be read.
static bool take(search *s, const char *file, char *text, size_t length) {
  lin_arena arena = {0};
  lin_ptx_error error;
  const lin_ptx_module *module = lin_ptx_module_read(&arena, text, length, &error);
  const bool is_read = module != NULL;
  if (!is_read)
    fprintf(stderr, "%s: %s: a module of its PTX is left out: line %" PRIu32 ": %s\n", tool_name,
            file, error.line, error.message);
  const bool is_here = is_read && look_at(s, module);
  s->num_usable += is_read && module->num_functions > 0;
  lin_arena_release(&arena);
  if (is_here && (s->text == NULL || s->is_exact)) {
    free(s->text);
    s->text = text;
    s->length = length;
  } else {
    free(text);
  }
  return is_read;
}

static void check(search *s, const char *file, uint32_t count) {
  const tool_choice *choice = s->choice;
  if (choice->name == NULL && s->num_usable > 1)
    tool_die(2, "%s: it has %" PRIu32 " modules of PTX; choose one of their functions with %s: %s",
             file, s->num_usable, choice->option, say_functions(s));
  if (s->is_ambiguous && !s->is_exact) {
    for (uint32_t i = 0; i < s->found.count; i++) {
      char *title = tool_demangle(s->found.name[i]);
      printf("%s\n", title == NULL ? s->found.name[i] : title);
      free(title);
    }
    tool_die(2, "%s: %s %s: several of its modules have one of that name; write one as above", file,
             choice->option, choice->name);
  }
  if (s->text != NULL)
    return;
  if (s->num_usable == 0)
    tool_die(1, "%s: none of its %" PRIu32 " modules of PTX defines a function", file, count);
  tool_die(1, "%s: no function '%s' is defined in its %" PRIu32 " modules of PTX; they have: %s",
           file, choice->name, s->num_usable, say_functions(s));
}

static void choose(search *s, const tool_modules *modules) {
  for (uint32_t i = 0; i < modules->count && !s->is_exact; i++) {
    size_t length;
    char *text = tool_modules_text(modules, i, &length);
    if (modules->count > 1) {
      take(s, modules->name, text, length);
      continue;
    }
    s->text = text; // whatever it is: who reads it says what is wrong
    s->length = length;
    return;
  }
  check(s, modules->name, modules->count);
}

// ---- what is held ------------------------------------------------------------------------------

static tool_held held;

const tool_held *tool_hold_ptx(const char *name, const char *bytes, size_t length,
                               const tool_choice *choice) {
  search s = {.choice = choice};
  tool_modules modules = tool_modules_find(&s.arena, name, bytes, length);
  choose(&s, &modules);
  lin_arena_release(&s.arena);
  static const char mark[] = " (PTX)";
  char *title = malloc(strlen(name) + sizeof mark);
  if (title == NULL)
    tool_die(1, "out of memory");
  strcpy(title, name);
  strcat(title, mark);
  free((char *)(uintptr_t)held.name);
  free((char *)(uintptr_t)held.text);
  held = (tool_held){title, s.text, s.length};
  tool_name_source(held.name, held.text, held.length);
  return &held;
}
