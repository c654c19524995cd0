// A function for each remark; docs/remarks.md goes through them.
#include "linearize_device.h"

#define DEVICE extern "C" __device__

// Something that takes a while.
static __device__ __forceinline__ unsigned work(unsigned x) {
  for (unsigned i = 0; i < 8; i++)
    x = (x ^ x >> 15) * 0x85ebca6b;
  return x;
}

// Linearized
DEVICE unsigned worth(const unsigned *in, unsigned x) {
  if ((in[0] || in[1]) && work(in[2]) & 4)
    x = work(x);
  else
    x += x << 5;
  return x;
}

// ThreadsWait, twice: one region in another. Linearized in mode paper.
DEVICE unsigned within(const unsigned *in, unsigned x) {
  if (in[0]) {
    if ((in[1] || in[2]) && work(in[3]) & 4)
      x = work(x);
    if (work(x) & 8)
      goto shared;
    return x;
  }
  if (in[4])
    return x + 1;
shared:
  return work(x + in[x]);
}

// Uniform: n is the same for all threads.
extern "C" __global__ void uniform(unsigned *out, unsigned n) {
  unsigned x = threadIdx.x;
  if ((n & 1 || work(n) & 2) && work(n + 1) & 4)
    x = work(x);
  else
    x += x << 5;
  out[threadIdx.x] = x;
}

// NothingToGain: both ways out of the loop lead to one place, where all threads meet.
DEVICE unsigned breaks(const unsigned *in, unsigned x) {
  for (unsigned i = 0; i < x; i++) {
    if (in[i] == x)
      break;
    if (in[i + x] == 1)
      break;
    x += in[2 * i];
  }
  return x;
}

// ThreadsWait: ptxas has all threads wait for each other at `shared`.
DEVICE unsigned waits(const unsigned *in, unsigned *out, unsigned x) {
  if (in[0]) {
    x = work(x);
    if (in[x])
      goto shared;
  } else {
    x = work(x + in[3]);
    if (in[x + 1])
      return x;
  shared:
    out[0] = work(x);
  }
  return x;
}

// TooSmall
DEVICE unsigned small(const unsigned *in, unsigned x) {
  if ((in[0] || in[1]) && in[2])
    x = work(x);
  else
    x = work(x + 1) * 3;
  return x;
}

// TooDear: little is run twice, next to all that is run.
DEVICE unsigned dear(const unsigned *in, unsigned *out, unsigned x) {
  if ((in[0] || in[1]) && in[2])
    out[0] = x;
  else
    out[1] = x;
  return x;
}

// PollingLoop
DEVICE unsigned polls(volatile unsigned *flag, unsigned x) {
  while (flag[0] == 0) {
    if ((flag[1] || flag[2]) && work(flag[3]) & 4)
      x = work(x);
    else
      x += x << 5;
  }
  return x;
}

// NotLinearized: which threads are active depends on who happens to run along.
DEVICE unsigned votes(const unsigned *in, unsigned x) {
  if ((in[0] || in[1]) && work(in[2]) & 4)
    x = work(x) + __nvvm_activemask();
  else
    x += x << 5;
  return x;
}

// IrreducibleLoopLeft: the same, in a loop with two entries.
DEVICE unsigned left(const unsigned *in, unsigned x) {
  if (in[0])
    goto second;
first:
  x = work(x) + __nvvm_activemask();
second:
  x = work(x + 1);
  if (in[x])
    goto first;
  return x;
}
