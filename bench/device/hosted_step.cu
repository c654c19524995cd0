// One round of hosted.cu's kernel, unstructured: a short circuit, a tail that both arms share, and
// a loop with two entries. For the host it is the reference.
//
// With -DSEPARATE (and -fgpu-rdc) it is a translation unit of its own, else hosted.cu includes it.
#include "linearize_device.h"

#ifdef SEPARATE
#define STEP __host__ __device__ unsigned
#else
#define STEP static __host__ __device__ __attribute__((noinline)) unsigned
#endif

STEP step(lin_input in, unsigned x, unsigned round) {
  unsigned fuel = in[x] & 15;
  if ((in[x + 1] & 2 || in[x + 2] & 4) && in[x + 3] & 8) {
    x += lin_mix(in[x]);
    if (in[x >> 4] & 1)
      goto tail;
  } else {
    x ^= in[x >> 7] * 3;
    if (in[x >> 5] & 3)
      goto tail;
  }
  if (in[x + 1] & 1)
    goto second;
first:
  x = lin_mix(x + in[x >> 3]);
  if (fuel-- == 0)
    goto done;
second:
  x ^= in[x + fuel] * 9;
  if (in[x >> 5] & 7)
    goto first;
  goto done;
tail:
  x = lin_mix(x ^ in[x >> 6]);
done:
  return lin_mix(x) + round;
}
