// A path tracer: a thread follows `rounds` paths from its pixel through spheres on a floor. What a path
// hits scatters it by one of eight materials, each with code of its own; a path ends in the sky, at a
// lamp, or by chance when it carries little light.
//
// Takes any order of threads.
#include "tracing.cuh"

struct simple_scene {
  enum { MATTE = 1, MIRROR, GLASS, METAL, LACQUER, MARBLE, VELVET };

  static __host__ __device__ __forceinline__ void walls(vec from, vec d, float *best,
                                                        unsigned *which) {
    if (d.y < -0.001f) {
      float t = (-2.0f - from.y) / d.y;
      if (t > 0.002f && t < *best)
        *best = t, *which = SPHERES;
    }
  }

  static __host__ __device__ __forceinline__ vec normal(unsigned) { return {0.0f, 1.0f, 0.0f}; }

  static __host__ __device__ __forceinline__ unsigned material(unsigned which, vec) {
    return which < SPHERES ? which & 7 : (unsigned)MATTE;
  }

  static __host__ __device__ __forceinline__ bool scatter(lin_input in, unsigned which,
                                                          unsigned material, ray *r) {
    vec n = ::normal<simple_scene>(in, which, r->at), at = r->at, d = r->d;
    float weight = r->weight;
    bool inside = dot(d, n) > 0.0f;
    if (inside)
      n = -1.0f * n;
    float cosine = -dot(d, n);
    switch (material) {
    case MATTE:
      weight *= which < SPHERES ? 0.7f : 0.6f;
      d = unit(n + anywhere(&r->random));
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
      if (k < 0.0f || r->random.unit() < reflects)
        d = mirrored(d, n);
      else
        d = unit(index * d + (index * cosine - lin_sqrt(k)) * n);
      break;
    }
    case METAL: {
      vec h = unit(n + 0.2f * anywhere(&r->random));
      d = mirrored(d, h);
      if (dot(d, n) < 0.0f)
        weight = 0.0f;
      float rough = 0.2f + lin_exp(-8.0f * cosine);
      weight *= 0.8f / (0.8f + 0.1f * rough);
      break;
    }
    case LACQUER:
      if (r->random.unit() < 0.04f + 0.5f * (1.0f - cosine) * (1.0f - cosine)) {
        d = mirrored(d, n);
      } else {
        weight *= 0.5f;
        d = unit(n + anywhere(&r->random));
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
      d = unit(n + anywhere(&r->random));
      break;
    }
    default: { // VELVET: light comes back from fibres, as often as it takes to leave
      unsigned fibres = 0;
      do {
        d = anywhere(&r->random);
        weight *= 0.9f;
      } while (dot(d, n) < 0.2f && ++fibres < 8);
      weight *= lin_exp(-0.3f * cosine);
    }
    }
    r->d = d;
    r->weight = weight;
    return goesOn(r);
  }
};

APPLICATION(path_tracer) { return traced<simple_scene>(in, thread, rounds, lin_stays()); }
