// Photons through voxels as production code has them: the paper's mcx in its real size. One loop
// moves a photon by a step, to the next voxel or to where it scatters; whatever ends a photon, of
// six places, ends it by the same long function, which launches the next one into the same loop.
//
//     launch ──▶ scatter? ──▶ step ──▶ deposit? ──▶ ended? ──▶ roulette? ──▶ boundary? ─┐
//                   ▲                                 │ launch    │ launch     │ launch │
//                   └─────────────────────────────────┴───────────┴────────────┴────────┘
//
// What makes it hard: settings that no compiler knows, each a uniform branch; the reciprocal of the
// direction, which is infinite along an axis, so that 0 times infinity is a NaN that minima drop
// and comparisons refuse; a search for the way back into the volume; sums in shared memory, and
// atomic ones in global memory.
#include "linearize_device.h"

#ifndef PENCIL
#define PENCIL 0
#endif
#ifndef REFLECT
#define REFLECT 1
#endif

enum { SIDE = 24, MEDIA = 4, DETECTORS = 4, GATES = 4, SUMS = 8, THREADS = 128, RECORDS = 64 };
enum { OUTSIDE_BELOW = -1, OUTSIDE_ABOVE = -2, DETECTOR = 0x100, LABEL = 0xff };
enum boundary { BY_SETTING, BLACK, FRESNEL, MIRROR, CYCLIC };
enum source { BEAM, DISK, RING, SPHERE, CONE, LINE, SLIT };

struct settings {
  float start, end, gates_per_time, slowness, least_weight;
  float place[3], ahead[3], spread[4], focus;
  int source, photons, odd, most_steps_outside;
  bool reflects, saves, saves_paths, saves_momentum, counts_outside, specular, is_atomic, traces;
  unsigned char sides[6], watched[6];
  unsigned isotropic_after, phases, angles;
};

struct medium {
  float absorption, scattering, anisotropy, index;
};

struct detector {
  float x, y, z, radius;
};

__constant__ settings setup = {0.0f,
                               90.0f,
                               GATES / 90.0f,
                               0.8f,
                               0.05f,
                               {12.0f, 12.0f, 0.0f},
                               {0.0f, 0.0f, 1.0f},
                               {2.5f, 0.5f, 1.0f, 0.25f},
                               0.0f,
                               PENCIL ? BEAM : CONE,
                               3,
                               700,
                               60,
                               true,
                               true,
                               true,
                               true,
                               true,
                               true,
                               true,
                               false,
                               {FRESNEL, FRESNEL, BY_SETTING, CYCLIC, MIRROR, BLACK},
                               {0, 1, 0, 0, 0, 1},
                               12,
                               0,
                               0};

__constant__ medium media[MEDIA] = {{0.0f, 0.0f, 1.0f, 1.0f},
                                    {0.02f, 1.0f, 0.3f, 1.37f},
                                    {0.05f, 2.0f, 0.8f, 1.37f},
                                    {0.01f, 0.4f, 0.0f, 1.5f}};

__constant__ detector detectors[DETECTORS] = {{12.0f, 8.0f, 0.0f, 3.0f},
                                              {20.0f, 12.0f, 0.0f, 4.0f},
                                              {0.0f, 12.0f, 12.0f, 5.0f},
                                              {24.0f, 12.0f, 12.0f, 6.0f}};

__device__ unsigned field[2 * GATES * SIDE * SIDE * SIDE];
__device__ unsigned detected[1];
__device__ float records[16 * RECORDS];
__device__ unsigned traced[1];
__device__ float traces[6 * 64];
__device__ volatile unsigned progress[1];
__shared__ float sums[THREADS * SUMS];

#ifdef LIN_HOST
LIN_FUNCTION unsigned atomicAdd(unsigned *at, unsigned value) {
  unsigned old = *at;
  *at += value;
  return old;
}
#endif

#define DEVICE static __host__ __device__ inline

struct vector {
  float x, y, z;
};

struct generator {
  unsigned long long a, b;
};

struct photon {
  vector at, ahead, inverse;
  float weight, first_weight, free, time, path;
  float scattered; // how often; not at all where it is tiny
  int done;
  short voxel[4]; // and the axis along which it leaves
  int index;
  unsigned label;
  medium in;
};

