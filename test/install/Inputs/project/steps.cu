// A kernel with a short circuit whose arms are shared, and its launch.
extern "C" __global__ void steps_kernel(const unsigned *start, unsigned *steps, unsigned count) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count)
    return;
  unsigned x = start[thread], taken = 0;
  for (; x > 1 && taken < 1000; taken++) {
    if ((start[x % count] & 1 || steps[x % count] > x) && start[taken % count] % x > 2)
      x = (3 * x + 1) / (start[taken % count] + 1) % 1001 * start[x % count];
    else
      x = x / (2 + steps[taken % count]) + steps[x / 7 % count] / (start[x % count] | 1);
  }
  steps[thread] = taken;
}

int count_steps(const unsigned *start, unsigned *steps, unsigned count) {
  unsigned *device_start, *device_steps, size = count * sizeof(unsigned);
  if (cudaMalloc((void **)&device_start, size) || cudaMalloc((void **)&device_steps, size) ||
      cudaMemset(device_steps, 0, size) ||
      cudaMemcpy(device_start, start, size, cudaMemcpyHostToDevice))
    return 1;
  steps_kernel<<<1, 32>>>(device_start, device_steps, count);
  return cudaMemcpy(steps, device_steps, size, cudaMemcpyDeviceToHost);
}
