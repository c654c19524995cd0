// A regular expression of letters, '.' and starred letters against a text, by backtracking over an
// explicit stack: a match ends the text, too much backtracking ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(regex_match) {
  unsigned score = 0, seed = lin_mix(thread), budget = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned pattern = in[seed], text = in[seed + 1], stack[12], depth = 0;
    unsigned p = 0, t = 0; // 8 places of 4 bits, the highest says starred; 16 letters of 2 bits
    for (;;) {
      if (++budget > 600) {
        *result = ~score;
        return;
      }
      if (p == 6)
        break; // it matches
      unsigned place = pattern >> 4 * p & 15, letter = t < 16 ? text >> 2 * t & 3 : 4;
      bool fits = letter < 4 && ((place & 3) == letter || (place & 4));
      if (place & 8) {
        if (fits && depth < 12) {
          stack[depth++] = (p + 1) << 8 | t; // go on behind the star, should this fail
          t++;
          continue;
        }
        p++;
        continue;
      }
      if (fits) {
        p++;
        t++;
        continue;
      }
      if (depth == 0) {
        score += 3;
        goto next;
      }
      depth--;
      p = stack[depth] >> 8;
      t = stack[depth] & 255;
    }
    score = score * 5 + t;
  next:
    seed = lin_mix(seed + score);
  }
  *result = score;
}
