// With CUDA's own headers and libdevice: a structure with pointers, tables, templates, two-dimensional
// blocks, arrays of pointers, double precision, printf, shuffles, half precision, bits, cooperative
// groups.
// REQUIRES: cuda-toolkit, libdevice, llvm-22
//
// RUN: %clangxx -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O2 --cuda-path=%toolkit \
// RUN:   -I%toolkit/include/cccl -Wno-unknown-cuda-version -S -emit-llvm %s -o %t.ll
// RUN: %simt %t.ll --kernel advance --block 4 --buffer at=f32:16:index --buffer speed=f32:16 \
// RUN:   --arg 'value:{ptr:at;ptr:speed;i32:4;f32:0.5}' --global lookup=f32:values=2 --print at --print steps \
// RUN:   | %FileCheck %s --check-prefix ADVANCE
// RUN: %simt %t.ll --kernel 'transpose<double,8>' --grid 2,2 --block 8,8 --arg buf:f64:256:index \
// RUN:   --arg buf:f64:256 --arg i32:16 --arg i32:16 --print 1 | %FileCheck %s --check-prefix TRANSPOSE
// RUN: %simt %t.ll --kernel rows --grid 2 --buffer a=f64:values=1,2,3 --buffer b=f64:values=-1 \
// RUN:   --arg buf:ptr:values=a,b --arg buf:i32:values=3,1 --arg buf:f64:2 | %FileCheck %s --check-prefix ROWS
// RUN: %simt %t.ll --kernel halves --block 2 --arg buf:u16:2:values=0x3c00,0x4000 --arg buf:u16:2 \
// RUN:   --arg buf:u32:2:values=0x40003c00 --arg buf:u32:2 --print 1 --print 3 | %FileCheck %s --check-prefix HALVES
// RUN: %simt %t.ll --kernel bits --block 2 --arg buf:u32:values=0x12345678,0xff00ff00 --arg buf:u32:16 --print 1 \
// RUN:   | %FileCheck %s --check-prefix BITS
// RUN: %simt %t.ll --kernel groups --block 64 --arg buf:i32:64 --print 0 | %FileCheck %s --check-prefix GROUPS
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_fp16.h>

struct particles {
  float4 *at, *speed;
  int count;
  float step;
};

__constant__ float lookup[4];
__device__ unsigned long long steps;

// From (4i, 4i + 1, 4i + 2): with lookup[0] = 2 and no speed, 0.5 * 0.5 * 2 * log2 of 2^(4i) further in x.
// ADVANCE: at:
// ADVANCE-NEXT: 0 1 2 3 6 5 6 7
// ADVANCE-NEXT: 12 9 10 11 18 13 14 15
// ADVANCE-NEXT: steps:
// ADVANCE-NEXT: 4
// ADVANCE-NEXT: model volta
__global__ void advance(particles p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.count)
    return;
  float4 x = p.at[i], v = p.speed[i];
  v.x += lookup[i & 0] * log2f(exp2f(x.x)) * p.step;
  x.x += v.x * p.step;
  p.at[i] = x;
  p.speed[i] = v;
  atomicAdd(&steps, 1ull);
}

// TRANSPOSE: argument 1:
// TRANSPOSE-NEXT: 0 16 32 48 64 80 96 112
// TRANSPOSE-NEXT: 128 144 160 176 192 208 224 240
// TRANSPOSE-NEXT: 1 17 33
template <typename T, int Tile>
__global__ void transpose(const T *in, T *out, int width, int height) {
  __shared__ T tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
  if (x < width && y < height)
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  if (x < height && y < width)
    out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
template __global__ void transpose<float, 16>(const float *, float *, int, int);
template __global__ void transpose<double, 8>(const double *, double *, int, int);

// The sums of sin^2 + cos^2 + tgamma(5) - 24, and of the elements.
// ROWS: row 0: 9.000000
// ROWS: row 1: 0.000000
__global__ void rows(const double *const *row, const int *length, double *out) {
  int r = blockIdx.x;
  double sum = 0;
  for (int i = threadIdx.x; i < length[r]; i += blockDim.x) {
    double s = sin(row[r][i]), c = cos(row[r][i]);
    sum += s * s + c * c + tgamma(5.0) - 24 + row[r][i];
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0) {
    out[r] = sum;
    printf("row %d: %f\n", r, fabs(sum));
  }
}

// 1 * 1 + 0.5 and 2 * 2 + 0.5; (1, 2) squared and added to itself.
// HALVES: argument 1:
// HALVES-NEXT: 15872 17536
// HALVES: argument 3:
// HALVES-NEXT: 1174421504 0
__global__ void halves(const __half *a, __half *b, const __half2 *c, __half2 *d) {
  int i = threadIdx.x;
  b[i] = __hadd(__hmul(a[i], a[i]), __float2half(0.5f));
  d[i] = __hfma2(c[i], c[i], c[i]);
}

// BITS: argument 1:
// BITS-NEXT: 13 3 4 510274632 2018915346 3512328264 50 305419896
// BITS-NEXT: 16 0 9 16711935 16711935 66847740 58 4278255360
__global__ void bits(const unsigned *in, unsigned *out) {
  unsigned x = __ldg(in + threadIdx.x), *to = out + 8 * threadIdx.x;
  to[0] = __popc(x);
  to[1] = __clz(x);
  to[2] = __ffs(x);
  to[3] = __brev(x);
  to[4] = __byte_perm(x, 0, 0x0123);
  to[5] = __funnelshift_l(x, x, 10);
  to[6] = __usad(x & 15, 58, 0);
  to[7] = __vadd4(x, 0);
}

// GROUPS: argument 0:
// GROUPS-NEXT: 496 496
__global__ void groups(int *out) {
  cooperative_groups::thread_block block = cooperative_groups::this_thread_block();
  auto tile = cooperative_groups::tiled_partition<32>(block);
  int sum = (int)tile.thread_rank();
  for (unsigned offset = tile.size() / 2; offset > 0; offset /= 2)
    sum += tile.shfl_xor(sum, offset);
  block.sync();
  out[block.thread_rank()] = sum;
}
