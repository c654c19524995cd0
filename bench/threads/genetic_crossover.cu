// A genetic algorithm's new generation, as gafort makes it: a thread makes one child. Two parents
// win tournaments among chance comers; by chance there is no crossover, one at a single point, or
// one that deals each parameter by itself; creeping and jumping mutations follow; then the child's
// fitness is computed, for which a child in a bad region is repaired step by step. `rounds` is the
// number of parameters, at most 16.
//
// Takes any order of threads.
#include "thread.cuh"

enum { POPULATION = 4096, MOST = 16 };

// Of one parent; better ones have smaller numbers.
LIN_FUNCTION float gene(lin_input in, unsigned parent, unsigned i) {
  return lin_unit(in[parent * MOST + i]);
}

LIN_FUNCTION unsigned tournament(lin_input in, lin_random *random) {
  unsigned best = random->below(POPULATION), rivals = 2 + random->below(4);
  float least = gene(in, best, 0) + gene(in, best, 1);
#pragma unroll 1
  for (unsigned i = 1; i < rivals; i++) {
    unsigned other = random->below(POPULATION);
    float value = gene(in, other, 0) + gene(in, other, 1);
    if (value < least)
      least = value, best = other;
  }
  return best;
}

APPLICATION(genetic_crossover) {
  unsigned parameters = rounds < MOST ? rounds : MOST;
  lin_random random = {lin_mix(thread + 5)};
  unsigned mother = tournament(in, &random), father = tournament(in, &random);
  float child[MOST] = {};
  unsigned chance = random.below(100);
  if (chance < 30 || mother == father) {
    for (unsigned i = 0; i < parameters; i++)
      child[i] = gene(in, mother, i);
  } else if (chance < 70) {
    unsigned cut = random.below(parameters);
    for (unsigned i = 0; i < parameters; i++)
      child[i] = gene(in, i < cut ? mother : father, i);
  } else {
#pragma unroll 1
    for (unsigned i = 0; i < parameters; i++) {
      float u = random.unit();
      // Simulated binary crossover: near the parents, by a root that Newton finds.
      float root = 1.0f, wanted = u < 0.5f ? 2.0f * u : 0.5f / (1.0f - u);
#pragma unroll 1
      for (unsigned step = 0; step < 20; step++) {
        float next = root - (root * root * root - wanted) / (3.0f * root * root);
        bool done = lin_abs(next - root) < 1e-4f;
        root = next;
        if (done)
          break;
      }
      float a = gene(in, mother, i), b = gene(in, father, i);
      child[i] = 0.5f * ((1.0f + root) * a + (1.0f - root) * b);
    }
  }
#pragma unroll 1
  for (unsigned i = 0; i < parameters; i++) {
    unsigned luck = random.below(64);
    if (luck == 0)
      child[i] = random.unit();
    else if (luck < 5)
      child[i] += 0.02f * (random.unit() - 0.5f);
  }
  // Rastrigin's function; parameters that left 0 to 1 come back first.
  float fitness = 0.0f;
#pragma unroll 1
  for (unsigned i = 0; i < parameters; i++) {
    unsigned repairs = 0;
    while ((child[i] < 0.0f || child[i] > 1.0f) && repairs++ < 20)
      child[i] = 0.5f + 0.8f * (child[i] - 0.5f);
    float x = child[i] < 0.0f || child[i] > 1.0f ? 0.5f : child[i];
    float turn = 4.0f * x;
    fitness += x * x + 1.0f - lin_cos_turn(turn - (float)(int)turn);
  }
  return lin_bits(fitness);
}
