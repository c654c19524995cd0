// Sphere tracing: a ray goes on by the distance to the nearest surface, which a signed-distance
// function of the scene gives, until it hits one or is too far away. A thread traces `rounds` rays,
// through pixels in no order.
//
// Uneven: a ray into the sky ends after a few steps, one to the middle of a ball after about ten,
// one that passes close by an edge creeps for up to 96. The scene, three balls and a rounded box
// over a floor, is a hundred operations a step.
//
//     ray ─▶ nearest surface ─▶ hit? ─▶ far? ─▶ 96 steps? ─▶ shade ─▶ next ray
//                   ▲             └───────┴─────────│──────────▲
//                   └──── go on by its distance ◀───┘
#include "linearize_device.h"

struct vec {
  float x, y, z;
};

// The length of a vector. The root is Newton's, three turns from the usual first guess, the same
// everywhere.
LIN_FUNCTION float length(vec a) {
  float square = a.x * a.x + a.y * a.y + a.z * a.z;
  float inverse = lin_from_bits(0x5f3759dfu - (lin_bits(square) >> 1)), half = 0.5f * square;
  inverse *= 1.5f - half * inverse * inverse;
  inverse *= 1.5f - half * inverse * inverse;
  inverse *= 1.5f - half * inverse * inverse;
  return square * inverse;
}

LIN_FUNCTION float ball(vec p, vec centre, float radius) {
  return length({p.x - centre.x, p.y - centre.y, p.z - centre.z}) - radius;
}

LIN_FUNCTION float rounded_box(vec p, vec centre, vec size, float radius) {
  vec q = {lin_max(lin_abs(p.x - centre.x) - size.x, 0.0f),
           lin_max(lin_abs(p.y - centre.y) - size.y, 0.0f),
           lin_max(lin_abs(p.z - centre.z) - size.z, 0.0f)};
  return length(q) - radius;
}

LIN_FUNCTION float scene(vec p) {
  float d = ball(p, {-1.6f, 1.0f, 4.0f}, 1.0f);
  d = lin_min(d, ball(p, {1.9f, 0.7f, 3.0f}, 0.7f));
  d = lin_min(d, ball(p, {0.4f, 1.8f, 7.0f}, 1.8f));
  d = lin_min(d, rounded_box(p, {0.5f, 0.4f, 3.5f}, {0.5f, 0.3f, 0.4f}, 0.1f));
  return lin_min(d, p.y);
}

KERNEL_BODY(ray_march) {
  const float far = 40.0f, near = 0.001f;
  float picture = 0.0f;
  unsigned checksum = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned pixel = in[thread * rounds + round];
    vec eye = {0.0f, 1.2f, -2.0f};
    vec direction = {1.6f * lin_unit(pixel << 16) - 0.8f, 1.2f * lin_unit(pixel) - 0.65f, 1.0f};
    float unit = 1.0f / length(direction);
    direction = {direction.x * unit, direction.y * unit, direction.z * unit};

    float t = 0.0f, distance;
    vec p;
    bool hit = false;
    unsigned step = 0;
    while (step < 96) {
      p = {eye.x + t * direction.x, eye.y + t * direction.y, eye.z + t * direction.z};
      distance = scene(p);
      if (distance < near) {
        hit = true;
        break;
      }
      t += distance;
      if (t > far)
        break;
      step++;
    }

    // Fog by the distance; nooks, where rays take many steps, are dark.
    float shade = 0.4f + 0.5f * lin_max(direction.y, 0.0f);
    if (hit) {
      unsigned texture = in[lin_bits(t) >> 12];
      shade = (0.3f + 0.7f * lin_unit(texture)) * (1.0f - (float)step * (1.0f / 96.0f));
      shade += (shade - 0.4f) * -0.025f * t;
    }
    picture += shade;
    checksum = lin_mix(checksum + step);
  }
  return lin_bits(picture) ^ checksum;
}
