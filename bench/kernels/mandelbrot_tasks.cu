// The Mandelbrot set as a list of tasks: a thread takes `rounds` pixels one after the other, from a
// list in no order, and counts how often z = z^2 + c goes round before it escapes.
//
// Uneven: the view is zoomed in on the valley of seahorses, where pixels that escape at once, late
// and never lie side by side. While one lane's pixel goes on for 200 turns, the others of its warp,
// done with theirs, wait with their next ones.
//
//     task ─▶ pixel ─▶ z = z^2 + c ─▶ escaped, or 200 turns? ─▶ add up ─▶ next task
//                          ▲             └ no ┐
//                          └──────────────────┘
#include "linearize_device.h"

KERNEL_BODY(mandelbrot_tasks) {
  const unsigned limit = 200;
  unsigned sum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned task = thread * rounds + round;
    unsigned pixel = in[task];
    float cx = -0.8f + 0.1f * lin_unit(pixel << 16);
    float cy = 0.1f + 0.4f * lin_unit(pixel);
    float x = 0.0f, y = 0.0f, xx = 0.0f, yy = 0.0f;
    unsigned turns = 0;
    while (turns < limit && xx + yy <= 4.0f) {
      y = 2.0f * x * y + cy;
      x = xx - yy + cx;
      xx = x * x;
      yy = y * y;
      turns++;
    }
    sum += lin_mix(turns ^ task << 8);
  }
  return sum;
}
