// A path tracer whose materials are like those of films: textures of many octaves, microfacets with
// light that goes from one to the next, coats over a base, light that wanders below the surface, and
// flakes in paint. They are long, and each is of another length. The room has tiles of all of them.
//
// Takes any order of threads.
#include "tracing.cuh"

LIN_FUNCTION vec cross(vec a, vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

LIN_FUNCTION float power(float x, float y) { return lin_exp(y * lin_log(x + 1e-6f)); }

// A frame with n as its third axis.
struct frame {
  vec s, t, n;

  __host__ __device__ vec to(vec a) const { return {dot(a, s), dot(a, t), dot(a, n)}; }
  __host__ __device__ vec from(vec a) const { return a.x * s + a.y * t + a.z * n; }
};

LIN_FUNCTION frame around(vec n) {
  vec other = lin_abs(n.x) > 0.6f ? vec{0.0f, 1.0f, 0.0f} : vec{1.0f, 0.0f, 0.0f};
  vec s = unit(cross(other, n));
  return {s, cross(n, s), n};
}

// ---- textures -----------------------------------------------------------------------------------

// Where a coordinate is: its cell, and how far into it.
LIN_FUNCTION unsigned cellOf(float x, float *within) {
  int cell = (int)x;
  cell -= (float)cell > x;
  *within = x - (float)cell;
  return (unsigned)cell;
}

// Smooth between random values at the corners of cells; -1 to 1.
LIN_FUNCTION float noise(lin_input in, vec p) {
  float u, v, w;
  unsigned i = cellOf(p.x, &u), j = cellOf(p.y, &v), k = cellOf(p.z, &w);
  u = u * u * (3.0f - 2.0f * u), v = v * v * (3.0f - 2.0f * v), w = w * w * (3.0f - 2.0f * w);
  float sum = 0.0f;
#pragma unroll
  for (unsigned corner = 0; corner < 8; corner++) {
    unsigned a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
    float weight = (a ? u : 1.0f - u) * (b ? v : 1.0f - v) * (c ? w : 1.0f - w);
    sum += weight * lin_unit(in[(i + a) * 73u + (j + b) * 9151u + (k + c) * 31337u]);
  }
  return 2.0f * sum - 1.0f;
}

LIN_FUNCTION float octaves(lin_input in, vec p, unsigned count) {
  float sum = 0.0f, share = 0.5f;
#pragma unroll 1
  for (unsigned octave = 0; octave < count; octave++) {
    sum += share * noise(in, p);
    p = vec{1.7f, 9.2f, 4.1f} + 2.03f * p;
    share *= 0.5f;
  }
  return sum;
}

// The nearest of random points, one in each cell: where it is, as a direction.
LIN_FUNCTION vec nearestFlake(lin_input in, vec p, float *distance) {
  float u, v, w;
  unsigned i = cellOf(p.x, &u), j = cellOf(p.y, &v), k = cellOf(p.z, &w);
  vec best = {0.0f, 0.0f, 1.0f};
  float least = 9.0f;
#pragma unroll 1
  for (unsigned cell = 0; cell < 27; cell++) {
    unsigned a = cell % 3, b = cell / 3 % 3, c = cell / 9;
    unsigned at = lin_mix((i + a) * 73u + (j + b) * 9151u + (k + c) * 31337u);
    vec to = {(float)a - 1.0f + lin_unit(in[at]) - u, (float)b - 1.0f + lin_unit(in[at + 1]) - v,
              (float)c - 1.0f + lin_unit(in[at + 2]) - w};
    float square = dot(to, to);
    if (square < least)
      least = square, best = to;
  }
  *distance = lin_sqrt(least);
  return best;
}

// ---- microfacets --------------------------------------------------------------------------------

// GGX: the normal of a facet that is seen from `out`, with the likelihood of its being seen (Heitz,
// "Sampling the GGX Distribution of Visible Normals", JCGT 7(4), 2018). In a frame.
LIN_FUNCTION vec visibleFacet(vec out, float rough, lin_random *random) {
  vec v = unit({rough * out.x, rough * out.y, out.z});
  frame f = around(v);
  float radius = lin_sqrt(random->unit()), turn = random->unit();
  float a = radius * lin_cos_turn(turn), b = radius * lin_sin_turn(turn);
  float s = 0.5f * (1.0f + v.z);
  b = (1.0f - s) * lin_sqrt(lin_max(0.0f, 1.0f - a * a)) + s * b;
  vec n = f.from({a, b, lin_sqrt(lin_max(0.0f, 1.0f - a * a - b * b))});
  return unit({rough * n.x, rough * n.y, lin_max(1e-4f, n.z)});
}

// Of what leaves along d, what isn't in the shadow of another facet (Smith).
LIN_FUNCTION float unshadowed(vec d, float rough) {
  float flat = d.x * d.x + d.y * d.y, up = d.z * d.z + 1e-6f;
  return 2.0f / (1.0f + lin_sqrt(1.0f + rough * rough * flat / up));
}

LIN_FUNCTION float schlick(float base, float cosine) {
  float miss = lin_max(0.0f, 1.0f - cosine), square = miss * miss;
  return base + (1.0f - base) * square * square * miss;
}

// What glass reflects, by the cosine of the ray and the ratio of indices.
LIN_FUNCTION float fresnel(float cosine, float index) {
  float k = 1.0f - index * index * (1.0f - cosine * cosine);
  if (k < 0.0f)
    return 1.0f;
  float through = lin_sqrt(k);
  float s = (index * cosine - through) / (index * cosine + through + 1e-6f);
  float p = (cosine - index * through) / (cosine + index * through + 1e-6f);
  return 0.5f * (s * s + p * p);
}

// Metal: light that a facet throws onto another goes on from there. Up from the surface, or lost.
LIN_FUNCTION vec fromFacets(vec out, float rough, float base, float *weight, lin_random *random) {
  vec d = out;
#pragma unroll 1
  for (unsigned facets = 0; facets < 6; facets++) {
    vec towards = d.z > 0.0f ? d : vec{d.x, d.y, -d.z};
    vec h = visibleFacet(towards, rough, random);
    d = mirrored(-1.0f * towards, h);
    *weight *= schlick(base, lin_abs(dot(towards, h)));
    if (d.z > 0.0f && random->unit() < unshadowed(d, rough))
      return d;
  }
  *weight = 0.0f;
  return out;
}

// ---- volumes ------------------------------------------------------------------------------------

// A new direction, forward by g (Henyey and Greenstein).
LIN_FUNCTION vec deflected(vec d, float g, lin_random *random) {
  float part = (1.0f - g * g) / (1.0f - g + 2.0f * g * random->unit());
  float cosine = lin_max(-1.0f, lin_min(1.0f, (1.0f + g * g - part * part) / (2.0f * g)));
  float flat = lin_sqrt(lin_max(0.0f, 1.0f - cosine * cosine)), turn = random->unit();
  return around(d).from({flat * lin_cos_turn(turn), flat * lin_sin_turn(turn), cosine});
}

// Below the surface, which is z = 0: until the light comes out, or is absorbed.
LIN_FUNCTION vec wandered(vec d, float g, float kept, float *weight, lin_random *random) {
  float depth = 0.0f;
#pragma unroll 1
  for (unsigned step = 0; step < 64; step++) {
    depth += d.z * -lin_log(random->unit() + 1e-6f);
    if (depth > 0.0f) {
      if (random->unit() >= fresnel(lin_abs(d.z), 1.4f))
        return d;
      depth = 0.0f; // reflected at the inside of the surface
      d.z = -d.z;
    } else {
      *weight *= kept;
      if (*weight < 0.05f)
        break;
      d = deflected(d, g, random);
    }
  }
  *weight = 0.0f;
  return d;
}

// A coat of glass with haze in it, over a base: light goes up and down between its two sides.
LIN_FUNCTION vec throughCoat(vec out, float rough, float base, float *weight, lin_random *random) {
  vec h = visibleFacet(out, rough, random);
  if (random->unit() < fresnel(lin_abs(dot(out, h)), 1.0f / 1.5f)) {
    vec d = mirrored(-1.0f * out, h);
    *weight *= d.z > 0.0f ? unshadowed(d, rough) : 0.0f;
    return d;
  }
  vec d = unit({-out.x / 1.5f, -out.y / 1.5f, -lin_sqrt(1.0f - (1.0f - out.z * out.z) / 2.25f)});
  float height = 1.0f;
#pragma unroll 1
  for (unsigned step = 0; step < 32; step++) {
    height += d.z * 2.0f * -lin_log(random->unit() + 1e-6f);
    if (height <= 0.0f) { // the base
      *weight *= base;
      height = 0.0f;
      d = unit(vec{0.0f, 0.0f, 1.0f} + anywhere(random));
    } else if (height < 1.0f) { // the haze
      *weight *= 0.97f;
      d = deflected(d, 0.7f, random);
    } else { // the outer side
      vec facet = visibleFacet({d.x, d.y, lin_max(d.z, 0.01f)}, rough, random);
      float cosine = lin_abs(dot(d, facet));
      if (random->unit() >= fresnel(cosine, 1.5f)) {
        d = unit(
            {1.5f * d.x, 1.5f * d.y, lin_sqrt(lin_max(1e-4f, 1.0f - 2.25f * (1.0f - d.z * d.z)))});
        return d;
      }
      height = 1.0f;
      d.z = -lin_abs(d.z);
    }
    if (*weight < 0.05f)
      break;
  }
  *weight = 0.0f;
  return d;
}

// ---- the scene ----------------------------------------------------------------------------------

// A room: two walls, a floor and a ceiling, tiled, and two ends.
struct layered_scene {
  enum { STONE = 1, STEEL, FROSTED, VARNISH, SKIN, CARPAINT, MARBLE };
  enum { LEFT = SPHERES, RIGHT, FLOOR, CEILING, FRONT, BACK };

  static __host__ __device__ __forceinline__ void
  wall(float from, float d, float low, float high, unsigned first, float *best, unsigned *which) {
    if (lin_abs(d) < 1e-6f)
      return;
    float t = ((d < 0.0f ? low : high) - from) / d;
    if (t > 0.002f && t < *best)
      *best = t, *which = first + (d > 0.0f);
  }

  static __host__ __device__ __forceinline__ void walls(vec from, vec d, float *best,
                                                        unsigned *which) {
    wall(from.x, d.x, -8.0f, 8.0f, LEFT, best, which);
    wall(from.y, d.y, -2.0f, 8.0f, FLOOR, best, which);
    wall(from.z, d.z, -5.0f, 14.0f, FRONT, best, which);
  }

  static __host__ __device__ __forceinline__ vec normal(unsigned which) {
    float side = which & 1 ? -1.0f : 1.0f;
    return {which <= RIGHT ? side : 0.0f, which / 2 == FLOOR / 2 ? side : 0.0f,
            which >= FRONT ? side : 0.0f};
  }

  // Of the ceiling, every fourth tile is a lamp.
  static __host__ __device__ __forceinline__ unsigned material(unsigned which, vec at) {
    if (which < SPHERES)
      return which & 7;
    float within;
    unsigned tile = cellOf(at.x + 0.01f, &within) * 31u + cellOf(at.y + 0.01f, &within) * 57u +
                    cellOf(at.z + 0.01f, &within) * 101u + which;
    tile = lin_mix(tile);
    return which == CEILING && tile % 4 == 0 ? (unsigned)LAMP : 1 + (tile >> 4) % 7;
  }

  static __host__ __device__ __forceinline__ bool scatter(lin_input in, unsigned which,
                                                          unsigned material, ray *r) {
    vec n = ::normal<layered_scene>(in, which, r->at);
    bool inside = dot(r->d, n) > 0.0f;
    if (inside)
      n = -1.0f * n;
    frame f = around(n);
    vec out = f.to(-1.0f * r->d);
    out.z = lin_max(out.z, 1e-3f);
    switch (material) {
    case STONE: { // a bumpy, spotted surface: the normal by differences of its height
      vec p = 3.0f * r->at;
      float height = octaves(in, p, 6);
      vec bump = {octaves(in, p + 0.01f * f.s, 6) - height,
                  octaves(in, p + 0.01f * f.t, 6) - height, 0.04f};
      vec d = unit(unit({-bump.x, -bump.y, bump.z}) + anywhere(&r->random));
      r->weight *= d.z > 0.0f ? 0.55f + 0.35f * height : 0.0f;
      r->d = f.from(d);
      break;
    }
    case STEEL: { // brushed, more here and less there
      float rough = 0.25f + 0.2f * octaves(in, 5.0f * r->at, 3);
      r->d = f.from(fromFacets(out, rough, 0.85f, &r->weight, &r->random));
      break;
    }
    case FROSTED: {
      vec h = visibleFacet(out, 0.2f, &r->random);
      float index = inside ? 1.5f : 1.0f / 1.5f, cosine = lin_abs(dot(out, h));
      float k = 1.0f - index * index * (1.0f - cosine * cosine);
      if (k < 0.0f || r->random.unit() < fresnel(cosine, index)) {
        vec d = mirrored(-1.0f * out, h);
        r->weight *= d.z > 0.0f ? unshadowed(d, 0.2f) : 0.0f;
        r->d = f.from(d);
      } else {
        vec d = unit(-index * out + (index * cosine - lin_sqrt(k)) * h);
        r->weight *= d.z < 0.0f ? unshadowed(d, 0.2f) : 0.0f;
        r->d = f.from(d);
      }
      break;
    }
    case VARNISH: { // wood with rings under a coat
      vec p = r->at + 0.3f * vec{noise(in, 2.0f * r->at), 0.0f, noise(in, 2.0f * r->at + n)};
      float ring = lin_sqrt(p.x * p.x + p.z * p.z) * 6.0f;
      ring -= (float)(unsigned)ring;
      float grain = 0.45f + 0.25f * ring + 0.15f * octaves(in, 9.0f * p, 3);
      r->d = f.from(throughCoat(out, 0.1f, grain, &r->weight, &r->random));
      break;
    }
    case SKIN: {
      if (r->random.unit() < schlick(0.03f, out.z)) {
        r->d = f.from(fromFacets(out, 0.35f, 0.9f, &r->weight, &r->random));
      } else {
        float kept = 0.94f + 0.05f * octaves(in, 4.0f * r->at, 4);
        vec down = unit({-out.x / 1.4f, -out.y / 1.4f, -lin_abs(out.z)});
        r->d = f.from(wandered(down, 0.6f, kept, &r->weight, &r->random));
      }
      break;
    }
    case CARPAINT: { // flakes under a coat, each with a normal of its own
      float distance;
      vec flake = nearestFlake(in, 20.0f * r->at, &distance);
      float base = 0.3f + 0.6f * lin_max(0.0f, 1.0f - 2.0f * distance);
      if (r->random.unit() < 0.5f) {
        vec h = unit({0.3f * flake.x, 0.3f * flake.y, 1.0f});
        vec d = mirrored(-1.0f * out, h);
        r->weight *= d.z > 0.0f ? power(base, 0.45f) : 0.0f;
        r->d = f.from(d);
      } else {
        r->d = f.from(throughCoat(out, 0.05f, base, &r->weight, &r->random));
      }
      break;
    }
    default: { // MARBLE: veins in veins, polished
      vec p = 1.5f * r->at;
      vec q = {octaves(in, p, 4), octaves(in, p + vec{5.2f, 1.3f, 2.8f}, 4),
               octaves(in, p + vec{1.1f, 7.7f, 3.4f}, 4)};
      float vein = lin_abs(octaves(in, p + 4.0f * q, 6));
      if (r->random.unit() < schlick(0.05f, out.z)) {
        r->d = mirrored(r->d, n);
      } else {
        r->weight *= 0.25f + 0.65f * power(lin_min(1.0f, 3.0f * vein), 0.6f);
        r->d = f.from(unit(vec{0.0f, 0.0f, 1.0f} + anywhere(&r->random)));
      }
    }
    }
    return goesOn(r);
  }
};

APPLICATION(layered_tracer) { return traced<layered_scene>(in, thread, rounds, lin_stays()); }
