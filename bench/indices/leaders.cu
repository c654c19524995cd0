// Every eighth thread works for eight: it draws what its group's numbers come to, and all read that behind a
// barrier. `rounds` times over.
//
//   as written     thread t leads the group t / 8, if t % 8 is 0
//   BY_HAND 1      the first threads lead
#include "linearize_device.h"

enum { GROUP = 8 };

#ifndef LIN_HOST
BLOCK_KERNEL(leaders) {
  __shared__ unsigned values[LIN_BLOCK], results[LIN_BLOCK / GROUP];
  unsigned x = first + lane;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    values[lane] = in[x];
    __syncthreads();
#if BY_HAND
    unsigned leader = lane * GROUP;
    if (leader < LIN_BLOCK) {
#else
    unsigned leader = lane;
    if (lane % GROUP == 0) {
#endif
      unsigned all = round;
#pragma unroll 1
      for (unsigned i = 0; i < GROUP; i++)
        all = lin_mix(all ^ values[leader + i]);
      results[leader / GROUP] = all;
    }
    __syncthreads();
    x = lin_mix(x + results[lane / GROUP]);
  }
  return x;
}
#else
BLOCK_KERNEL(leaders) {
  for (unsigned lane = 0; lane < LIN_BLOCK; lane++)
    out[lane] = first + lane;
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned leader = 0; leader < LIN_BLOCK; leader += GROUP) {
      unsigned all = round;
      for (unsigned i = 0; i < GROUP; i++)
        all = lin_mix(all ^ in[out[leader + i]]);
      for (unsigned i = 0; i < GROUP; i++)
        out[leader + i] = lin_mix(out[leader + i] + all);
    }
}
#endif
