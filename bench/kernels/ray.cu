// A small recursive ray tracer made iterative, after the paper's ray: spheres over a chequered
// floor, two lights with shadows, mirrors and glass. One thread traces the rays of one pixel.
//
// Unstructured: the nearest-hit search skips spheres in three places; a shadow ray stops at the
// first opaque sphere and passes glass; a ray ends (sky, floor, dark, absorbed) in the middle of
// its bounce and goes to one of two shared endings; total reflection joins the mirror's code.
//
//     bounce ─▶ search ─▶ sky? ──────────────▶ background ─┐
//       ▲         └▶ floor or sphere ─▶ lights ─▶ dull? ───┼─▶ pixel
//       │                     mirror ◀──┤ glass ─▶ refract │
//       └───── weight left? ◀───┴───────┴──────────┘  └▶ mirror (total reflection)
#include "linearize_device.h"

struct vec {
  float x, y, z;
};

LIN_FUNCTION vec add(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LIN_FUNCTION vec sub(vec a, vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
LIN_FUNCTION vec scale(vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
LIN_FUNCTION float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LIN_FUNCTION vec normal(vec a) { return scale(a, 1.0f / lin_sqrt(dot(a, a))); }

// A sphere is four words: three coordinates, then the radius with the material in its low bits.
LIN_FUNCTION vec centre_of(lin_input in, unsigned sphere) {
  return {16.0f * lin_unit(in[4 * sphere]) - 8.0f, 4.0f * lin_unit(in[4 * sphere + 1]),
          4.0f + 12.0f * lin_unit(in[4 * sphere + 2])};
}

enum { SPHERES = 10, DULL = 0, MIRROR = 1, GLASS = 2 };

// The distance along the ray to the sphere, or a negative number.
LIN_FUNCTION float hit(lin_input in, unsigned sphere, vec origin, vec direction) {
  vec to = sub(centre_of(in, sphere), origin);
  float radius = 0.4f + 1.2f * lin_unit(in[4 * sphere + 3]);
  float along = dot(to, direction);
  float root = along * along - dot(to, to) + radius * radius;
  if (root < 0)
    return -1.0f;
  root = lin_sqrt(root);
  if (along - root > 0.001f)
    return along - root;
  return along + root;
}

// How much of the light behind `origin` gets through to it: opaque spheres end the search.
LIN_FUNCTION float lit(lin_input in, vec origin, vec direction, float distance) {
  float light = 1.0f;
#pragma unroll 1
  for (unsigned sphere = 0; sphere < SPHERES; sphere++) {
    float t = hit(in, sphere, origin, direction);
    if (t < 0.01f || t > distance)
      continue;
    unsigned material = in[4 * sphere + 3] & 3;
    if (material != GLASS)
      return 0.0f;
    light *= 0.6f;
    if (light < 0.3f)
      break;
  }
  return light;
}

KERNEL_BODY(ray) {
  const unsigned width = 32;
  float pixel = 0.0f;
#pragma unroll 1
  for (unsigned sample = 0; sample < rounds; sample++) {
    float jitter = lin_unit(in[thread + sample]);
    vec origin = {0.0f, 1.5f, -6.0f};
    vec direction = normal({((float)(thread % width) + jitter) / 16.0f - 1.0f,
                            ((float)(thread / width % width) + jitter) / 20.0f - 0.6f, 1.0f});
    float weight = 1.0f, colour = 0.0f;
#pragma unroll 1
    for (unsigned bounce = 0; bounce < 6; bounce++) {
      vec point, up;
      unsigned material;
      float albedo, light;

      // Nearest sphere, unless the floor is nearer.
      float nearest = direction.y < -0.001f ? -origin.y / direction.y : 1000.0f;
      unsigned object = nearest < 60.0f ? SPHERES : SPHERES + 1;
#pragma unroll 1
      for (unsigned sphere = 0; sphere < SPHERES; sphere++) {
        float t = hit(in, sphere, origin, direction);
        if (t < 0.01f)
          continue;
        if (t >= nearest)
          continue;
        if ((in[4 * sphere] & 15) == 0 && t > 12.0f)
          break;
        nearest = t;
        object = sphere;
      }
      if (object > SPHERES)
        goto background;

      point = add(origin, scale(direction, nearest));
      if (object == SPHERES) {
        int square = (int)(point.x + 64.0f) ^ (int)(point.z + 64.0f);
        up = {0.0f, 1.0f, 0.0f};
        albedo = square & 1 ? 0.9f : 0.2f;
        material = in[(unsigned)square] & 8 ? MIRROR : DULL;
        if (nearest > 40.0f)
          goto background;
      } else {
        up = normal(sub(point, centre_of(in, object)));
        albedo = 0.3f + 0.6f * lin_unit(in[object]);
        material = in[4 * object + 3] & 3;
      }

      // Two lights; a surface turned away from one asks nothing about its shadow.
      light = 0.1f;
#pragma unroll
      for (unsigned lamp = 0; lamp < 2; lamp++) {
        vec to = sub({lamp ? 6.0f : -5.0f, 9.0f, lamp ? 2.0f : -3.0f}, point);
        float distance = lin_sqrt(dot(to, to));
        vec toward = scale(to, 1.0f / distance);
        float facing = dot(up, toward);
        if (facing <= 0)
          continue;
        float through = lit(in, point, toward, distance);
        if (through <= 0)
          continue;
        light += facing * through * 0.8f;
        // The highlight, to the sixteenth power.
        float shine = dot(direction, sub(toward, scale(up, 2.0f * facing)));
        if (material != DULL && shine > 0.5f) {
          shine *= shine;
          shine *= shine;
          shine *= shine;
          light += shine * shine;
        }
      }
      colour += weight * albedo * light;

      if (material == GLASS) {
        float entering = dot(direction, up), ratio = entering < 0 ? 0.6667f : 1.5f;
        vec facing = entering < 0 ? up : scale(up, -1.0f);
        float cosine = lin_abs(entering);
        float k = 1.0f - ratio * ratio * (1.0f - cosine * cosine);
        if (k < 0) {
          up = facing;
          goto mirror;
        }
        direction =
            normal(add(scale(direction, ratio), scale(facing, ratio * cosine - lin_sqrt(k))));
        weight *= 0.8f;
        if ((in[object + bounce] & 7) == 0)
          goto mirror;
      } else if (material == MIRROR) {
      mirror:
        direction = sub(direction, scale(up, 2.0f * dot(direction, up)));
        weight *= 0.5f * albedo;
      } else {
        break;
      }
      if (weight < 0.05f)
        break;
      origin = add(point, scale(direction, 0.01f));
      continue;

    background:
      float height = lin_max(direction.y, 0.0f);
      colour += weight * (0.3f + 0.5f * height + (height > 0.9f ? lin_unit(in[bounce]) : 0.0f));
      break;
    }
    pixel += lin_min(colour, 4.0f);
  }
  return lin_bits(pixel);
}
