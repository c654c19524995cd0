// Local alignment by Smith and Waterman with affine gaps: a thread aligns one query with `rounds`
// sequences of a database, which are of all lengths, as proteins are, and in no order. One row of
// the matrix is kept.
//
// Takes any order of threads.
#include "thread.cuh"

enum { QUERY = 16, GAP_OPENS = 5, GAP_GOES_ON = 1 };

// Amino acids, 20 of them, six to a word.
LIN_FUNCTION unsigned residue(lin_input in, unsigned at) {
  return (in[at / 6] >> 5 * (at % 6) & 31) % 20;
}

// Alike ones lie near each other here.
LIN_FUNCTION int score(unsigned a, unsigned b) { return a == b ? 5 : a / 4 == b / 4 ? 1 : -2; }

APPLICATION(smith_waterman) {
  int checksum = 0;
#pragma unroll 1
  for (unsigned sequence = 0; sequence < rounds; sequence++) {
    unsigned number = thread * rounds + sequence, begin = lin_mix(number);
    // Many short ones, few long.
    float u = lin_unit(lin_mix(number + 99));
    unsigned length = 8 + (unsigned)(56.0f * u * u * u);
    int row[QUERY + 1], gap[QUERY + 1], best = 0;
    for (unsigned j = 0; j <= QUERY; j++)
      row[j] = gap[j] = 0;
#pragma unroll 1
    for (unsigned i = 0; i < length; i++) {
      unsigned here = residue(in, begin % 131072 + i);
      int diagonal = 0, left = 0, left_gap = 0;
#pragma unroll 1
      for (unsigned j = 1; j <= QUERY; j++) {
        int open = row[j] - GAP_OPENS, on = gap[j] - GAP_GOES_ON;
        int up = open > on ? open : on;
        open = left - GAP_OPENS, on = left_gap - GAP_GOES_ON;
        left_gap = open > on ? open : on;
        int h = diagonal + score(here, residue(in, j));
        if (h < up)
          h = up;
        if (h < left_gap)
          h = left_gap;
        if (h < 0)
          h = 0;
        if (h > best)
          best = h;
        diagonal = row[j];
        row[j] = left = h;
        gap[j] = up;
      }
    }
    checksum = checksum * 31 + best;
  }
  return (unsigned)checksum;
}
