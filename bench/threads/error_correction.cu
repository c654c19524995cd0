// Errors of sequencing, corrected: a thread takes `rounds` reads. A read's windows of 12 bases
// should be among those that are known to be frequent; where one isn't, each other base is tried in
// the place of its last one, and the one is taken with which most of the following windows are
// frequent again. Good reads need none of that; bad ones are given up after four bases.
//
// Takes any order of threads.
#include "thread.cuh"

enum { READ = 48, WINDOW = 12, MOST = 4 };

// The set of frequent windows is made up: the genome's own at this place, and one of 64 others, as
// a Bloom filter has it.
LIN_FUNCTION bool is_frequent(lin_input in, unsigned window, unsigned truth) {
  if (window == truth)
    return true;
  unsigned word = in[lin_mix(window) >> 8];
  return (word >> (window & 31) & 1) && (word & 31) == 0;
}

APPLICATION(error_correction) {
  unsigned checksum = 0, all = (1u << 2 * WINDOW) - 1;
#pragma unroll 1
  for (unsigned number = 0; number < rounds; number++) {
    unsigned read = thread * rounds + number, from = in[read], quality = lin_mix(read) & 255;
    unsigned errors = quality < 150 ? 0 : quality < 220 ? 1 : quality < 245 ? 3 : 8;
    unsigned long long bases[2], truths[2];
    for (unsigned half = 0; half < 2; half++) {
      truths[half] = (unsigned long long)in[from + 2 * half] << 32 | in[from + 2 * half + 1];
      bases[half] = truths[half];
    }
    for (unsigned error = 0; error < errors; error++) {
      unsigned at = WINDOW + lin_mix(read + 77 * error) % (READ - WINDOW);
      bases[at / 32] ^= (1ull + (error & 1)) << 2 * (at % 32);
    }
    unsigned window = 0, truth = 0, corrected = 0;
#pragma unroll 1
    for (unsigned i = 0; i < READ; i++) {
      window = (window << 2 | (unsigned)(bases[i / 32] >> 2 * (i % 32) & 3)) & all;
      truth = (truth << 2 | (unsigned)(truths[i / 32] >> 2 * (i % 32) & 3)) & all;
      if (i < WINDOW || is_frequent(in, window, truth))
        continue;
      if (corrected == MOST) {
        checksum ^= i << 24;
        break;
      }
      unsigned best = 0, best_length = 0;
#pragma unroll 1
      for (unsigned change = 1; change < 4; change++) {
        unsigned tried = window ^ change, expected = truth, length = 0;
        while (is_frequent(in, tried, expected)) {
          length++;
          unsigned next = i + length;
          if (length == WINDOW || next >= READ)
            break;
          tried = (tried << 2 | (unsigned)(bases[next / 32] >> 2 * (next % 32) & 3)) & all;
          expected = (expected << 2 | (unsigned)(truths[next / 32] >> 2 * (next % 32) & 3)) & all;
        }
        if (length > best_length)
          best = change, best_length = length;
      }
      window ^= best;
      bases[i / 32] ^= (unsigned long long)best << 2 * (i % 32);
      corrected++;
      checksum = checksum * 5 + best_length;
    }
    checksum = lin_mix(checksum ^ window) + corrected;
  }
  return checksum;
}
