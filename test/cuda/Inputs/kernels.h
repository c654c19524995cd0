// Kernels with the unstructured control flow that real programs have, and what they do not.
#pragma once
#include "gpu.h"

// Short circuits that share a heavy block.
__global__ void short_circuit(float *p, const int *k, int n) {
  int i = gid;
  if (i >= n)
    return;
  float v = p[i];
  if ((k[i] > 3 || v > 1.0f) && (k[i] < 100 || v < 0.25f)) {
    for (int j = 0; j < 8; j++)
      v = v * v + 0.5f;
  } else {
    v = -v;
  }
  p[i] = v;
}

// An interpreter: a switch with fall-through in a loop, several ways out.
__global__ void interpreter(int *p, const unsigned char *code, int n) {
  int i = gid, acc = p[i], pc = i & 7;
  for (int step = 0; step < n; step++) {
    switch (code[pc]) {
    case 0:
      acc += 3; // fall through
    case 1:
      acc *= 5; // fall through
    case 2:
      if (acc < 0)
        goto halt;
      acc ^= pc;
      break;
    default:
      acc--; // fall through
    case 4:
      pc += acc & 3;
      continue;
    case 5:
      return;
    }
    pc = (pc + 1) & 31;
  }
halt:
  p[i] = acc;
}

// A loop entered in the middle, left at three places, through shared memory with barriers.
__global__ void ring(int *p, int n) {
  __shared__ int line[256];
  int i = tid, v = p[gid];
  line[i & 255] = v;
  block_barrier();
  if (v & 1)
    goto second;
first:
  v += line[(i + 1) & 255];
  if (v > n)
    goto out;
second:
  v ^= line[(i + 3) & 255];
  if (v & 4)
    goto first;
  if (v > 1000)
    goto tail;
  i++;
  if (i < n)
    goto second;
tail:
  v--;
out:
  block_barrier();
  p[gid] = v + line[tid & 255];
}

// Not inlined, recursive, mutually recursive; values come back from inside loops.
__device__ __noinline__ int find(const int *p, int n, int key) {
  for (int i = 0; i < n; i++) {
    if (p[i] == key)
      return i;
    if (p[i] > 2 * key)
      return -2;
    if (p[i] < 0 && i > 4)
      break;
  }
  return -1;
}

__device__ __noinline__ int walk(const int *tree, int node, int key) {
  if (node < 0)
    return 0;
  int left = walk(tree, tree[2 * node], key);
  if (left > key || tree[node] == key)
    goto shared;
  if (walk(tree, tree[2 * node + 1], key) > 4)
    goto shared;
  return left + 1;
shared:
  return find(tree, left, key) + node;
}

__global__ void search(const int *p, int *out, int n) {
  int r = walk(p, gid & 15, n);
  if (r > 3 || find(p, n, r) == 2)
    out[gid] = r;
  else if (r == -5)
    __builtin_trap();
}

// A struct by value, locals whose address is taken, doubles and 64-bit.
struct box {
  double d[4];
  long long n;
};

__global__ void by_value(box b, double *out, const int *k) {
  double local[4] = {0, 1, 2, 3};
  long long acc = b.n;
  int i = gid;
  for (;;) {
    if (k[i] == 0)
      break;
    if (k[i] == 1 && local[i & 3] > b.d[i & 3])
      goto done;
    local[k[i] & 3] += b.d[1];
    acc += (long long)local[2];
    if (acc > 100)
      break;
    i = k[i];
  }
  local[0] = acc;
done:
  out[gid] = local[k[i] & 3] + local[0];
}
