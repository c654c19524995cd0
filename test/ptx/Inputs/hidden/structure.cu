// A double sine calls __internal_trig_reduction_slowpathd, which returns a structure: the call stays assembly.
extern "C" __global__ void waves(const double *in, const int *c, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i];
  for (int k = 0; k < n; k++) {
    const int *at = c + ((i * 7 + k * 31) & 1020);
    if ((at[0] & 1 || at[1] & 2) && at[2] & 4)
      x = sin(x * 3) + cos(x) * 0.5;
    else
      x = x * 0.75 + 0.125;
  }
  out[i] = x;
}
