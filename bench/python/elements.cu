// What one element of a Triton kernel takes (triton_kernels.py, `checked`): eight tests, joined by
// && and ||, decide between two long ways. As bitcode, for tl.core.extern_elementwise.
#include <linearize_device.h>

namespace {

__device__ unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  return x ^ x >> 15;
}

__device__ bool holds(const unsigned *data, unsigned x, unsigned bit) {
  return data[x + bit & 16383] >> bit & 1;
}

} // namespace

extern "C" __device__ unsigned check(unsigned long long address, unsigned at) {
  const unsigned *data = reinterpret_cast<const unsigned *>(address);
  unsigned x = mix(at);
  for (unsigned turn = 0; turn < 32; turn++) {
    if ((((holds(data, x, 1) || holds(data, x, 2)) && holds(data, x, 3) || holds(data, x, 4)) &&
             holds(data, x, 5) ||
         holds(data, x, 6)) &&
            holds(data, x, 7) ||
        holds(data, x, 8))
      for (int k = 0; k < 8; k++)
        x = mix(x + data[x >> 7 & 16383]);
    else
      for (int k = 0; k < 8; k++)
        x = mix(x * 3 ^ data[x + turn & 16383]);
  }
  return x;
}
