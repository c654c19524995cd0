#include "first.h"

void lin_first_add(lin_first *f, uint32_t number, uint64_t time) {
  f->launches = f->launches > number ? f->launches : number;
  if (number > 0 && number <= LIN_FIRST)
    f->time[number - 1] = time;
}

void lin_first_unite(lin_first *f, const lin_first *newer) {
  f->launches = f->launches > newer->launches ? f->launches : newer->launches;
  for (uint32_t i = 0; i < LIN_FIRST; i++)
    if (newer->time[i] > 0)
      f->time[i] = newer->time[i];
}

uint32_t lin_first_length(const lin_first *f) {
  uint32_t length = LIN_FIRST;
  while (length > 0 && f->time[length - 1] == 0)
    length--;
  return length;
}

// How many known times are below `time`.
static uint32_t count_below(const lin_first *f, uint64_t time) {
  uint32_t below = 0;
  for (uint32_t i = 0; i < LIN_FIRST; i++)
    below += f->time[i] > 0 && f->time[i] < time;
  return below;
}

bool lin_first_is_uneven(const lin_first *f) {
  enum { LEAST = 6 };
  uint32_t known = 0;
  uint64_t low = 0, high = UINT64_MAX; // the quartiles
  for (uint32_t i = 0; i < LIN_FIRST; i++)
    known += f->time[i] > 0;
  for (uint32_t i = 0; i < LIN_FIRST; i++) {
    const uint64_t time = f->time[i];
    const uint32_t below = time == 0 ? 0 : count_below(f, time);
    if (time > 0 && below <= known / 4 && time > low)
      low = time;
    if (time > 0 && below >= known - 1 - known / 4 && time < high)
      high = time;
  }
  return known >= LEAST && high != UINT64_MAX && 2 * high > 3 * low;
}

lin_pairs lin_first_pairs(const lin_first *a, const lin_first *b) {
  lin_pairs p = {0};
  for (uint32_t i = 0; i < LIN_FIRST; i++) {
    if (a->time[i] == 0 || b->time[i] == 0)
      continue;
    p.count++;
    p.faster += a->time[i] < b->time[i];
    p.a += a->time[i];
    p.b += b->time[i];
  }
  return p;
}

bool lin_pairs_agree(const lin_pairs *p) {
  enum { LEAST = 2 }; // %
  return p->count > 0 && 4 * p->faster >= 3 * p->count &&
         (double)p->a * 100 < (double)p->b * (100 - LEAST);
}
