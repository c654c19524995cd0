#include "copies.h"

// Functions with those that call them.
typedef struct callers {
  uint32_t *first; // [num_functions + 1] into function
  uint32_t *function;
} callers;

static callers find_callers(lin_arena *arena, const lin_builds *b) {
  const uint32_t n = b->num_functions, calls = b->first_call[n];
  callers c = {LIN_ARRAY(arena, uint32_t, n + 2), LIN_ARRAY(arena, uint32_t, calls)};
  for (uint32_t i = 0; i < calls; i++)
    c.first[b->callee[i] + 2]++;
  for (uint32_t f = 0; f < n; f++)
    c.first[f + 2] += c.first[f + 1];
  for (uint32_t f = 0; f < n; f++)
    for (uint32_t i = b->first_call[f]; i < b->first_call[f + 1]; i++)
      c.function[c.first[b->callee[i] + 1]++] = f;
  return c;
}

// Sets differs[f] of each function that is not the same in two builds: those whose own code
// differs, and from there on who calls them.
static void find_different(const lin_builds *b, const callers *c, uint32_t left, uint32_t right,
                           bool *differs, uint32_t *stack) {
  const uint32_t n = b->num_functions;
  uint32_t depth = 0;
  for (uint32_t f = 0; f < n; f++) {
    differs[f] = b->own[left * n + f] != b->own[right * n + f];
    if (differs[f])
      stack[depth++] = f;
  }
  while (depth > 0) {
    const uint32_t f = stack[--depth];
    for (uint32_t i = c->first[f]; i < c->first[f + 1]; i++)
      if (!differs[c->function[i]]) {
        differs[c->function[i]] = true;
        stack[depth++] = c->function[i];
      }
  }
}

lin_copies *lin_copies_compare(lin_arena *arena, const lin_builds *builds) {
  const uint32_t n = builds->num_functions, count = builds->num_builds;
  lin_copies *copies = LIN_NEW(arena, lin_copies);
  *copies =
      (lin_copies){builds, LIN_ARRAY(arena, uint32_t, count *n), LIN_ARRAY(arena, bool, count *n)};
  lin_arena scratch = {0};
  const callers c = find_callers(&scratch, builds);
  bool *differs = LIN_ARRAY(&scratch, bool, n);
  uint32_t *stack = LIN_ARRAY(&scratch, uint32_t, n);
  for (uint32_t right = 0; right < count; right++) {
    for (uint32_t f = 0; f < n; f++)
      copies->same[right * n + f] = right;
    for (uint32_t left = right; left-- > 0;) { // the least one last
      find_different(builds, &c, left, right, differs, stack);
      for (uint32_t f = 0; f < n; f++)
        if (!differs[f])
          copies->same[right * n + f] = left;
    }
  }
  lin_arena_release(&scratch);
  return copies;
}

// What a copy calls stands in the same build's place, or in one before it that is the same.
void lin_copies_keep(lin_copies *copies, uint32_t build, uint32_t function) {
  const lin_builds *b = copies->builds;
  const uint32_t n = b->num_functions, from = lin_copy_of(copies, build, function);
  if (from == 0 || copies->is_kept[from * n + function])
    return;
  lin_arena scratch = {0};
  struct copy {
    uint32_t build, function;
  } *stack = NULL;
  uint32_t depth = 0, capacity = 0;
  stack = lin_arena_room(&scratch, stack, depth, &capacity, sizeof *stack);
  stack[depth++] = (struct copy){from, function};
  copies->is_kept[from * n + function] = true;
  while (depth > 0) {
    const struct copy at = stack[--depth];
    for (uint32_t i = b->first_call[at.function]; i < b->first_call[at.function + 1]; i++) {
      const struct copy called = {lin_copy_of(copies, at.build, b->callee[i]), b->callee[i]};
      bool *is_kept = &copies->is_kept[called.build * n + called.function];
      if (called.build == 0 || *is_kept)
        continue;
      *is_kept = true;
      stack = lin_arena_room(&scratch, stack, depth, &capacity, sizeof *stack);
      stack[depth++] = called;
    }
  }
  lin_arena_release(&scratch);
}

uint32_t lin_copies_distinct(const lin_copies *copies, uint32_t kernel, uint32_t itself,
                             const uint32_t *build, uint32_t count, uint32_t *like) {
  uint32_t distinct = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t same = lin_copy_of(copies, build[i], kernel);
    like[i] = same == lin_copy_of(copies, itself, kernel) ? LIN_LIKE_ITSELF : LIN_NONE;
    for (uint32_t j = 0; j < i && like[i] == LIN_NONE; j++)
      if (lin_copy_of(copies, build[j], kernel) == same)
        like[i] = j;
    distinct += like[i] == LIN_NONE;
  }
  return distinct;
}
