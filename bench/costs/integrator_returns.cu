// A pendulum on a spring, stepped with an adaptive step: a step fails in one of several ways, each
// an early return of the function that takes it, with calls of sin, cos and sqrt in between.
#include "linearize_device.h"

struct state {
  double angle, speed, length, stretch;
};

// 0: done; else why not.
LIN_FUNCTION unsigned step(state *s, double dt, double limit) {
  double a = lin_sin(s->angle), b = lin_cos(s->angle);
  double pull = s->length * s->speed * s->speed + 9.81 * b - 40.0 * (s->length - 1.0);
  double turn = -(9.81 * a + 2.0 * s->stretch * s->speed) / s->length;
  if (lin_abs(turn) > limit)
    return 1;
  double stretch = s->stretch + pull * dt, speed = s->speed + turn * dt;
  double length = s->length + stretch * dt;
  if (length < 0.2)
    return 2;
  double energy = 0.5 * (speed * speed * length * length + stretch * stretch);
  if (energy > 60.0) {
    double scale = lin_sqrt(60.0 / energy);
    stretch = stretch * scale;
    speed = speed * scale;
    if (scale < 0.5)
      return 3;
  }
  double angle = s->angle + speed * dt;
  double error = lin_abs(lin_sin(angle) - a - b * (angle - s->angle));
  if (error > 0.01)
    return 4;
  if (angle > 40.0 || angle < -40.0)
    angle = 0.0;
  s->angle = angle;
  s->speed = speed;
  s->length = length;
  s->stretch = stretch;
  return 0;
}

KERNEL_BODY(integrator_returns) {
  unsigned failed = 0;
  double sum = 0.0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    unsigned seed = thread * 4 + round * 977;
    state s = {6.0 * lin_unit(in[seed]) - 3.0, 4.0 * lin_unit(in[seed + 1]) - 2.0,
               0.7 + lin_unit(in[seed + 2]), 0.0};
    double dt = 0.02;
#pragma unroll 1
    for (unsigned i = 0; i < 24; i++) {
      unsigned why = step(&s, dt, 30.0);
      if (why == 3)
        break;
      if (why != 0) {
        failed += why;
        dt = dt * 0.5;
        if (dt < 0.002)
          break;
        continue;
      }
      dt = dt < 0.04 ? dt * 1.25 : dt;
    }
    sum += s.angle + s.length;
  }
  return lin_bits(sum) ^ failed;
}
