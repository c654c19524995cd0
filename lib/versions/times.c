#include "times.h"

void lin_times_add(lin_times *t, uint64_t time) { t->time[t->count++ % LIN_TIMES] = time; }

uint64_t lin_times_at(const lin_times *t, uint32_t age) {
  return t->time[(t->count - 1 - age) % LIN_TIMES];
}

// What is kept but for the newest `skip`, by size. Returns how many.
static uint32_t sort(const lin_times *t, uint32_t skip, uint64_t sorted[LIN_TIMES]) {
  uint32_t count = 0;
  for (uint32_t age = skip; age < lin_times_kept(t); age++) {
    uint64_t time = lin_times_at(t, age);
    uint32_t at = count++;
    for (; at > 0 && sorted[at - 1] > time; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = time;
  }
  return count;
}

uint64_t lin_times_median(const lin_times *t, uint32_t skip) {
  uint64_t sorted[LIN_TIMES];
  uint32_t count = sort(t, skip, sorted);
  return count == 0 ? 0 : sorted[(count - 1) / 2];
}

uint64_t lin_times_large(const lin_times *t, uint32_t skip, uint32_t number) {
  uint64_t sorted[LIN_TIMES];
  uint32_t count = sort(t, skip, sorted);
  return number < count ? sorted[count - 1 - number] : 0;
}

uint64_t lin_times_small(const lin_times *t, uint32_t skip, uint32_t number) {
  uint64_t sorted[LIN_TIMES];
  uint32_t count = sort(t, skip, sorted);
  return number < count ? sorted[number] : 0;
}

uint64_t lin_times_noise(const lin_times *t) {
  uint64_t median = lin_times_median(t, 0);
  lin_times off = {.count = 0};
  for (uint32_t age = 0; age < lin_times_kept(t); age++) {
    uint64_t time = lin_times_at(t, age);
    lin_times_add(&off, time > median ? time - median : median - time);
  }
  uint32_t fourth = lin_times_kept(t) / 4;
  uint64_t typical = lin_times_small(&off, 0, lin_times_kept(&off) / 2);
  uint64_t quartiles = (lin_times_large(t, 0, fourth) - lin_times_small(t, 0, fourth)) / 2;
  return typical > quartiles ? typical : quartiles;
}

// How often one time is below the limit, and the next one isn't, or the other way round.
static uint32_t count_crossings(const lin_times *t, uint64_t limit) {
  uint32_t crossings = 0;
  for (uint32_t age = 1; age < lin_times_kept(t); age++)
    crossings += (lin_times_at(t, age) < limit) != (lin_times_at(t, age - 1) < limit);
  return crossings;
}

uint64_t lin_times_floor(const lin_times *t) {
  enum { LEAST_OF_KIND = 2, OF_FLOOR = 4 };
  uint64_t sorted[LIN_TIMES];
  uint32_t count = sort(t, 0, sorted);
  for (uint32_t i = LEAST_OF_KIND; i + LEAST_OF_KIND <= count; i++)
    if (sorted[i] > LIN_KINDS_APART * sorted[i - 1] &&
        count_crossings(t, sorted[i]) >= LIN_KINDS_CROSSINGS)
      return sorted[i] / OF_FLOOR;
  return 0;
}

lin_times lin_times_from(const lin_times *t, uint64_t floor) {
  lin_times from = {.count = 0};
  for (uint32_t age = lin_times_kept(t); age > 0; age--)
    if (lin_times_at(t, age - 1) >= floor)
      lin_times_add(&from, lin_times_at(t, age - 1));
  return from;
}

int lin_times_compare(const lin_times *a, const lin_times *b) {
  int64_t n = lin_times_kept(a), m = lin_times_kept(b), wins = 0;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < m; j++) {
      uint64_t left = lin_times_at(a, i), right = lin_times_at(b, j);
      wins += (left > right) - (left < right);
    }
  // wins is 2U - nm, from -nm to nm; z = (|wins| - 1) / 2 / sqrt(nm(n+m+1)/12) >= 5/2
  int64_t off = (wins < 0 ? -wins : wins) - 1;
  if (off <= 0 || 12 * off * off < 25 * n * m * (n + m + 1))
    return 0;
  return wins < 0 ? -1 : 1;
}
