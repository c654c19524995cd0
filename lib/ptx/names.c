#include "names.h"

#include "graph/fnv.h"

struct lin_ptx_names {
  lin_arena *arena;
  lin_ptx_name *slot; // [capacity] open addressing
  uint32_t capacity;  // a power of two
  uint32_t count;
};

enum { FIRST_CAPACITY = 64 }; // a small kernel has no more names

lin_ptx_names *lin_ptx_names_new(lin_arena *arena) {
  lin_ptx_names *names = LIN_NEW(arena, lin_ptx_names);
  *names =
      (lin_ptx_names){arena, LIN_ARRAY(arena, lin_ptx_name, FIRST_CAPACITY), FIRST_CAPACITY, 0};
  return names;
}

// The slot of a name, or the empty one where it would stand.
static lin_ptx_name *find_slot(const lin_ptx_names *names, uint32_t scope, const char *text,
                               uint32_t length) {
  const uint64_t hash = lin_fnv_bytes(lin_fnv_number(LIN_FNV_START, scope), text, length);
  uint32_t at = (uint32_t)(hash ^ hash >> 32) & (names->capacity - 1);
  for (;; at = (at + 1) & (names->capacity - 1)) {
    lin_ptx_name *slot = &names->slot[at];
    if (slot->text == NULL ||
        (slot->scope == scope && slot->length == length && memcmp(slot->text, text, length) == 0))
      return slot;
  }
}

static void grow(lin_ptx_names *names) {
  lin_ptx_name *old = names->slot;
  uint32_t capacity = names->capacity;
  names->capacity *= 2;
  names->slot = LIN_ARRAY(names->arena, lin_ptx_name, names->capacity);
  for (uint32_t i = 0; i < capacity; i++)
    if (old[i].text != NULL)
      *find_slot(names, old[i].scope, old[i].text, old[i].length) = old[i];
}

lin_ptx_name *lin_ptx_names_entry(lin_ptx_names *names, uint32_t scope, const char *text,
                                  uint32_t length) {
  if (2 * names->count >= names->capacity)
    grow(names);
  lin_ptx_name *slot = find_slot(names, scope, text, length);
  if (slot->text == NULL) {
    *slot = (lin_ptx_name){text, length, scope, LIN_PTX_NOTHING, 0};
    names->count++;
  }
  return slot;
}

const lin_ptx_name *lin_ptx_names_find(const lin_ptx_names *names, uint32_t scope, const char *text,
                                       uint32_t length) {
  const lin_ptx_name *slot = find_slot(names, scope, text, length);
  return slot->text == NULL ? NULL : slot;
}
