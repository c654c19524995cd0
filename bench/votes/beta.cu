// Random numbers by the beta distribution, as NumPy, and after it CuPy, draw them: by Johnk's method where both
// parameters are at most 1, else by two of the gamma distribution, each in one of three ways. Loops that threads
// leave when a draw is accepted, returns in all of them. `rounds` draws, each with parameters of its own.
#include "linearize_device.h"

struct draws {
  unsigned state;

  __host__ __device__ float unit() { // above 0, below 1
    state = state * 1664525u + 1013904223u;
    return ((float)((state ^ state >> 15) >> 9) + 0.5f) * (1.0f / 8388608.0f);
  }
};

LIN_FUNCTION float power(float x, float y) { return lin_exp(y * lin_log(x)); }

LIN_FUNCTION float gauss(draws *d) {
  float x, y, r;
#pragma unroll 1
  do {
    x = 2.0f * d->unit() - 1.0f;
    y = 2.0f * d->unit() - 1.0f;
    r = x * x + y * y;
  } while (r >= 1.0f || r == 0.0f);
  return x * lin_sqrt(-2.0f * lin_log(r) / r);
}

LIN_FUNCTION float gamma(draws *d, float shape) {
  if (shape == 1.0f)
    return -lin_log(d->unit());
  if (shape < 1.0f) {
#pragma unroll 1
    for (;;) {
      float u = d->unit(), v = -lin_log(d->unit());
      if (u <= 1.0f - shape) {
        float x = power(u, 1.0f / shape);
        if (x <= v)
          return x;
      } else {
        float y = -lin_log((1.0f - u) / shape);
        float x = power(1.0f - shape + shape * y, 1.0f / shape);
        if (x <= v + y)
          return x;
      }
    }
  }
  float b = shape - 0.33333333f, c = 1.0f / lin_sqrt(9.0f * b);
#pragma unroll 1
  for (;;) {
    float x, v;
#pragma unroll 1
    do {
      x = gauss(d);
      v = 1.0f + c * x;
    } while (v <= 0.0f);
    v = v * v * v;
    float u = d->unit();
    if (u < 1.0f - 0.0331f * (x * x) * (x * x))
      return b * v;
    if (lin_log(u) < 0.5f * x * x + b * (1.0f - v + lin_log(v)))
      return b * v;
  }
}

LIN_FUNCTION float beta_of(draws *d, float a, float b) {
  if (a <= 1.0f && b <= 1.0f) {
#pragma unroll 1
    for (;;) {
      float u = d->unit(), v = d->unit();
      float x = power(u, 1.0f / a), y = power(v, 1.0f / b);
      if (x + y > 1.0f)
        continue;
      if (x + y > 0.0f)
        return x / (x + y);
      float log_x = lin_log(u) / a, log_y = lin_log(v) / b;
      float most = log_x > log_y ? log_x : log_y;
      log_x -= most;
      log_y -= most;
      return lin_exp(log_x - lin_log(lin_exp(log_x) + lin_exp(log_y)));
    }
  }
  float x = gamma(d, a), y = gamma(d, b);
  return x / (x + y);
}

// `who`: whose data it is.
LIN_FUNCTION unsigned draw_betas(lin_input in, unsigned who, unsigned rounds) {
  draws d = {lin_mix(who)};
  float sum = 0.0f;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    float a = 0.25f + 1.5f * lin_unit(in[2 * who + round]);
    float b = 0.25f + 1.5f * lin_unit(in[2 * who + round + 1]);
    sum += beta_of(&d, a, b);
  }
  return lin_bits(sum);
}

KERNEL_BODY(beta) { return draw_betas(in, thread, rounds); }
