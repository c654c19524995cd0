// Monte Carlo photon transport through voxels, after the paper's mcx: a thread launches photons
// into a volume of tissues, and follows each from voxel to voxel until it is absorbed, leaves or is
// lost.
//
// Unstructured: the photon's life is one loop with many ends. Leaving the volume, entering a void,
// dying in Russian roulette and running out of steps or of time reach "detected" or "lost", two
// shared endings; a boundary is crossed or reflects, total reflection joining the mirror code; the
// scattering after a full free path and after a fluorescent event is the same code.
//
//     launch ─▶ path ─▶ voxel ─▶ boundary? ─▶ inside? ─▶ mismatch? ─▶ refract ─▶ voxel
//       ▲         ▲       ▲         │           │ no        └▶ reflect ◀─┘ │
//       │         └scatter└─────────┼───────────┼──────────────────┴───────┘
//       └── next photon ◀── lost ◀──┴─▶ detected┘   roulette: lost, or on
#include "linearize_device.h"

enum { SIDE = 32 };

struct photon {
  float x, y, z;    // position, in voxels
  float dx, dy, dz; // direction, a unit vector
  float weight, time;
};

// A tissue is a word of the input: absorption, scattering, anisotropy and refractive index.
struct tissue {
  float absorption, scattering, anisotropy, index;
};

LIN_FUNCTION tissue tissue_of(lin_input in, unsigned label) {
  unsigned word = in[label];
  return {0.005f + 0.2f * lin_unit(word << 24), 0.2f + 4.0f * lin_unit(word << 16),
          0.5f + 0.45f * lin_unit(word << 8), 1.0f + 0.25f * (float)(word >> 30)};
}

// The voxel's tissue: 0 is void, 15 the detector's fibre.
LIN_FUNCTION unsigned label_at(lin_input in, int x, int y, int z) {
  unsigned voxel = ((unsigned)z * SIDE + (unsigned)y) * SIDE + (unsigned)x;
  return in[voxel >> 3] >> (voxel & 7) * 4 & 15;
}

LIN_FUNCTION float random_unit(unsigned *state) {
  unsigned s = *state;
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  *state = s;
  return lin_unit(s);
}

LIN_FUNCTION void rotate(photon *p, float cosine, float turn) {
  float sine = lin_sqrt(lin_max(0.0f, 1.0f - cosine * cosine));
  float c = lin_cos_turn(turn) * sine, s = lin_sin_turn(turn) * sine;
  if (p->dz > 0.9999f || p->dz < -0.9999f) {
    p->dx = c;
    p->dy = s;
    p->dz = p->dz > 0 ? cosine : -cosine;
    return;
  }
  float side = lin_sqrt(1.0f - p->dz * p->dz), inverse = 1.0f / side;
  float dx = p->dx, dy = p->dy, dz = p->dz;
  p->dx = (dx * dz * c - dy * s) * inverse + dx * cosine;
  p->dy = (dy * dz * c + dx * s) * inverse + dy * cosine;
  p->dz = -c * side + dz * cosine;
  float length = 1.0f / lin_sqrt(p->dx * p->dx + p->dy * p->dy + p->dz * p->dz);
  p->dx *= length;
  p->dy *= length;
  p->dz *= length;
}

// How far to the next face of the voxel along one axis.
LIN_FUNCTION float to_face(float position, int voxel, float direction) {
  if (direction > 1e-6f)
    return ((float)(voxel + 1) - position) / direction;
  if (direction < -1e-6f)
    return ((float)voxel - position) / direction;
  return 1e6f;
}

