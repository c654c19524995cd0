#include "chosen.h"

#include <stdarg.h>
#include <stdio.h>

void lin_chosen_ask(lin_chosen *k, const char *name, uint32_t build) {
  if (k->count == LIN_CHOSEN_MOST)
    return;
  k->name[k->count] = name;
  k->build[k->count++] = build;
}

void lin_chosen_find(lin_chosen *k, lin_copies *copies, uint32_t most) {
  k->kept = lin_copies_distinct(copies, k->kernel, k->itself, k->build, k->count, k->like);
  for (k->made = k->count; k->kept > most; k->made--)
    k->kept -= k->like[k->made - 1] == LIN_NONE;
  lin_copies_keep(copies, k->itself, k->kernel);
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == LIN_NONE)
      lin_copies_keep(copies, k->build[i], k->kernel);
}

// ---- as text

typedef struct writer {
  char *text;
  size_t size, used; // used: what there would be if there was room
} writer;

__attribute__((format(printf, 2, 3))) static void say(writer *w, const char *format, ...) {
  va_list arguments;
  const size_t at = w->used < w->size ? w->used : w->size;
  va_start(arguments, format);
  w->used += (size_t)vsnprintf(w->size == 0 ? NULL : w->text + at, w->size - at, format, arguments);
  va_end(arguments);
}

// "; needed is also all, paper": versions that are like `like`.
static void say_like(writer *w, const lin_chosen *k, uint32_t like, const char *name) {
  uint32_t said = 0;
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == like && said++ == 0)
      say(w, "; %s is also %s", name, k->name[i]);
    else if (k->like[i] == like)
      say(w, ", %s", k->name[i]);
}

size_t lin_chosen_list(char *text, size_t size, const lin_chosen *k, const char *plain) {
  writer w = {text, size, 0};
  uint32_t said = 0;
  for (uint32_t i = 0; i < k->made; i++)
    if (k->like[i] == LIN_NONE)
      say(&w, "%s%s", said++ == 0 ? ": " : ", ", k->name[i]);
  say_like(&w, k, LIN_LIKE_ITSELF, plain);
  for (uint32_t i = 0; i < k->made; i++)
    say_like(&w, k, i, k->name[i]);
  for (uint32_t i = k->made; i < k->count; i++)
    say(&w, "%s%s", i == k->made ? "; left out, for max-versions: " : ", ", k->name[i]);
  return w.used;
}
