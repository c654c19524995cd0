// Every split and board is a permutation of the indices of a block, for every size of blocks up to
// 1024 threads; of a split, whole periods come run by run, and the rest stays.
#include "permute_property.h"

#include "permute/formula.h"

#include <string.h>

// Whether a formula is a permutation of a block, and where it sends who stands at 0.
static bool is_permutation(const lin_formula *f, const uint32_t *size) {
  static bool seen[MOST_SIZE];
  uint32_t threads = size[0] * size[1] * size[2];
  memset(seen, 0, sizeof seen);
  for (uint32_t at = 0; at < threads; at++) {
    uint32_t position[3] = {at % size[0], at / size[0] % size[1], at / size[0] / size[1]}, index[3];
    if (!lin_formula_apply(f, position, size, NULL, index) || index[0] >= size[0] ||
        index[1] >= size[1] || index[2] >= size[2])
      return complain("an index that there isn't");
    uint32_t linear = index[0] + size[0] * (index[1] + size[1] * index[2]);
    if (seen[linear])
      return complain("an index comes twice");
    seen[linear] = true;
    if (at == 0 && f->keeps_first && linear != 0)
      return complain("thread 0 doesn't keep its index");
  }
  return true;
}

// Runs of one kind stand together, each kind's in order.
static bool is_split(const lin_formula *f, uint32_t n, uint32_t period, uint32_t run) {
  uint32_t size[3] = {n, 1, 1}, whole = n / period * period, at = 0, index[3];
  for (uint32_t kind = 0; kind < period / run; kind++)
    for (uint32_t i = 0; i < whole; i++) {
      if (i % period / run != kind)
        continue;
      uint32_t position[3] = {at++, 0, 0};
      lin_formula_apply(f, position, size, NULL, index);
      if (index[0] != i)
        return complain("not run by run");
    }
  for (; at < n; at++) {
    uint32_t position[3] = {at, 0, 0};
    lin_formula_apply(f, position, size, NULL, index);
    if (index[0] != at)
      return complain("the rest moves");
  }
  return true;
}

static bool test_split(uint32_t period, uint32_t run, uint32_t n) {
  uint32_t size[3] = {n, 1, 1}, unknown[3] = {0, 0, 0};
  lin_formula known = lin_formula_split(0, period, run, size);
  lin_formula any = lin_formula_split(0, period, run, unknown);
  bool good = is_permutation(&known, size) && is_permutation(&any, size) &&
              is_split(&known, n, period, run) && is_split(&any, n, period, run);
  if (!good)
    printf("split, period %u, run %u, of %u\n", period, run, n);
  return good;
}

// The threads of one colour come first.
static bool is_board(const lin_formula *f, const uint32_t *size, uint32_t tilt) {
  uint32_t threads = size[0] * size[1], index[3];
  for (uint32_t at = 0; at < threads; at++) {
    uint32_t position[3] = {at % size[0], at / size[0], 0};
    lin_formula_apply(f, position, size, NULL, index);
    if (((index[0] + tilt * index[1]) & 1) != (at >= threads / 2))
      return complain("the colours are mixed");
  }
  return true;
}

static bool test_board(uint32_t tilt, uint32_t x, uint32_t y, uint32_t z) {
  uint32_t size[3] = {x, y, z}, unknown[3] = {0, 0, 0};
  lin_formula known = lin_formula_board(tilt, size), any = lin_formula_board(tilt, unknown);
  bool good = is_permutation(&known, size) && is_permutation(&any, size);
  if (z == 1 && x % 2 == 0 && y % 2 == 0)
    good = good && is_board(&known, size, tilt) && is_board(&any, size, tilt);
  if (!good)
    printf("board, tilt %u, of %u, %u, %u\n", tilt, x, y, z);
  return good;
}

uint32_t test_formulas(uint32_t *failed) {
  uint32_t inputs = 0;
  for (uint32_t period = 2; period <= 64; period++)
    for (uint32_t run = 1; run < period; run++) {
      if (period % run != 0)
        continue;
      for (uint32_t n = 1; n <= MOST_SIZE; n += n < 140 ? 1 : 1 + below(97)) {
        *failed += !test_split(period, run, n);
        inputs++;
      }
    }
  for (uint32_t x = 1; x <= 64; x++)
    for (uint32_t y = 1; x * y <= MOST_SIZE && y <= 40; y++) {
      *failed += !test_board(x & 1, x, y, 1);
      *failed += !test_board(~x & 1, x, y, x * y * 3 <= MOST_SIZE ? 3 : 1);
      inputs += 2;
    }
  return inputs;
}
