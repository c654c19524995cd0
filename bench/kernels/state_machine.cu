// A tokenizer: one loop around a switch over the state, one character a turn. States share their
// actions (a token ends in three places) and an error leaves the loop from inside.
//
//     loop ─▶ switch ─▶ blank │ word │ number │ text │ comment
//       ▲                 │       ╲     ╱         ╲
//       └── next char ◀───┴──── token ends ◀──── text ends      error ─▶ out
#include "linearize_device.h"

KERNEL_BODY(state_machine) {
  enum { BLANK, WORD, NUMBER, TEXT, COMMENT };
  unsigned tokens = 0, hash = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned position = lin_mix(thread + round), state = BLANK;
    for (unsigned length = 0; length < 48; length++) {
      unsigned character = in[position + length] >> 5 & 31;
      switch (state) {
      case BLANK:
        if (character < 12)
          state = WORD;
        else if (character < 20)
          state = NUMBER;
        else if (character < 24)
          state = TEXT;
        else if (character == 24)
          state = COMMENT;
        else
          break;
        hash = lin_mix(hash + in[character]);
        break;
      case WORD:
        if (character < 20) {
          hash = hash * 31 + in[hash];
          break;
        }
        goto token;
      case NUMBER:
        if (character < 12)
          goto error;
        if (character < 20) {
          hash = hash * 10 + in[hash >> 4];
          break;
        }
        goto token;
      case TEXT:
        if (character != 20 && character != 21) {
          hash ^= in[hash + character];
          break;
        }
        goto token;
      default:
        if (character == 31)
          state = BLANK;
        break;
      token:
        tokens++;
        hash = lin_mix(hash ^ in[tokens]);
        state = BLANK;
      }
    }
    hash += state;
    continue;
  error:
    hash = lin_mix(hash + in[position]);
  }
  return hash ^ tokens << 24;
}
