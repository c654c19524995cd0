// Graphs of the unit tests, linearized.
#ifndef LIN_TEST_LINEARIZED_H
#define LIN_TEST_LINEARIZED_H

#include "graphs.h"

#include "driver/pipeline.h"

// A short circuit: {B2, B3, B4, B5} is its region.
#define SHORT_CIRCUIT(b3, b4, b5) "function f\nB1: B3 B2\nB2: B3 B5\n" b3 b4 b5 "B6: return\n"

static inline lin_result linearize(const char *text, lin_policy policy, int level) {
  lin_options options = {.policy = policy, .level = level};
  lin_result result;
  EXPECT(lin_ok(lin_linearize(&arena, parse(text), &options, &result)));
  return result;
}

#endif
