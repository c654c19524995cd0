// linearize/threads.h from C++, with liblinearize-threads alone.
#include "linearize/threads.h"

#include <cstdio>
#include <vector>

int main() {
  std::vector<uint32_t> vectors(64), order(64);
  for (uint32_t thread = 0; thread < 64; thread++)
    vectors[thread] = thread % 2;
  const uint32_t branch_of = UINT32_MAX;
  const double latency = 10;
  bool good = linearize_regroup(LINEARIZE_GREEDY_MAX, vectors.data(), 64, 1, &latency, 32,
                                order.data()) == 0 &&
              linearize_bbv_weighted(vectors.data(), 64, 1, &latency, nullptr, 64, 2) == 10 &&
              linearize_bbv_weighted(vectors.data(), 64, 1, &latency, order.data(), 64, 2) == 5 &&
              linearize_bbv_weighted_scheduled(vectors.data(), 64, 1, &latency, order.data(), 32, 2,
                                               1) == 10 &&
              linearize_divergent_warps(vectors.data(), 64, 1, order.data(), 32) == 0 &&
              linearize_divergent_branches(vectors.data(), 64, 1, &branch_of, nullptr, 32) == 0;
  std::puts(good ? "good" : "wrong");
  return good ? 0 : 1;
}
