// Arms by the index alone, of floats: what PTX rounds as it likes stays assembly.
__device__ __forceinline__ float f(float x, int n) {
#pragma unroll 1
  for (int i = 0; i < n; i++) x = x * 1.6645f + (x / 9.f) + __expf(x);
  return x;
}
extern "C" __global__ void parts(const float *in, float *out) {
  __shared__ float s[256], r[256];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  if (t % 4 == 0) r[t] = f(s[t], 40);
  else if (t % 4 == 1) r[t] = f(s[t] * 5, 41) + 3;
  else r[t] = s[t] * 3;
  __syncthreads();
  out[blockIdx.x * 256 + t] = r[255 - t];
}
