#include "odds.h"

static double power(double base, uint64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent % 2 > 0)
      result *= base;
  return result;
}

// Of threads that enter with `enters`, one at least is there.
static double any(const lin_kinds *k, const double *enters, const double *stays) {
  double none = 1;
  for (size_t i = 0; i < k->count; i++)
    none *= power(1 - enters[i] * stays[i], k->threads[i]);
  return 1 - none;
}

// ---- the points

// Of a kind of threads: how often it is at the block, in how many passes over what is around it.
typedef struct stay {
  uint32_t entries, times;
} stay;

static stay stay_of(const lin_kinds *k, size_t i, uint32_t block, uint32_t around) {
  uint32_t here = k->vector[i][block], there = around == UINT32_MAX ? 1 : k->vector[i][around];
  return (stay){here,
                there == 0 || here < there ? here : there}; // 0: it is not around it after all
}

static double stays(stay s, double again) {
  if (s.entries == 0)
    return 0;
  if (again == 0)
    return 1;
  if (again > s.entries - s.times)
    return 0;
  return power(1 - again / (s.entries - 1.0), s.times - 1);
}

// What stands between two points is on the line between them: the first counts for half of it, and
// itself, and the second one, too.
static void weigh(lin_odds *o) {
  for (size_t i = 0; i < o->count; i++) {
    double before = i == 0 ? 1 : o->again[i] - o->again[i - 1];
    double behind = i + 1 == o->count ? 1 : o->again[i + 1] - o->again[i];
    o->weight[i] = (before + behind) / 2;
  }
}

#define ENOUGH 1e-3 // what is rarer isn't added up

void lin_odds_find(const lin_kinds *k, uint32_t block, uint32_t around, double passes,
                   lin_odds *o) {
  stay all[LIN_WARP];
  double most = 0, again = 0, step = 1;
  for (size_t i = 0; i < k->count; i++) {
    all[i] = stay_of(k, i, block, around);
    uint32_t there = around == UINT32_MAX ? 1 : k->vector[i][around],
             more = all[i].entries - all[i].times;
    o->enters[i] = all[i].times < passes ? all[i].times / passes : 1;
    o->part[i] = all[i].times < there ? (double)all[i].times / there : 1;
    most = more > most ? more : most;
  }
  for (o->count = 0; o->count < LIN_ODDS_POINTS;) {
    double *row = o->stays[o->count];
    for (size_t i = 0; i < k->count; i++)
      row[i] = stays(all[i], again);
    o->again[o->count++] = again;
    if (again >= most || any(k, o->enters, row) < ENOUGH)
      break;
    again = again + step < most ? again + step : most;
    if (again >= 2 * LIN_ODDS_EACH * step)
      step *= 2;
  }
  weigh(o);
}

// ---- what comes of it

static double sum_up(const lin_kinds *k, const lin_odds *o, const double *enters) {
  double sum = 0;
  for (size_t i = 0; i < o->count; i++)
    sum += o->weight[i] * any(k, enters, o->stays[i]);
  return sum;
}

double lin_odds_expect(const lin_kinds *k, const lin_odds *o) { return sum_up(k, o, o->enters); }

enum { MOST_ROWS = 16 };

double lin_odds_expect_within(const lin_kinds *k, const lin_odds *o, const lin_odds *around,
                              double passes) {
  size_t step = o->count == 1 ? 1 : (around->count + MOST_ROWS - 1) / MOST_ROWS;
  double sum = 0;
  for (size_t first = 0; first < around->count && passes > 0; first += step) {
    size_t end = first + step < around->count ? first + step : around->count;
    const double *there = around->stays[(first + end) / 2];
    double weight = 0, enters[LIN_WARP];
    for (size_t i = first; i < end; i++)
      weight += around->weight[i];
    for (size_t i = 0; i < k->count; i++)
      enters[i] = around->enters[i] * there[i] * o->part[i];
    sum += weight * sum_up(k, o, enters);
  }
  return passes > 0 ? sum / passes : 0;
}
