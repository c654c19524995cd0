// A trained decision tree, compiled to nested ifs: a thread classifies `rounds` samples. Such trees
// are lopsided: at each of the twelve levels one side is a leaf, and the other, taken by three
// samples of four, goes deeper. On the way back up, each level adjusts the score.
//
// Uneven: each sample reads other features on its way, and the lanes of a warp are soon spread over
// all thirteen leaves.
//
//     f3 ─▶ f0 ─▶ f7 ─▶ ... ─▶ f6 ─▶ leaf 12       down: one side of each level is a leaf
//      ▼     ▼     ▼            ▼       ▼
//    leaf   leaf  leaf         leaf     │
//      └─▶ s0 ◀ s1 ◀ s2 ◀ ... ◀ s11 ◀───┘          and back up
#include "linearize_device.h"

enum { LEAVES = 50021 };

LIN_FUNCTION unsigned feature(lin_input in, unsigned sample, unsigned number) {
  return in[sample + number] >> 16;
}

KERNEL_BODY(decision_tree) {
  unsigned score = thread;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned sample = lin_mix(thread * rounds + round);
    if (feature(in, sample, 3) < 48497) {
      if (feature(in, sample, 0) < 15073) {
        score ^= in[LEAVES + (sample >> 24)];
      } else {
        if (feature(in, sample, 7) < 47841) {
          if (feature(in, sample, 11) < 15729) {
            score = in[LEAVES + (sample & 0x7f)] - score;
          } else {
            if (feature(in, sample, 5) < 49152) {
              if (feature(in, sample, 1) < 18350) {
                score *= in[LEAVES + (sample >> 22)] | 1;
              } else {
                if (feature(in, sample, 9) < 51118) {
                  if (feature(in, sample, 2) < 17039) {
                    score = score << 1 ^ in[LEAVES + (sample >> 26)];
                  } else {
                    if (feature(in, sample, 8) < 49807) {
                      if (feature(in, sample, 4) < 16384) {
                        score &= ~in[LEAVES + (sample & 0xff)] | 0xffff;
                      } else {
                        if (feature(in, sample, 10) < 47841) {
                          if (feature(in, sample, 6) < 15073) {
                            score ^= in[LEAVES + (sample >> 21)] >> 3;
                          } else {
                            score = lin_mix(score + in[LEAVES + (score >> 16)]);
                          }
                          score += 0x85ebca6b;
                        } else {
                          score += in[LEAVES + (score >> 28)] * 3;
                        }
                        score ^= score >> 13;
                      }
                      score += score << 6;
                    } else {
                      score -= in[LEAVES + (score >> 23)] >> 5;
                    }
                    score ^= 0x9e3779b1;
                  }
                  score = score >> 5 | score << 27;
                } else {
                  score += in[LEAVES + (score & 0x1ff)] << 3;
                }
                score -= 0x2545f491;
              }
              score ^= score >> 11;
            } else {
              score |= in[LEAVES + (score >> 20)] & 0xf0f0;
            }
            score = score * 9 + 17;
          }
          score ^= score << 3;
        } else {
          score -= in[LEAVES + (score >> 25)] & 0xffff;
        }
        score = score * 5;
      }
      score += 0x1d872b41;
    } else {
      score += in[LEAVES + (score & 0xff)] >> 9;
    }
    score ^= score >> 7;
  }
  return score;
}
