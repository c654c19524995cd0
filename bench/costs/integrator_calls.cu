// The orbit of a satellite with drag, a Runge-Kutta step of the second order: the forces are a
// function that isn't inlined and returns early where it is in the air, in the shadow, or too far.
#include "linearize_device.h"

#ifdef LIN_HOST
#define OUT_OF_LINE static
#else
#define OUT_OF_LINE static __device__ __attribute__((noinline))
#endif

OUT_OF_LINE double height_of(double x, double y) { return lin_sqrt(x * x + y * y) - 1.0; }

OUT_OF_LINE unsigned force(double x, double y, double vx, double vy, double t, double *fx,
                           double *fy) {
  double height = height_of(x, y);
  if (height < 0.0)
    return 1;
  double r = height + 1.0, pull = 1.0 / (r * r * r);
  *fx = -x * pull;
  *fy = -y * pull;
  if (height > 3.0)
    return 2;
  if (height < 0.1) {
    double speed = lin_sqrt(vx * vx + vy * vy), drag = (0.1 - height) * speed;
    *fx -= drag * vx;
    *fy -= drag * vy;
    if (speed > 3.0)
      return 3;
  }
  double sun = lin_cos(t) * x + lin_sin(t) * y;
  if (sun < 0.0 && lin_abs(lin_cos(t) * y - lin_sin(t) * x) < 1.0)
    return 0;
  *fx -= 0.01 * lin_cos(t);
  *fy -= 0.01 * lin_sin(t);
  return 0;
}

KERNEL_BODY(integrator_calls) {
  double sum = 0.0;
  unsigned ends = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned seed = thread * 3 + round * 1031;
    double x = 1.05 + lin_unit(in[seed]), y = 0.0, vx = 0.3 * lin_unit(in[seed + 1]);
    double vy = 0.5 + lin_unit(in[seed + 2]), t = 6.0 * lin_unit(in[seed + 3]);
    const double dt = 0.05;
#pragma unroll 1
    for (unsigned i = 0; i < 32; i++) {
      double fx = 0, fy = 0, gx = 0, gy = 0;
      unsigned why = force(x, y, vx, vy, t, &fx, &fy);
      if (why == 1 || why == 3) {
        ends += why;
        break;
      }
      double mx = x + 0.5 * dt * vx, my = y + 0.5 * dt * vy;
      why = force(mx, my, vx + 0.5 * dt * fx, vy + 0.5 * dt * fy, t + 0.5 * dt, &gx, &gy);
      if (why == 1)
        break;
      if (why == 2 && height_of(mx, my) > 4.0) {
        ends += 8;
        break;
      }
      x = x + dt * vx + 0.5 * dt * dt * gx;
      y = y + dt * vy + 0.5 * dt * dt * gy;
      vx = vx + dt * gx;
      vy = vy + dt * gy;
      t = t + dt;
    }
    sum += x * y;
  }
  return lin_bits(sum) ^ ends;
}
