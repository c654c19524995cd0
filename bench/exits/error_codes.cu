// Exceptions as error codes: a message is checked by functions that return what is wrong, and each
// caller returns at once; some errors are dealt with, others end the thread.
#include "linearize_device.h"

LIN_FUNCTION int error_codes_field(lin_input in, unsigned at, unsigned *value) {
  unsigned word = in[at];
  if ((word & 31) == 1)
    return 1;
  if ((word & 15) == 2) {
    if (in[at + 1] & 64)
      return 2;
    word = lin_mix(word);
  }
  *value += word >> 20;
  return (*value & 0xff) == 0x33 ? 3 : 0;
}

LIN_FUNCTION int error_codes_message(lin_input in, unsigned at, unsigned *value) {
  unsigned fields = 1 + (in[at] & 3);
  for (unsigned k = 0; k < fields; k++) {
    int error = error_codes_field(in, at + 3 * k, value);
    if (error != 0)
      return error;
  }
  return (*value & 0x3ff) == 5 ? 4 : 0;
}

THREAD_KERNEL(error_codes) {
  unsigned value = 0, x = lin_mix(thread), seen = 0;
  for (unsigned round = 0; round < rounds; round++) {
    int error = error_codes_message(in, x, &value);
    if (error == 4 || seen > 14) {
      *result = value + 1000000 * error;
      return;
    }
    if (error == 1) {
      seen++;
      value ^= x;
    } else if (error != 0) {
      value = value * 3 + error;
    }
    x = lin_mix(x + value);
  }
  *result = value;
}
