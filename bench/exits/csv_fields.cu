// Reads fields of numbers from text: blanks are skipped, quotes and commas begin something new, and
// what can't be read ends the line.
#include "linearize_device.h"

KERNEL_BODY(csv_fields) {
  unsigned sum = 0, at = lin_mix(thread);
  for (unsigned line = 0; line < rounds; line++) {
    unsigned end = at + 24 + (in[thread * 5 + line] & 31), field = 0, digits = 0, columns = 0, c;
    while (at != end) {
      c = in[at++] >> 27;
      if (c < 9)
        continue; // a blank
      if (c < 25) {
        if (c > 18 && digits == 0)
          break;
        field = field * 10 + c - 9;
        digits++;
        continue;
      }
      if (c == 25) {
        columns = (columns + 8) * 5;
        continue;
      }
      if (c == 31 && (field & 7) == 0)
        return sum ^ field;
      sum += lin_mix(field + columns) % 10007;
      sum ^= field >> 3;
      columns++;
      field = 0;
      digits = 0;
    }
    sum = sum * 31 + columns + digits;
  }
  return sum;
}
