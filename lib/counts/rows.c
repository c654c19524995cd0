#include "rows.h"

#include <string.h>

// An open hash table, of which no more than half is filled.
struct lin_rows {
  lin_memory *memory;
  uint32_t length, count, room;
  uint32_t *row;   // [room * length]
  uint64_t *hash;  // [room]
  uint32_t *table; // [2 * room] a row's number and 1, or 0
};

enum { FIRST_ROOM = 64 };

static uint64_t hash_of(const uint32_t *row, uint32_t length) {
  const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15); // 2^64 by the golden ratio
  uint64_t hash = length, other = 0;
  for (uint32_t i = 0; i + 1 < length; i += 2) { // two at a time, for time
    hash = (hash ^ row[i]) * golden;
    other = (other ^ row[i + 1]) * golden;
    hash ^= hash >> 32;
    other ^= other >> 32;
  }
  hash = (hash ^ (length % 2 > 0 ? row[length - 1] : 0)) * golden + other;
  return (hash ^ hash >> 29) * golden >> 16;
}

// Where the row is, or could be.
static uint64_t find(const lin_rows *r, uint64_t hash, const uint32_t *row) {
  const uint64_t mask = 2 * (uint64_t)r->room - 1;
  uint64_t at = hash & mask;
  for (; r->table[at] != 0; at = (at + 1) & mask) {
    size_t number = r->table[at] - 1;
    if (r->hash[number] == hash &&
        memcmp(r->row + number * r->length, row, r->length * sizeof *row) == 0)
      break;
  }
  return at;
}

static bool make_room(lin_rows *r) {
  lin_rows old = *r;
  r->room = old.room == 0 ? FIRST_ROOM : 2 * old.room;
  r->row = lin_memory_array(r->memory, r->room, r->length * sizeof *r->row);
  r->hash = LIN_HAVE(r->memory, uint64_t, r->room);
  r->table = LIN_HAVE(r->memory, uint32_t, 2 * (size_t)r->room);
  if (r->memory->is_out)
    return false;
  for (uint32_t i = 0; i < old.count; i++) {
    const uint32_t *row = old.row + (size_t)i * r->length;
    memcpy(r->row + (size_t)i * r->length, row, r->length * sizeof *row);
    r->hash[i] = old.hash[i];
    r->table[find(r, old.hash[i], row)] = i + 1;
  }
  return true;
}

lin_rows *lin_rows_new(lin_memory *memory, uint32_t length) {
  lin_rows *r = LIN_HAVE(memory, lin_rows, 1);
  if (r == NULL)
    return NULL;
  *r = (lin_rows){.memory = memory, .length = length};
  return make_room(r) ? r : NULL;
}

bool lin_rows_find(lin_rows *r, const uint32_t *row, uint32_t *number) {
  uint64_t hash = hash_of(row, r->length), at = find(r, hash, row);
  if (r->table[at] == 0) {
    if (r->count == r->room) {
      if (!make_room(r))
        return false;
      at = find(r, hash, row);
    }
    memcpy(r->row + (size_t)r->count * r->length, row, r->length * sizeof *row);
    r->hash[r->count] = hash;
    r->table[at] = ++r->count;
  }
  *number = r->table[at] - 1;
  return true;
}
