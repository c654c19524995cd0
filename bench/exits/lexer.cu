// Words, numbers, strings and comments out of random bytes: loops inside the loop over tokens, a
// string that does not end is an error that ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(lexer) {
  unsigned at = thread * 40, end = at + 12 * rounds, tokens = 0, hash = 0;
  while (at < end) {
    unsigned c = in[at++] >> 9 & 63;
    if (c < 8)
      continue; // white space
    if (c < 30) {
      hash = hash * 31 + c;
      while (at < end && ((c = in[at] >> 9 & 63) < 40)) {
        hash = hash * 31 + c;
        at++;
      }
    } else if (c < 45) {
      unsigned number = c & 7;
      for (;;) {
        c = in[at] >> 9 & 63;
        if (c < 30 || c >= 55)
          break;
        number = number * 10 + (c & 7);
        if (number > 5000) {
          hash ^= number;
          break;
        }
        at++;
      }
      hash += number;
    } else if (c < 50) {
      unsigned start = at;
      do {
        if (at - start > 24) {
          *result = hash | 1;
          return;
        }
        c = in[at++] >> 9 & 63;
        if (c == 62)
          at++;
      } while (c < 52);
      hash ^= at - start;
    } else {
      hash = lin_mix(hash + c);
    }
    tokens++;
  }
  *result = hash + tokens;
}
