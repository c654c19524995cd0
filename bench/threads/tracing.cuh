// What the path tracers share: spheres, rays that begin at a camera, and how a path goes from what it
// hits to what it hits next. What is around the spheres, and of what all is made, is the scene's:
//
//     struct scene {
//       static void walls(vec from, vec d, float *best, unsigned *which);
//                                       what the ray hits there, if nearer: SPHERES to MOST - 1
//       static vec normal(unsigned which);    of that, to the side of the spheres
//       static unsigned material(unsigned which, vec at);     0 to 7, of what was hit there; LAMP: light
//       static bool scatter(lin_input in, unsigned which, unsigned material, ray *r);
//                                       r goes on from r->at in another direction; false: it ends
//     };
#ifndef BENCH_THREADS_TRACING_CUH
#define BENCH_THREADS_TRACING_CUH

#include "thread.cuh"

struct vec {
  float x, y, z;
};

LIN_FUNCTION vec operator+(vec a, vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
LIN_FUNCTION vec operator*(float s, vec a) { return {s * a.x, s * a.y, s * a.z}; }
LIN_FUNCTION float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LIN_FUNCTION vec unit(vec a) { return 1.0f / lin_sqrt(dot(a, a) + 1e-12f) * a; }

#ifndef PICTURE_WIDTH // tests have a picture of few threads
#define PICTURE_WIDTH 512
#endif
enum { SPHERES = 12, MOST = 30, WIDTH = PICTURE_WIDTH, BOUNCES = 24, LAMP = 0 };

LIN_FUNCTION vec anywhere(lin_random *random) {
  float up = 2.0f * random->unit() - 1.0f, around = random->unit();
  float flat = lin_sqrt(1.0f - up * up);
  return {flat * lin_cos_turn(around), flat * lin_sin_turn(around), up};
}

LIN_FUNCTION vec mirrored(vec d, vec n) { return d + -2.0f * dot(d, n) * n; }

LIN_FUNCTION vec centre(lin_input in, unsigned sphere) {
  return {12.0f * lin_unit(in[4 * sphere]) - 6.0f, 8.0f * lin_unit(in[4 * sphere + 1]) - 1.0f,
          4.0f + 9.0f * lin_unit(in[4 * sphere + 2])};
}

// The nearest hit along the ray: its distance, or 1e9, and what it is in `which`.
template <typename Scene>
LIN_FUNCTION float nearest(lin_input in, vec from, vec d, unsigned *which) {
  float best = 1e9f;
#pragma unroll 1
  for (unsigned i = 0; i < SPHERES; i++) {
    vec c = centre(in, i);
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
  Scene::walls(from, d, &best, which);
  return best;
}

template <typename Scene> LIN_FUNCTION vec normal(lin_input in, unsigned which, vec at) {
  return which < SPHERES ? unit(at + -1.0f * centre(in, which)) : Scene::normal(which);
}

struct ray {
  vec at, d;
  float weight;
  lin_random random;
};

// A path of this thread's pixel begins.
LIN_FUNCTION void begin(ray *r, unsigned thread) {
  r->at = {0.0f, 1.0f, -4.0f};
  float half = 0.5f * (float)WIDTH;
  r->d = unit({((float)(thread % WIDTH) + r->random.unit()) / half - 1.0f,
               1.0f - ((float)(thread / WIDTH % WIDTH) + r->random.unit()) / half, 1.2f});
  r->weight = 1.0f;
}

// Paths with little light end by chance.
LIN_FUNCTION bool goesOn(ray *r) {
  if (r->weight < 0.2f) {
    if (r->random.unit() < 0.5f)
      return false;
    r->weight *= 2.0f;
  }
  return true;
}

// To what the ray hits next. Where there is light its path ends: false. `which` isn't changed where
// nothing is hit.
template <typename Scene>
LIN_FUNCTION bool meets(lin_input in, ray *r, unsigned *which, unsigned *material, float *light) {
  float t = nearest<Scene>(in, r->at, r->d, which);
  if (t > 1e8f) {
    *light += r->weight * (0.4f + 0.3f * r->d.y);
    return false;
  }
  r->at = r->at + t * r->d;
  *material = Scene::material(*which, r->at);
  if (*material == LAMP) {
    *light += 4.0f * r->weight;
    return false;
  }
  return true;
}

// A thread's work: its light. At `point(material)` threads may change places.
template <typename Scene, typename Point>
LIN_FUNCTION unsigned traced(lin_input in, unsigned thread, unsigned rounds, Point point) {
  float light = 0.0f;
  ray r;
  r.random = {lin_mix(thread + 1)};
#pragma unroll 1
  for (unsigned path = 0; path < rounds; path++) {
    begin(&r, thread);
#pragma unroll 1
    for (unsigned bounce = 0; bounce < BOUNCES; bounce++) {
      unsigned which = 0, material = 0;
      if (!meets<Scene>(in, &r, &which, &material, &light))
        break;
      point(material);
      if (!Scene::scatter(in, which, material, &r))
        break;
    }
  }
  return lin_bits(light);
}

#endif
