// A front end without a compiler: a graph whose blocks have made-up instructions, which a seed
// decides. It answers all that front/front.h asks, so that what the core decides by the answers can
// be tested by the million; and it shows how little a second front end has to know.
#ifndef LIN_TEST_MADE_UP_H
#define LIN_TEST_MADE_UP_H

#include "front/front.h"

typedef struct made_up {
  lin_front front;
  const lin_graph *graph;
  uint64_t seed;
} made_up;

// Answers for `graph`, which has to stay, through `result->front`.
void made_up_front(made_up *result, const lin_graph *graph, uint64_t seed);

// A number that `seed` and the other three decide.
uint64_t made_up_number(uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

#endif
