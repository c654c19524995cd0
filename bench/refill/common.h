// What the programs of this folder share: data from a generator, a checksum, times by events.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t status = (call);                                                                   \
    if (status != cudaSuccess) {                                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));              \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static inline unsigned long long next_random(unsigned long long &state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

// Sorted runs of `length` keys each, one behind the other.
static inline std::vector<unsigned> sorted_runs(int n, int length) {
  unsigned long long state = 88172645463325252ull;
  std::vector<unsigned> keys(n);
  for (int i = 0; i < n; i++)
    keys[i] = (i % length ? keys[i - 1] : 0) + (unsigned)(next_random(state) & 0xffff);
  return keys;
}

template <class T> T *on_gpu(const std::vector<T> &data) {
  T *made;
  CHECK(cudaMalloc(&made, data.size() * sizeof(T)));
  CHECK(cudaMemcpy(made, data.data(), data.size() * sizeof(T), cudaMemcpyHostToDevice));
  return made;
}

template <class T> unsigned long long checksum(const T *on_gpu, size_t count) {
  std::vector<T> data(count);
  CHECK(cudaMemcpy(data.data(), on_gpu, count * sizeof(T), cudaMemcpyDeviceToHost));
  unsigned long long sum = 1469598103934665603ull;
  const unsigned char *bytes = (const unsigned char *)data.data();
  for (size_t i = 0; i < count * sizeof(T); i++)
    sum = (sum ^ bytes[i]) * 1099511628211ull;
  return sum;
}

// Launches `launch` so often, and prints the median time of one, and the checksum.
template <class T, class F>
void report(const char *name, const T *out, size_t count, int launches, F launch) {
  cudaEvent_t from, to;
  CHECK(cudaEventCreate(&from));
  CHECK(cudaEventCreate(&to));
  std::vector<float> times;
  for (int i = 0; i < launches; i++) {
    CHECK(cudaEventRecord(from));
    launch();
    CHECK(cudaEventRecord(to));
    CHECK(cudaEventSynchronize(to));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, from, to));
    times.push_back(ms);
  }
  std::vector<float> last(times.end() - times.size() / 4 - 1, times.end());
  for (size_t i = 0; i < last.size(); i++)
    for (size_t j = i + 1; j < last.size(); j++)
      if (last[j] < last[i])
        std::swap(last[i], last[j]);
  printf("%-12s %10zu items  first %9.3f ms  last %9.3f ms  %016llx\n", name, count, times[0],
         last[last.size() / 2], checksum(out, count));
}
