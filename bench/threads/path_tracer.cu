// A path tracer: a thread follows `rounds` paths from its pixel through spheres on a floor. What a
// path hits scatters it by one of eight materials, each with code of its own; a path ends in the
// sky, at a lamp, or by chance when it carries little light.
//
// Takes any order of threads.
#include "thread.cuh"

struct vec {
  float x, y, z;
};

LIN_FUNCTION vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LIN_FUNCTION vec operator*(float s, vec a) { return {s * a.x, s * a.y, s * a.z}; }
LIN_FUNCTION float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LIN_FUNCTION vec unit(vec a) { return 1.0f / lin_sqrt(dot(a, a) + 1e-12f) * a; }

enum { SPHERES = 12, WIDTH = 512 };
enum { LAMP, MATTE, MIRROR, GLASS, METAL, LACQUER, MARBLE, VELVET };

LIN_FUNCTION vec anywhere(lin_random *random) {
  float up = 2.0f * random->unit() - 1.0f, around = random->unit();
  float flat = lin_sqrt(1.0f - up * up);
  return {flat * lin_cos_turn(around), flat * lin_sin_turn(around), up};
}

LIN_FUNCTION vec mirrored(vec d, vec n) { return d + -2.0f * dot(d, n) * n; }

// The nearest hit along the ray: its distance, or 1e9; the sphere in `which`, SPHERES for the
// floor.
LIN_FUNCTION float nearest(lin_input in, vec from, vec d, unsigned *which) {
  float best = 1e9f;
#pragma unroll 1
  for (unsigned i = 0; i < SPHERES; i++) {
    vec c = {12.0f * lin_unit(in[4 * i]) - 6.0f, 8.0f * lin_unit(in[4 * i + 1]) - 1.0f,
             4.0f + 9.0f * lin_unit(in[4 * i + 2])};
    float r = 0.5f + 1.3f * lin_unit(in[4 * i + 3]);
    vec to = c + -1.0f * from;
    float along = dot(to, d), root = along * along - dot(to, to) + r * r;
    if (root < 0.0f)
      continue;
    root = lin_sqrt(root);
    float t = along - root > 0.002f ? along - root : along + root;
    if (t > 0.002f && t < best)
      best = t, *which = i;
  }
  if (d.y < -0.001f) {
    float t = (-2.0f - from.y) / d.y;
    if (t > 0.002f && t < best)
      best = t, *which = SPHERES;
  }
  return best;
}

APPLICATION(path_tracer) {
  float light = 0.0f;
  lin_random random = {lin_mix(thread + 1)};
#pragma unroll 1
  for (unsigned path = 0; path < rounds; path++) {
    vec at = {0.0f, 1.0f, -4.0f};
    vec d = unit({((float)(thread % WIDTH) + random.unit()) / 256.0f - 1.0f,
                  1.0f - ((float)(thread / WIDTH % WIDTH) + random.unit()) / 256.0f, 1.2f});
    float weight = 1.0f;
#pragma unroll 1
    for (unsigned bounce = 0; bounce < 24; bounce++) {
      unsigned which = 0;
      float t = nearest(in, at, d, &which);
      if (t > 1e8f) {
        light += weight * (0.4f + 0.3f * d.y);
        break;
      }
      at = at + t * d;
      vec n = {0.0f, 1.0f, 0.0f};
      unsigned material = MATTE;
      if (which < SPHERES) {
        n = unit(at + -1.0f * vec{12.0f * lin_unit(in[4 * which]) - 6.0f,
                                  8.0f * lin_unit(in[4 * which + 1]) - 1.0f,
                                  4.0f + 9.0f * lin_unit(in[4 * which + 2])});
        material = which & 7;
      }
      if (material == LAMP) {
        light += 4.0f * weight;
        break;
      }
      bool inside = dot(d, n) > 0.0f;
      if (inside)
        n = -1.0f * n;
      float cosine = -dot(d, n);
      switch (material) {
      case MATTE:
        weight *= which < SPHERES ? 0.7f : 0.6f;
        d = unit(n + anywhere(&random));
        break;
      case MIRROR:
        weight *= 0.95f;
        d = mirrored(d, n);
        break;
      case GLASS: {
        float index = inside ? 1.5f : 1.0f / 1.5f;
        float k = 1.0f - index * index * (1.0f - cosine * cosine);
        float miss = 1.0f - cosine;
        float reflects = 0.04f + 0.96f * miss * miss * miss * miss * miss;
        if (k < 0.0f || random.unit() < reflects)
          d = mirrored(d, n);
        else
          d = unit(index * d + (index * cosine - lin_sqrt(k)) * n);
        break;
      }
      case METAL: {
        vec h = unit(n + 0.2f * anywhere(&random));
        d = mirrored(d, h);
        if (dot(d, n) < 0.0f)
          weight = 0.0f;
        float rough = 0.2f + lin_exp(-8.0f * cosine);
        weight *= 0.8f / (0.8f + 0.1f * rough);
        break;
      }
      case LACQUER:
        if (random.unit() < 0.04f + 0.5f * (1.0f - cosine) * (1.0f - cosine)) {
          d = mirrored(d, n);
        } else {
          weight *= 0.5f;
          d = unit(n + anywhere(&random));
        }
        break;
      case MARBLE: {
        float vein = 0.0f, size = 1.0f;
#pragma unroll 1
        for (unsigned octave = 0; octave < 5; octave++) {
          unsigned cell = (unsigned)(32.0f * size * lin_abs(at.x + 0.3f * at.y)) +
                          57 * (unsigned)(32.0f * size * lin_abs(at.z));
          vein += lin_unit(in[cell]) / size;
          size *= 2.0f;
        }
        weight *= 0.3f + 0.3f * lin_sin_turn(0.25f * vein);
        d = unit(n + anywhere(&random));
        break;
      }
      default: { // VELVET: light comes back from fibres, as often as it takes to leave
        unsigned fibres = 0;
        do {
          d = anywhere(&random);
          weight *= 0.9f;
        } while (dot(d, n) < 0.2f && ++fibres < 8);
        weight *= lin_exp(-0.3f * cosine);
      }
      }
      if (weight < 0.2f) {
        if (random.unit() < 0.5f)
          break;
        weight *= 2.0f;
      }
    }
  }
  return lin_bits(light);
}
