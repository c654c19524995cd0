// Numbers with signs, fractions and exponents out of random bytes, by gotos between the states; an
// error goes to where input is skipped, too many end the thread.
#include "linearize_device.h"

LIN_FUNCTION unsigned goto_parser_next(lin_input in, unsigned at) {
  return in[at >> 2] >> 8 * (at & 3) & 31;
}

THREAD_KERNEL(goto_parser) {
  unsigned at = thread * 64, end = at + rounds * 32, sum = 0, value, errors = 0, c;
start:
  if (at >= end)
    goto done;
  c = goto_parser_next(in, at++);
  value = 0;
  if (c < 12)
    goto digits;
  if (c < 16)
    goto sign;
  if (c < 20)
    goto start;
  goto error;
sign:
  c = goto_parser_next(in, at++);
  if (c >= 18)
    goto error;
digits:
  value = value * 10 + (c & 7);
  if (at >= end)
    goto accept;
  c = goto_parser_next(in, at++);
  if (c < 16)
    goto digits;
  if (c < 20)
    goto fraction;
  if (c < 22)
    goto exponent;
  if (c < 30)
    goto accept;
  goto error;
fraction:
  c = goto_parser_next(in, at++);
  if (c < 14) {
    value += c * 3;
    goto fraction;
  }
  if (c < 18)
    goto exponent;
  goto accept;
exponent:
  c = goto_parser_next(in, at++);
  if (c >= 24)
    goto error;
  value <<= c & 3;
  if (c < 8)
    goto exponent;
accept:
  sum = sum * 3 + value;
  goto start;
error:
  if (++errors > 20)
    goto done;
  while (at < end && goto_parser_next(in, at) > 8)
    at++;
  sum ^= at;
  goto start;
done:
  *result = sum + errors;
}
