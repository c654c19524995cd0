// A program as nvcc builds it, for the command that rebuilds nothing: random walks of different
// lengths, whose steps draw until one is allowed, and a classification by a short circuit.
//
//     nvcc -O3 -arch=sm_90 -lineinfo -o build/walkers bench/device/walkers.cu
//     build/bin/linearize profile build/walkers
//     build/bin/linearize tune build/walkers
//     build/bin/linearize build/walkers [THREADS [LAUNCHES [ROUNDS]]]
//
// Prints the best time of each kernel. Every result is compared with the CPU's; status 1 if one
// differs.
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int box = 200, most_steps = 400;

__host__ __device__ static unsigned draw(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

// One of eight directions, of which two are walls.
__host__ __device__ static unsigned direction(unsigned &state) {
  unsigned d;
  do
    d = draw(state) & 7;
  while (d == 7 || d == 5);
  return d;
}

__host__ __device__ static unsigned walks(int walker, int rounds) {
  unsigned state = 2463534242u ^ (walker * 2654435761u), total = 0;
  for (int round = 0; round < rounds; round++) {
    int x = 0, y = 0, steps = 0;
    while (x * x + y * y < box && steps < most_steps) {
      const unsigned d = direction(state);
      (d & 1 ? x : y) += d & 2 ? 1 : -1;
      steps++;
    }
    total = total * 31 + steps;
  }
  return total;
}

__host__ __device__ static unsigned classified(unsigned value) {
  unsigned hash = value;
  if ((value & 1) && ((value & 6) == 2 || (value & 24) == 8))
    for (int k = 0; k < 40; k++)
      hash = hash * 1664525u + 1013904223u + (hash >> 16);
  else
    for (int k = 0; k < 40; k++)
      hash = (hash << 5 ^ hash >> 3) + k;
  return hash;
}

__global__ void walk(unsigned *out, int count, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = walks(i, rounds);
}

__global__ void classify(const unsigned *in, unsigned *out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = classified(in[i]);
}

static void require(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "walkers: %s\n", cudaGetErrorString(error));
  exit(1);
}

static float stop(cudaEvent_t start, cudaEvent_t end) {
  float time;
  require(cudaGetLastError());
  require(cudaEventRecord(end));
  require(cudaEventSynchronize(end));
  require(cudaEventElapsedTime(&time, start, end));
  return time;
}

int main(int argc, char **argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1 << 18, launches = argc > 2 ? atoi(argv[2]) : 40;
  const int rounds = argc > 3 ? atoi(argv[3]) : 4;
  unsigned *walked, *result;
  cudaEvent_t start, end;
  require(cudaMalloc(&walked, count * sizeof *walked));
  require(cudaMalloc(&result, count * sizeof *result));
  require(cudaEventCreate(&start));
  require(cudaEventCreate(&end));
  float best[] = {1e9f, 1e9f};
  for (int launch = 0; launch < launches; launch++) {
    require(cudaEventRecord(start));
    walk<<<(count + 127) / 128, 128>>>(walked, count, rounds);
    float time = stop(start, end);
    best[0] = time < best[0] ? time : best[0];
    require(cudaEventRecord(start));
    classify<<<(count + 127) / 128, 128>>>(walked, result, count);
    time = stop(start, end);
    best[1] = time < best[1] ? time : best[1];
  }
  std::vector<unsigned> found(count);
  require(cudaMemcpy(found.data(), result, count * sizeof *result, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < count; i++)
    wrong += found[i] != classified(walks(i, rounds));
  printf("walk %.3f ms, classify %.3f ms, %d of %d results wrong\n", best[0], best[1], wrong,
         count);
  return wrong > 0;
}
