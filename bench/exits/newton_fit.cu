// Fits a curve of two parameters by Newton's method; a step that fails is halved, and a fit is
// given up for one of four reasons, from anywhere.
#include "linearize_device.h"

LIN_FUNCTION unsigned fit(lin_input in, unsigned at, float *a, float *b) {
  float step = 1.0f, last = 3.0e38f, error, ga, gb, haa, hbb, da, db;
  for (unsigned turn = 0; turn < 20; turn++) {
    error = ga = gb = 0.0f;
    haa = hbb = 0.001f;
    for (unsigned i = 0; i < 4; i++) {
      float x = lin_unit(in[at + i]), y = lin_unit(in[at + 7 + i]);
      float r = *a * x / (1.0f + lin_abs(*b) * x) - y, d = x / (1.0f + lin_abs(*b) * x);
      error += r * r;
      ga += r * d;
      gb -= r * *a * d * d;
      haa += d * d;
      hbb += *a * *a * d * d * d * d;
    }
    if (error < 0.02f)
      return 0;
    if (error > last * 1.02f) {
      step = step * 0.5f;
      if (step < 0.05f)
        return 1;
      *a += 0.3f * step;
      last = error;
      continue;
    }
    last = error;
    if (lin_abs(ga) + lin_abs(gb) < 0.002f)
      return 2;
    da = step * ga / haa;
    db = step * gb / hbb;
    if (lin_abs(db) > 4.0f) {
      if (hbb < 0.01f)
        return 3;
      db = db > 0.0f ? 4.0f : -4.0f;
    }
    *a -= da;
    *b -= db;
    if (*a > 50.0f || *a < -50.0f)
      return 4;
  }
  return 5;
}

KERNEL_BODY(newton_fit) {
  unsigned sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    float a = 1.0f, b = 0.5f;
    unsigned why = fit(in, thread * 3 + round * 173, &a, &b);
    sum = sum * 7 + why + (lin_bits(a) >> 12) + (lin_bits(b) >> 13);
  }
  return sum;
}
