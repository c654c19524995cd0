// Expressions of + * ( ) by recursive descent with its own stack of what is still to be done; a
// syntax error ends the expression, a stack that is full ends the thread.
#include "linearize_device.h"

THREAD_KERNEL(recursive_descent) {
  enum { ATOM, AFTER, CLOSE };
  unsigned seed = lin_mix(thread), total = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned work[10], values[10], depth = 0, top = 0, at = 0, state = ATOM, value = 0;
    for (;;) {
      unsigned token = in[seed + (at >> 3)] >> 4 * (at & 7) & 15;
      if (++at > 40)
        break;
      if (state == ATOM) {
        if (token < 9) {
          value = token + 1;
          state = AFTER;
        } else if (token < 13) {
          if (depth == 10) {
            *result = total ^ 0xdead;
            return;
          }
          work[depth++] = 0;
          values[top++] = value;
          value = 0;
        } else {
          total += at;
          goto next;
        }
        continue;
      }
      if (token < 5) { // plus
        total += value;
        state = ATOM;
      } else if (token < 9) { // times
        total = total * 3 + value;
        state = ATOM;
      } else if (token < 14 && depth > 0) {
        depth--;
        value = values[--top] * 7 + value + work[depth];
      } else if (depth == 0) {
        break;
      } else {
        total ^= at << 8;
        goto next;
      }
    }
    total = total * 33 + value;
  next:
    seed = lin_mix(seed + total);
  }
  *result = total;
}