DEVICE float uniform(generator *g) {
  unsigned long long s = g->a, t = g->b;
  g->a = t;
  s ^= s << 23;
  g->b = s ^ t ^ s >> 18 ^ t >> 5;
  return lin_from_bits(0x3f800000u | (unsigned)(g->b + t) >> 9) - 1.0f;
}

DEVICE float exponential(generator *g) { return -lin_log(uniform(g) + 1e-7f); }

DEVICE int floored(float x) { return (int)x - ((float)(int)x > x); }

// The arc cosine of c in [-1, 1], as a fraction of a turn, to a thousandth.
DEVICE float arc_cosine(float c) {
  float a = lin_abs(c);
  float turn = lin_sqrt(1.0f - a) * (0.25f - 0.0337f * a + 0.0118f * a * a);
  return c < 0 ? 0.5f - turn : turn;
}

DEVICE void set_inverse(photon *p) {
  p->inverse = {1.0f / p->ahead.x, 1.0f / p->ahead.y, 1.0f / p->ahead.z};
}

DEVICE void normalize(vector *v) {
  float length = 1.0f / lin_sqrt(v->x * v->x + v->y * v->y + v->z * v->z);
  *v = {v->x * length, v->y * length, v->z * length};
}

DEVICE void rotate(vector *v, float sine, float cosine, float turn) {
  float s = lin_sin_turn(turn), c = lin_cos_turn(turn);
  if (v->z > -0.9999f && v->z < 0.9999f) {
    float rest = 1.0f - v->z * v->z, scale = sine / lin_sqrt(rest);
    *v = {scale * (v->x * v->z * c - v->y * s) + v->x * cosine,
          scale * (v->y * v->z * c + v->x * s) + v->y * cosine, v->z * cosine - scale * rest * c};
  } else {
    *v = {sine * c, sine * s, v->z > 0 ? cosine : -cosine};
  }
  normalize(v);
}

// How far it is to where the photon leaves its voxel. 0 times infinity is a NaN, which is no
// minimum.
DEVICE float to_face(photon *p) {
  float x = lin_abs(((float)p->voxel[0] + (float)(p->ahead.x > 0) - p->at.x) * p->inverse.x);
  float y = lin_abs(((float)p->voxel[1] + (float)(p->ahead.y > 0) - p->at.y) * p->inverse.y);
  float z = lin_abs(((float)p->voxel[2] + (float)(p->ahead.z > 0) - p->at.z) * p->inverse.z);
  float least = __builtin_fminf(__builtin_fminf(x, y), z);
  p->voxel[3] = least == x ? 0 : least == y ? 1 : 2;
  return least;
}

DEVICE bool is_inside(const short *voxel) {
  return (unsigned short)voxel[0] < SIDE && (unsigned short)voxel[1] < SIDE &&
         (unsigned short)voxel[2] < SIDE;
}

DEVICE int index_of(const short *voxel) { return (voxel[2] * SIDE + voxel[1]) * SIDE + voxel[0]; }

DEVICE void set_voxel(photon *p) {
  p->voxel[0] = (short)floored(p->at.x);
  p->voxel[1] = (short)floored(p->at.y);
  p->voxel[2] = (short)floored(p->at.z);
}

DEVICE unsigned label_at(lin_input in, int index) {
  unsigned word = in[(unsigned)index >> 3] >> (index & 7) * 4, label = word & 3;
  return label | (word & 12 ? 0 : DETECTOR);
}

// Of a ray from medium m into n by the face of an axis, what is reflected; 1: all of it.
DEVICE float reflected(const vector *v, float m, float n, int axis) {
  float cosine = lin_abs(axis == 0 ? v->x : axis == 1 ? v->y : v->z);
  float mm = m * m, nn = n * n, square = 1.0f - mm / nn * (1.0f - cosine * cosine);
  if (!(square > 0))
    return 1.0f;
  float through = lin_sqrt(square), both = 2.0f * m * n * cosine * through;
  float a = mm * cosine * cosine + nn * square, b = nn * cosine * cosine + mm * square;
  return 0.5f * ((a - both) / (a + both) + (b - both) / (b + both));
}

DEVICE void refract(vector *v, float m, float n, int axis) {
  float ratio = m / n;
  *v = {v->x * ratio, v->y * ratio, v->z * ratio};
  float *along = axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
  float rest = v->x * v->x + v->y * v->y + v->z * v->z - *along * *along;
  *along = rest < 1.0f ? lin_sqrt(1.0f - rest) * ((float)(*along > 0) - (float)(*along < 0)) : 0.0f;
  normalize(v);
}

