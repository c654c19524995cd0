// What the transports of neutrons share: a lattice of rods in water, and how a neutron flies from
// collision to collision until it is captured or leaves. What a flight meets is the physics':
//
//     struct physics {
//       using energy = ...;
//       static energy born();                     a neutron's, as it is born
//       static void look_up(lin_input in, unsigned material, energy e, float *rate,
//                           unsigned *capture, unsigned *fission);
//                                   how often per unit of way a neutron collides, and the shares of
//                                   collisions, in 1/256, that capture it or split the nucleus; the
//                                   rest scatter
//       static energy slowed(unsigned material, energy e, lin_random *random);    as it scatters
//     };
#ifndef BENCH_THREADS_TRANSPORT_CUH
#define BENCH_THREADS_TRANSPORT_CUH

#include "thread.cuh"

enum { WATER, FUEL, CONTROL, CLAD, STACK = 8 };

LIN_FUNCTION unsigned material_at(float x, float y) {
  float u = x - (float)(int)x - 0.5f, v = y - (float)(int)y - 0.5f;
  float r = u * u + v * v;
  unsigned cell = (unsigned)x + 3 * (unsigned)y;
  if (r > 0.16f)
    return WATER;
  if (r > 0.13f)
    return CLAD;
  return cell % 7 == 0 ? CONTROL : FUEL;
}

struct neutron {
  float x, y;
  lin_random random;
};

// What became of a particle and those born of it.
struct tallies {
  float sum;
  unsigned captured, left, split;

  __host__ __device__ unsigned word() const {
    return lin_bits(sum) ^ captured << 20 ^ left << 10 ^ split;
  }
};

LIN_FUNCTION void begin(neutron *n) {
  n->x = 4.0f * n->random.unit();
  n->y = 4.0f * n->random.unit();
}

// One flight, in what is at the neutron's place. Whether it goes on; `splits`: others are born here.
template <typename Physics>
LIN_FUNCTION bool flies(lin_input in, unsigned material, neutron *n, typename Physics::energy *e,
                        tallies *t, bool *splits) {
  unsigned capture, fission;
  float rate;
  *splits = false;
  Physics::look_up(in, material, *e, &rate, &capture, &fission);
  float way = -lin_log(n->random.unit() + 1e-6f) / rate, turn = n->random.unit();
  // Materials are small: a flight ends at 0.3 at the latest, in another one perhaps.
  float step = lin_min(way, 0.3f);
  n->x += step * lin_cos_turn(turn);
  n->y += step * lin_sin_turn(turn);
  if (n->x < 0.0f || n->y < 0.0f || n->x >= 4.0f || n->y >= 4.0f) {
    t->left++;
    return false;
  }
  if (way > 0.3f)
    return true;
  unsigned chance = n->random.below(256);
  if (chance < capture) {
    t->captured++;
    t->sum += rate;
    return false;
  }
  if (chance < capture + fission) {
    t->split++;
    *splits = true;
    return false;
  }
  *e = Physics::slowed(material, *e, &n->random);
  t->sum += 0.01f * rate;
  return true;
}

// A thread's work. At `point(material, energy)` threads may change places.
template <typename Physics, typename Point>
LIN_FUNCTION unsigned transported(lin_input in, unsigned thread, unsigned rounds, Point point) {
  neutron n;
  n.random = {lin_mix(thread + 77)};
  float xs[STACK], ys[STACK]; // of neutrons that were born on the way and wait
  typename Physics::energy energies[STACK];
  tallies t = {};
#pragma unroll 1
  for (unsigned particle = 0; particle < rounds; particle++) {
    unsigned depth = 1, generation = 0;
    begin(&n);
    xs[0] = n.x;
    ys[0] = n.y;
    energies[0] = Physics::born();
    while (depth > 0) {
      depth--;
      n.x = xs[depth], n.y = ys[depth];
      typename Physics::energy e = energies[depth];
      bool goesOn, splits;
      do {
        unsigned material = material_at(n.x, n.y);
        point(material, e);
        goesOn = flies<Physics>(in, material, &n, &e, &t, &splits);
        if (splits && ++generation < 4)
          for (unsigned more = 0; more < 2 && depth < STACK; more++) {
            xs[depth] = n.x;
            ys[depth] = n.y;
            energies[depth++] = Physics::born();
          }
      } while (goesOn);
    }
  }
  return t.word();
}

#endif
