// A random forest says what a sample is: a thread takes one sample down each of `rounds` trees,
// from the root to a leaf, and counts votes. Trees are as deep as their training made them, up to
// 14 levels.
//
// Takes any order of threads.
#include "thread.cuh"

enum { FEATURES = 16, CLASSES = 4 };

APPLICATION(random_forest) {
  unsigned votes[CLASSES] = {0, 0, 0, 0};
  float features[FEATURES];
  // What is measured of one sample goes together.
  float kind = lin_unit(lin_mix(thread));
  for (unsigned i = 0; i < FEATURES; i++)
    features[i] = 0.6f * kind + 0.4f * lin_unit(in[thread * FEATURES + i]);
#pragma unroll 1
  for (unsigned tree = 0; tree < rounds; tree++) {
    unsigned node = tree * 977, depth = 0, word;
    for (;;) {
      word = in[node];
      if ((word & 15) < depth || depth == 14)
        break;
      float threshold = 0.2f + 0.6f * lin_unit(word);
      node = 2 * node + (features[word >> 4 & (FEATURES - 1)] < threshold ? 1 : 2 + (word >> 20));
      depth++;
    }
    votes[word >> 8 & (CLASSES - 1)]++;
  }
  unsigned best = 0;
  for (unsigned i = 1; i < CLASSES; i++)
    if (votes[i] > votes[best])
      best = i;
  return best << 24 | votes[best];
}
