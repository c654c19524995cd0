// Integrates an oscillator with a step that follows the error: too large, and it is tried again;
// too small, too many or out of bounds, and the whole integration returns.
#include "linearize_device.h"

LIN_FUNCTION unsigned integrate(float *x, float *v, float stiff) {
  float time = 0.0f, dt = 0.1f, k1, k2, xm, vm, error, nx, nv;
  unsigned rejected = 0, accepted = 0;
  while (time < 2.0f) {
    k1 = -stiff * *x - 0.1f * *v * *v * *v;
    xm = *x + 0.5f * dt * *v;
    vm = *v + 0.5f * dt * k1;
    k2 = -stiff * xm - 0.1f * vm * vm * vm;
    error = lin_abs(k1 - k2) * dt;
    if (error > 0.4f) {
      dt = dt * 0.5f;
      if (dt < 0.004f)
        return 1000 + rejected;
      if (++rejected > 12)
        return 2000 + accepted;
      continue;
    }
    nx = *x + dt * vm;
    nv = *v + dt * k2;
    if (nx > 8.0f || nx < -8.0f)
      return 3000 + accepted;
    if (nv * nv + stiff * nx * nx < 0.01f)
      return 4000;
    *x = nx;
    *v = nv;
    time += dt;
    accepted++;
    if (error < 0.05f)
      dt = dt * 1.5f;
  }
  return accepted;
}

KERNEL_BODY(step_control) {
  unsigned sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned at = thread * 3 + round * 59;
    float x = 4.0f * lin_unit(in[at]) - 2.0f, v = 6.0f * lin_unit(in[at + 1]) - 3.0f;
    unsigned why = integrate(&x, &v, 1.0f + 30.0f * lin_unit(in[at + 2]));
    sum = sum * 5 + why + (lin_bits(x) >> 14) + (lin_bits(v) >> 15);
  }
  return sum;
}
