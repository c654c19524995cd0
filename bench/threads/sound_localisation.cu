// Where a sound comes from: a thread takes one direction of a half sphere, a ring (how high) and a
// number within it, and adds up how well the microphones' signals agree if they are delayed as that
// direction says. Rings near the zenith have few directions, so that many threads of theirs have
// nothing to do; and pairs whose delay differs too little tell nothing. `rounds` is the length of
// the signals.
//
// Takes any order of threads.
#include "thread.cuh"

enum { RINGS = 512, AROUND = 512, MICROPHONES = 8 };

LIN_FUNCTION float sample(lin_input in, unsigned microphone, unsigned at) {
  return (float)(int)(in[microphone * 8192 + at] >> 16) - 32768.0f;
}

APPLICATION(sound_localisation) {
  unsigned ring = thread / AROUND % RINGS, number = thread % AROUND;
  float up = 0.25f * (float)ring / (float)RINGS; // of a turn
  unsigned directions = 1 + (unsigned)((float)(AROUND - 1) * lin_cos_turn(up));
  if (number >= directions)
    return 0;
  float around = (float)number / (float)directions;
  float x = lin_cos_turn(up) * lin_cos_turn(around), y = lin_cos_turn(up) * lin_sin_turn(around);
  float power = 0.0f;
  unsigned used = 0;
#pragma unroll 1
  for (unsigned a = 0; a < MICROPHONES; a++) {
#pragma unroll 1
    for (unsigned b = a + 1; b < MICROPHONES; b++) {
      float ax = lin_cos_turn(0.125f * (float)a), ay = lin_sin_turn(0.125f * (float)a);
      float bx = lin_cos_turn(0.125f * (float)b), by = lin_sin_turn(0.125f * (float)b);
      float delay = 12.0f * (x * (ax - bx) + y * (ay - by));
      if (lin_abs(delay) < 2.0f)
        continue;
      unsigned shift = (unsigned)(delay + 32.0f);
      float part = delay + 32.0f - (float)shift, sum = 0.0f;
#pragma unroll 1
      for (unsigned i = 0; i < rounds; i++) {
        float one = sample(in, a, i + 32);
        float other =
            (1.0f - part) * sample(in, b, i + shift) + part * sample(in, b, i + shift + 1);
        sum += one * other;
      }
      power += sum > 0.0f ? lin_sqrt(sum) : 0.0f;
      used++;
    }
  }
  return lin_bits(power) ^ used;
}