DEVICE void trace(const photon *p, unsigned id) {
  unsigned place = atomicAdd(traced, 1);
  if (place >= 64)
    return;
  float *to = traces + 6 * place;
  to[0] = (float)id;
  to[1] = p->at.x;
  to[2] = p->at.y;
  to[3] = p->at.z;
  to[4] = p->weight;
}

DEVICE unsigned find_detector(const vector *at) {
  for (unsigned i = 0; i < DETECTORS; i++) {
    const detector *d = &detectors[i];
    float x = d->x - at->x, y = d->y - at->y, z = d->z - at->z;
    if (x * x + y * y + z * z < d->radius * d->radius)
      return d->radius < 0 ? 0 : i + 1;
  }
  return 0;
}

DEVICE void record(const photon *p, const float *sum, unsigned thread, bool at_side) {
  int by = at_side ? -1 : (int)find_detector(&p->at);
  if (by == 0)
    return;
  atomicAdd(detected, 1);
  if (thread >= RECORDS)
    return;
  float *to = records + 16 * thread; // a place of its own, whoever comes first
  *to++ = (float)by;
  for (unsigned i = 0; i < SUMS - 2; i++)
    *to++ = sum[i];
  if (setup.saves_momentum) {
    *to++ = p->ahead.x;
    *to++ = p->ahead.y;
    *to++ = p->ahead.z;
  }
}

DEVICE void deposit(int index, float time, float weight) {
  int gate = (int)((time - setup.start) * setup.gates_per_time);
  gate = gate < GATES - 1 ? gate : GATES - 1;
  unsigned *at = &field[index + gate * SIDE * SIDE * SIDE];
  unsigned amount = (unsigned)(int)(weight * 4096.0f);
  if (!setup.is_atomic) {
    *at += amount;
    return;
  }
  unsigned old = atomicAdd(at, amount);
  if (old > 1u << 31) { // never, as it is
    atomicAdd(at, -(1u << 31));
    atomicAdd(at + GATES * SIDE * SIDE * SIDE, 1u);
  }
}

// A photon that starts outside goes on until it is in something. Its index, or -1.
DEVICE int enter(photon *p, lin_input in) {
  int steps = 1;
  set_voxel(p);
  while (true) {
    if (is_inside(p->voxel)) {
      int index = index_of(p->voxel);
      if (label_at(in, index) & LABEL) {
        // Back by a step, and in again by faces of voxels.
        p->at = {p->at.x - p->ahead.x, p->at.y - p->ahead.y, p->at.z - p->ahead.z};
        set_voxel(p);
        p->time -= setup.slowness;
        index = index_of(p->voxel);
        steps = 0;
        while (!is_inside(p->voxel) || !(label_at(in, index) & LABEL)) {
          float moved = to_face(p);
          p->time += setup.slowness * moved;
          p->at = {p->at.x + moved * p->ahead.x, p->at.y + moved * p->ahead.y,
                   p->at.z + moved * p->ahead.z};
          if (p->voxel[3] == 0)
            p->voxel[0] += p->ahead.x > 0 ? 1 : -1;
          if (p->voxel[3] == 1)
            p->voxel[1] += p->ahead.y > 0 ? 1 : -1;
          if (p->voxel[3] == 2)
            p->voxel[2] += p->ahead.z > 0 ? 1 : -1;
          index = index_of(p->voxel);
          if (steps++ > 3)
            break;
        }
        p->time = setup.counts_outside ? p->time : 0.0f;
        float n = media[label_at(in, index) & LABEL].index;
        if (setup.specular && n != media[0].index) {
          p->weight *= 1.0f - reflected(&p->ahead, media[0].index, n, p->voxel[3]);
          if (p->weight > 1e-6f)
            refract(&p->ahead, media[0].index, n, p->voxel[3]);
        }
        return index;
      }
    }
    if ((p->at.x < 0 && p->ahead.x <= 0) || (p->at.x >= SIDE && p->ahead.x >= 0) ||
        (p->at.y < 0 && p->ahead.y <= 0) || (p->at.y >= SIDE && p->ahead.y >= 0) ||
        (p->at.z < 0 && p->ahead.z <= 0) || (p->at.z >= SIDE && p->ahead.z >= 0))
      return -1;
    p->at = {p->at.x + p->ahead.x, p->at.y + p->ahead.y, p->at.z + p->ahead.z};
    set_voxel(p);
    p->time += setup.slowness;
    if (steps++ > setup.most_steps_outside)
      return -1;
  }
}