KERNEL_BODY(mcx) {
  unsigned state = lin_mix(thread + 1) | 1, escaped = 0, checksum = 0;
  float deposited = 0.0f, detected = 0.0f;

#pragma unroll 1
  for (unsigned launched = 0; launched < rounds; launched++) {
    photon p = {SIDE / 2 + random_unit(&state),
                SIDE / 2 + random_unit(&state),
                0.01f,
                0.0f,
                0.0f,
                1.0f,
                1.0f,
                0.0f};
    int x = (int)p.x, y = (int)p.y, z = 0, axis, inward;
    float path, fraction;
    unsigned label = label_at(in, x, y, z), fluorescences = 0;
    tissue here = tissue_of(in, label), there;

    // The source: a pencil, a cone, a Gaussian beam, or all directions; one over a void is a cone.
    switch (in[launched + (thread >> 3)] & 3) {
    case 0:
      if (label != 0)
        break;
      // fall through
    case 1:
      rotate(&p, 0.8f + 0.2f * random_unit(&state), random_unit(&state));
      break;
    case 2: {
      float radius = 2.0f * lin_sqrt(-lin_log(random_unit(&state) + 1e-7f)),
            turn = random_unit(&state);
      float bx = p.x + radius * lin_cos_turn(turn), by = p.y + radius * lin_sin_turn(turn);
      if (bx < 1 || by < 1 || bx > SIDE - 1 || by > SIDE - 1)
        goto lost;
      p.x = bx;
      p.y = by;
      x = (int)bx;
      y = (int)by;
      label = label_at(in, x, y, z);
      here = tissue_of(in, label);
      if (label == 0 && (in[launched] & 1))
        goto lost;
      break;
    }
    default:
      p.dz = 1.0f - 2.0f * random_unit(&state);
      p.dx = lin_sqrt(lin_max(0.0f, 1.0f - p.dz * p.dz));
      if (p.dz < 0)
        goto caught;
      p.weight = 0.5f;
    }

    path = -lin_log(random_unit(&state) + 1e-7f);
#pragma unroll 1
    for (unsigned step = 0; step < 96; step++) {
      float fx = to_face(p.x, x, p.dx), fy = to_face(p.y, y, p.dy), fz = to_face(p.z, z, p.dz);
      float face = lin_max(lin_min(fx, lin_min(fy, fz)), 1e-4f);
      axis = face >= fx ? 0 : face >= fy ? 1 : 2;
      float free = label == 0 ? 1e6f : path / here.scattering;
      float moved = lin_min(face, free);

      p.x += p.dx * moved;
      p.y += p.dy * moved;
      p.z += p.dz * moved;
      p.time += moved * here.index;
      if (label != 0) {
        float before = p.weight;
        p.weight *= lin_exp(-here.absorption * moved);
        deposited += before - p.weight;
        path -= moved * here.scattering;
      }
      if (p.time > 200.0f)
        goto lost;

      if (free <= face) {
        // The free path ends inside the voxel: some tissues glow, and scatter to all sides.
        if ((in[label + 16] & 7) == 1 && fluorescences < 3 && random_unit(&state) < 0.3f) {
          fluorescences++;
          here.anisotropy = 0.0f;
          p.weight *= 0.7f;
          goto scatter;
        }
        if (p.weight < 0.1f) {
          if (random_unit(&state) > 0.1f)
            goto lost;
          p.weight *= 10.0f;
        }
      scatter:
        float xi = random_unit(&state), g = here.anisotropy, cosine;
        if (g > 0.01f) {
          float t = (1.0f - g * g) / (1.0f - g + 2.0f * g * xi);
          cosine = (1.0f + g * g - t * t) / (2.0f * g);
          cosine = lin_max(-1.0f, lin_min(1.0f, cosine));
        } else {
          cosine = 2.0f * xi - 1.0f;
        }
        rotate(&p, cosine, random_unit(&state));
        path = -lin_log(random_unit(&state) + 1e-7f);
        continue;
      }

      // Through a face. The volume's top is open, its sides are black, its bottom is a mirror.
      int nx = x, ny = y, nz = z;
      inward = 1;
      if (axis == 0)
        nx += p.dx > 0 ? 1 : -1;
      else if (axis == 1)
        ny += p.dy > 0 ? 1 : -1;
      else
        nz += p.dz > 0 ? 1 : -1;
      unsigned next;
      if (nx < 0 || ny < 0 || nx >= SIDE || ny >= SIDE)
        goto lost;
      if (nz < 0) {
        if (label == 15 || (in[(unsigned)(x + y * SIDE)] & 3) == 0)
          goto caught;
        next = 0;
        inward = 0;
      } else if (nz >= SIDE) {
        goto reflect;
      } else {
        next = label_at(in, nx, ny, nz);
      }

      there = tissue_of(in, next);
      if (next == 0)
        there.index = 1.0f;
      if (next == 15 && inward && p.dz < 0)
        goto caught;
      if (next != label && there.index != here.index) {
        // Fresnel, unpolarised; beyond the critical angle everything comes back.
        float cosine = lin_abs(axis == 0 ? p.dx : axis == 1 ? p.dy : p.dz);
        float ratio = here.index / there.index;
        float sine2 = ratio * ratio * (1.0f - cosine * cosine);
        if (sine2 >= 1.0f)
          goto reflect;
        float through = lin_sqrt(1.0f - sine2);
        float a = (here.index * cosine - there.index * through) /
                  (here.index * cosine + there.index * through);
        float b = (here.index * through - there.index * cosine) /
                  (here.index * through + there.index * cosine);
        fraction = 0.5f * (a * a + b * b);
        if (random_unit(&state) < fraction)
          goto reflect;
        p.dx = axis == 0 ? (p.dx > 0 ? through : -through) : p.dx * ratio;
        p.dy = axis == 1 ? (p.dy > 0 ? through : -through) : p.dy * ratio;
        p.dz = axis == 2 ? (p.dz > 0 ? through : -through) : p.dz * ratio;
      }
      if (!inward) {
        if (p.weight > 0.3f && (in[step] & 1))
          goto caught;
        escaped++;
        goto lost;
      }
      x = nx;
      y = ny;
      z = nz;
      if (next != label) {
        label = next;
        here = there;
        if (label == 0 && p.weight < 0.02f)
          goto lost;
      }
      continue;

    reflect:
      if (axis == 0)
        p.dx = -p.dx;
      else if (axis == 1)
        p.dy = -p.dy;
      else
        p.dz = -p.dz;
      if (p.weight < 1e-4f && random_unit(&state) < 0.5f)
        goto lost;
    }
    checksum += in[launched];
    goto lost;

  caught:
    detected += 0.01f * p.weight;
    checksum = lin_mix(checksum ^ in[(unsigned)(x * SIDE + y)]);
    // The first fibre that the photon meets within its aperture keeps it.
#pragma unroll
    for (unsigned fibre = 0; fibre < 4; fibre++) {
      float offx = p.x - SIDE * lin_unit(in[fibre]), offy = p.y - SIDE * lin_unit(in[fibre + 4]);
      float square = offx * offx + offy * offy;
      if (square > 16.0f || p.dz * p.dz < 0.1f + 0.01f * square)
        continue;
      float gate = p.time < 40.0f ? p.weight : p.weight * lin_exp(-0.02f * (p.time - 40.0f));
      if (gate < 0.02f && (in[fibre + 8] & 1))
        goto lost;
      detected += gate;
      checksum += in[fibre + (unsigned)p.time];
      break;
    }
    if (p.time < 40.0f)
      checksum += lin_bits(p.time);
  lost:
    checksum ^= in[checksum + label];
  }
  return checksum ^ lin_bits(deposited) ^ lin_bits(detected) * 3 ^ escaped;
}
