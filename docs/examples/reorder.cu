// docs/rearranged.md's kernel: each thread follows a particle through a stack of four materials until it is
// absorbed; what a collision does takes other code in each.
#include "linearize/reorder.h"
#include "linearize_device.h" // __global__, threadIdx and so on, where there is no toolkit

enum material { WATER, LEAD, STEEL, GLASS };

struct particle {
  float energy, depth;
  unsigned random;
};

static __device__ float chance(particle *p) {
  p->random = p->random * 1664525u + 1013904223u;
  return (float)(p->random >> 8) / 16777216.0f;
}

static __device__ unsigned material_at(float depth) { return (unsigned)(depth * 0.7f) & 3; }

static __device__ float scatter(particle *p, int steps, float loss) {
  float way = 0.0f;
#pragma unroll 1
  for (int i = 0; i < steps; i++) {
    float angle = chance(p);
    way += lin_cos_turn(angle) * 0.1f;
    p->energy *= 1.0f - loss * lin_sin_turn(0.5f * angle);
  }
  return way;
}

// Leaves the particle's last depth in `out`, and how often it collided.
extern "C" __global__ void absorb(unsigned seed, float *out, unsigned *collisions, unsigned count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  particle p = {1.0f, 0.0f, lin_mix(seed + i)};
  unsigned collided = 0;
  while (p.energy > 0.05f && collided < 100) {
    p.depth = lin_abs(p.depth + 3.0f * chance(&p) - 1.0f);
    unsigned material = material_at(p.depth);
    linearize_reorder(material, 2); // threads with equal materials stand side by side
    switch (material) {
    case WATER:
      p.depth += scatter(&p, 24, 0.02f);
      break;
    case LEAD:
      p.depth -= scatter(&p, 16, 0.06f);
      p.energy *= 0.8f;
      break;
    case STEEL:
      p.depth += scatter(&p, 20, 0.04f);
      break;
    default:
      p.depth -= scatter(&p, 12, 0.01f);
      p.energy -= 0.01f;
    }
    collided++;
  }
  out[i] = p.depth;
  collisions[i] = collided;
}
