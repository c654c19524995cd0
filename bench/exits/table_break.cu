// Compares rows with a pattern, each up to the first difference; a row that is corrupt ends all.
#include "linearize_device.h"

KERNEL_BODY(table_break) {
  unsigned score = 0;
  for (unsigned job = 0; job < rounds; job++) {
    unsigned row = in[thread * 9 + job], bad = 0, hits = 0;
    unsigned rows = 4 + (row & 7);
    for (unsigned i = 0; i < rows && bad == 0; i++) {
      unsigned j = 0;
      for (; j < 16; j++) {
        unsigned word = in[row + i * 16 + j];
        if (word < 0x00400000u) {
          bad = word + 1;
          goto corrupt;
        }
        if ((word & 7) == (in[j] & 7))
          break;
        hits += word >> 29;
      }
      score += j * 3 + lin_mix(hits + i) % 61;
    }
    score += hits;
  corrupt:
    score = score * 9 + bad;
  }
  return score;
}
