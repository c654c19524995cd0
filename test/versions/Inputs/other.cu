// Another kernel of the name `walk`, without versions.
#include <cuda_runtime.h>
extern "C" __global__ void walk(unsigned *out, unsigned count) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < count)
    out[t] += 100;
}
int main() {}
