// Where does a read fit best? A thread tries `rounds` places of a text and compares letter by
// letter until the two differ or the read is over; the longest match counts.
//
// Uneven: the text is full of short tandem repeats, CACACA..., with a letter in 32 changed, as
// genomes are. A place that is out of step differs at once, one in step often after many letters.
//
//     place ─▶ same letter? ─▶ read over? ─▶ longest? ─▶ next place
//                ▲   └ no ──────────│───────────▲
//                └───── on ◀────────┘
#include "linearize_device.h"

// A byte of the input is a letter: 0 and 1 alternate; one in 32 is any of four.
LIN_FUNCTION unsigned letter_at(lin_input in, unsigned i) {
  unsigned byte = in[i >> 2] >> 8 * (i & 3) & 255;
  return byte < 8 ? byte & 3 : i & 1;
}

KERNEL_BODY(string_match) {
  const unsigned read_length = 64;
  unsigned read = lin_mix(thread) >> 8;
  unsigned longest = 0, best = 0, compared = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned place = in[thread * rounds + round] >> 8;
    unsigned length = 0;
    while (length < read_length && letter_at(in, place + length) == letter_at(in, read + length))
      length++;
    compared += length;
    if (length > longest) {
      longest = length;
      best = place;
    }
  }
  return lin_mix(best) ^ longest << 24 ^ compared;
}