// Where a source that isn't a beam has its photon, and where that looks. Whether it can be focused.
DEVICE bool aim(photon *p, generator *g, lin_input in) {
  const float *spread = setup.spread;
  switch (setup.source) {
  case DISK:
  case RING: {
    float turn = uniform(g), radius;
    if (setup.source == RING && (spread[2] > 0 || spread[3] > 0))
      turn = lin_abs(spread[2] - spread[3]) * turn + lin_min(spread[2], spread[3]);
    if (spread[1] < 1e-5f)
      radius = lin_sqrt(0.5f * exponential(g)) * spread[0];
    else
      radius = lin_sqrt(uniform(g) * lin_abs(spread[0] * spread[0] - spread[1] * spread[1]) +
                        spread[1] * spread[1]);
    p->at.x += radius * lin_cos_turn(turn);
    p->at.y += radius * lin_sin_turn(turn);
    break;
  }
  case SPHERE:
  case CONE: {
    float turn = uniform(g), angle;
    if (setup.source == CONE)
      angle =
          spread[1] > 0
              ? uniform(g) * spread[3]
              : arc_cosine(uniform(g) * (1.0f - lin_cos_turn(spread[3])) + lin_cos_turn(spread[3]));
    else
      angle = arc_cosine(2.0f * uniform(g) - 1.0f);
    rotate(&p->ahead, lin_sin_turn(angle), lin_cos_turn(angle), turn);
    return false;
  }
  case LINE:
  case SLIT: {
    float along = uniform(g);
    p->at = {p->at.x + along * spread[0], p->at.y + along * spread[1], p->at.z + along * spread[2]};
    if (setup.source == LINE) {
      rotate(&p->ahead, 1.0f, 0.0f, uniform(g));
      return false;
    }
    break;
  }
  }
  set_voxel(p);
  p->index = is_inside(p->voxel) ? index_of(p->voxel) : OUTSIDE_BELOW;
  p->label = is_inside(p->voxel) ? label_at(in, p->index) : 0;
  return true;
}

// Ends a photon, if there is one, and launches the next. False: it was the thread's last.
LIN_FUNCTION bool launch(photon *p, generator *g, lin_input in, float *sum, unsigned thread,
                         bool watched, bool at_side, int photons) {
  if (p->weight >= 0) { // not the first one
    sum[SUMS - 2] += p->weight;
    if (setup.traces)
      trace(p, thread);
    if (p->label == 0 && p->index >= 0 && p->weight > 0)
      deposit(p->index, p->time, p->weight);
    if (setup.saves && (watched || at_side) && p->label == 0)
      record(p, sum, thread, at_side);
  }
  if (setup.saves)
    for (int i = 0; i < SUMS - 2; i++)
      sum[i] = 0;
  if (p->done >= photons - 1)
    return false;

  int tries = 0;
  do {
    p->at = {setup.place[0], setup.place[1], setup.place[2]};
    p->ahead = {setup.ahead[0], setup.ahead[1], setup.ahead[2]};
    p->free = p->path = p->time = 0.0f;
    p->weight = 1.0f;
    set_voxel(p);
    p->index = index_of(p->voxel);
    p->label = label_at(in, p->index);
    if (!PENCIL) {
      bool can_focus = aim(p, g, in);
      if (lin_abs(p->weight) <= setup.least_weight)
        continue;
      if (can_focus && setup.focus != 0) {
        float sign = setup.focus > 0 ? 1.0f : -1.0f;
        p->ahead = {sign * (setup.place[0] + setup.focus * p->ahead.x - p->at.x),
                    sign * (setup.place[1] + setup.focus * p->ahead.y - p->at.y),
                    sign * (setup.place[2] + setup.focus * p->ahead.z - p->at.z)};
        normalize(&p->ahead);
      }
    }
    set_inverse(p);
    if ((p->label & LABEL) == 0) {
      int index = enter(p, in);
      if (index >= 0) {
        p->index = index;
        p->label = label_at(in, index);
      }
    }
    set_voxel(p);
    if (++tries > setup.most_steps_outside)
      return false;
  } while ((p->label & LABEL) == 0 || lin_abs(p->weight) <= setup.least_weight);

  p->done++;
  p->in = media[p->label & LABEL];
  if (setup.traces)
    trace(p, thread);
  sum[SUMS - 1] += p->weight;
  p->first_weight = p->weight;
  p->scattered = 1e-6f;
  p->path = 0.0f;
  if ((p->done & 1) && (thread == 0 || thread == 64))
    progress[0] = progress[0] + 1;
  return true;
}

KERNEL_BODY(voxel_photons) {
  int photons = setup.photons + ((int)thread < setup.odd) + (int)(rounds >> 4);
  generator g = {(unsigned long long)lin_mix(thread) << 32 | lin_mix(thread + 77),
                 (unsigned long long)lin_mix(thread + 5) << 32 | lin_mix(thread ^ 1234567)};
  float *sum = sums + thread % THREADS * SUMS;
  for (int i = 0; i < SUMS; i++)
    sum[i] = 0;
  photon p = {};
  p.weight = -1.0f; // there is none
  p.done = -1;
  p.in = media[1];
  if (!launch(&p, &g, in, sum, thread, false, false, photons))
    return 0;
  set_inverse(&p);
  unsigned side = p.label & DETECTOR, steps = 0;
  p.label &= LABEL;

  while (p.done < photons) {
    steps++;
    if (p.free <= 0) {
      p.free = exponential(&g);
      if (p.scattered != 1e-6f) {
        float turn = uniform(&g), cosine, angle;
        float towards = p.scattered > (float)setup.isotropic_after ? 0.0f : p.in.anisotropy;
        if (setup.phases > 2) {
          float at = uniform(&g) * (float)(setup.phases - 1);
          cosine = lin_unit(in[(unsigned)at]) * (at - (float)(int)at);
          angle = arc_cosine(cosine);
        } else if (lin_abs(towards) > 1e-6f) {
          float t = (1.0f - towards * towards) / (1.0f - towards + 2.0f * towards * uniform(&g));
          cosine = (1.0f + towards * towards - t * t) / (2.0f * towards);
          cosine = lin_max(-1.0f, lin_min(1.0f, cosine));
          angle = arc_cosine(cosine);
        } else {
          cosine = 2.0f * uniform(&g) - 1.0f;
          angle = arc_cosine(cosine);
        }
        if (setup.saves) {
          if (setup.saves_momentum)
            sum[4] += 1.0f - cosine;
          sum[5] += 1.0f;
        }
        rotate(&p.ahead, lin_sin_turn(angle), cosine, turn);
        p.scattered += 1.0f;
        set_inverse(&p);
        if (setup.traces)
          trace(&p, thread);
      }
      p.scattered = (float)(int)p.scattered;
    }

    float before = p.in.index;
    p.in = media[p.label & LABEL];
    float moved = to_face(&p);
    float density =
        p.in.scattering *
        (p.scattered + 1.0f > (float)setup.isotropic_after ? 1.0f - p.in.anisotropy : 1.0f);
    float used = __builtin_fminf(moved * density, p.free);
    moved = p.in.scattering == 0 ? moved : used / density;
    p.at = {p.at.x + moved * p.ahead.x, p.at.y + moved * p.ahead.y, p.at.z + moved * p.ahead.z};
    if (p.voxel[3] == 0)
      p.voxel[0] += used == p.free ? 0 : p.ahead.x > 0 ? 1 : -1;
    if (p.voxel[3] == 1)
      p.voxel[1] += used == p.free ? 0 : p.ahead.y > 0 ? 1 : -1;
    if (p.voxel[3] == 2)
      p.voxel[2] += used == p.free ? 0 : p.ahead.z > 0 ? 1 : -1;
    p.weight *= lin_exp(-p.in.absorption * moved);
    p.free -= used;
    p.time += moved * p.in.index * setup.slowness;
    p.path += moved;
    if (setup.saves && setup.saves_paths)
      sum[(p.label & LABEL) & 3] += moved;

    unsigned label_before = p.label | (side & DETECTOR);
    int index_before = p.index;
    p.index = index_of(p.voxel);
    if (!is_inside(p.voxel)) {
      p.label = 0;
      p.index = p.voxel[0] < 0 || p.voxel[1] < 0 || p.voxel[2] < 0 ? OUTSIDE_BELOW : OUTSIDE_ABOVE;
      side = setup.sides[(p.index == OUTSIDE_ABOVE ? 3 : 0) + p.voxel[3]];
    } else {
      p.label = label_at(in, p.index);
      side = p.label & DETECTOR;
      p.label &= LABEL;
    }
    if (p.index != index_before && label_before != 0) {
      if (p.time >= setup.start && p.time < setup.end) {
        float weight = p.in.absorption < 1e-6f ? p.first_weight * p.path
                                               : (p.first_weight - p.weight) / p.in.absorption;
        if (lin_abs(weight) > 0)
          deposit(index_before, p.time, weight);
      }
      p.first_weight = p.weight;
      p.path = 0.0f;
    } else {
      p.label = label_before;
    }

    unsigned kind = side & 15;
    bool at_side = (p.index == OUTSIDE_ABOVE && setup.watched[3 + p.voxel[3]]) ||
                   (p.index == OUTSIDE_BELOW && setup.watched[p.voxel[3]]);
    if ((p.label == 0 &&
         ((!REFLECT || before == media[0].index) || (kind == BY_SETTING && !setup.reflects) ||
          kind == BLACK || kind == CYCLIC) &&
         kind != MIRROR) ||
        p.time > setup.end) {
      if (side == CYCLIC) {
        float by = p.index == OUTSIDE_BELOW ? SIDE - 0.0001f : 0.0001f - SIDE;
        if (p.voxel[3] == 0)
          p.at.x += by;
        if (p.voxel[3] == 1)
          p.at.y += by;
        if (p.voxel[3] == 2)
          p.at.z += by;
        set_voxel(&p);
        if (is_inside(p.voxel)) {
          p.index = index_of(p.voxel);
          p.label = label_at(in, p.index);
          side = p.label & DETECTOR;
          p.label &= LABEL;
          continue;
        }
      }
      if (!launch(&p, &g, in, sum, thread, label_before & DETECTOR, at_side, photons))
        break;
      side = p.label & DETECTOR;
      p.label &= LABEL;
      continue;
    }

    if (lin_abs(p.weight) < setup.least_weight) {
      if (uniform(&g) * 10.0f <= 1.0f)
        p.weight *= 10.0f;
      else {
        if (!launch(&p, &g, in, sum, thread, label_before & DETECTOR, false, photons))
          break;
        side = p.label & DETECTOR;
        p.label &= LABEL;
        continue;
      }
    }

    if (REFLECT) {
      p.in = media[p.label & LABEL];
      if (((p.label && setup.reflects) ||
           (p.label == 0 &&
            ((kind == BY_SETTING && setup.reflects) || kind == FRESNEL || kind == MIRROR))) &&
          (kind == MIRROR || before != p.in.index)) {
        float back = 1.0f;
        if (kind != MIRROR)
          back = reflected(&p.ahead, before, p.in.index, p.voxel[3]);
        if (setup.traces)
          trace(&p, thread);
        if (back < 1.0f && !(p.label == 0 && kind == MIRROR) && uniform(&g) > back) {
          refract(&p.ahead, before, p.in.index, p.voxel[3]);
          if (p.label == 0) {
            if (!launch(&p, &g, in, sum, thread, label_before & DETECTOR, at_side, photons))
              break;
            side = p.label & DETECTOR;
            p.label &= LABEL;
            continue;
          }
          set_inverse(&p);
        } else {
          p.ahead.x *= p.voxel[3] == 0 ? -1.0f : 1.0f;
          p.ahead.y *= p.voxel[3] == 1 ? -1.0f : 1.0f;
          p.ahead.z *= p.voxel[3] == 2 ? -1.0f : 1.0f;
          set_inverse(&p);
          if (p.voxel[3] == 0)
            p.at.x = (float)(int)(p.at.x + 0.5f) + (p.ahead.x > 0 ? 1e-4f : -1e-4f);
          else if (p.voxel[3] == 1)
            p.at.y = (float)(int)(p.at.y + 0.5f) + (p.ahead.y > 0 ? 1e-4f : -1e-4f);
          else
            p.at.z = (float)(int)(p.at.z + 0.5f) + (p.ahead.z > 0 ? 1e-4f : -1e-4f);
          set_voxel(&p);
          p.index = index_before;
          p.label = is_inside(p.voxel) ? label_at(in, p.index) & LABEL : 0;
          p.in = media[p.label & LABEL];
          before = p.in.index;
        }
      }
    }
    if (p.label == 0 || p.index < 0)
      return steps;
  }
  return lin_bits(sum[SUMS - 2]) ^ lin_mix(lin_bits(sum[SUMS - 1]) + steps) ^ lin_bits(p.time);
}
