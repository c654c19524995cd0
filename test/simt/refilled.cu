// Lanes that take the next item when they are done: in one to three dimensions, with partial warps and blocks,
// early returns, several exits, loops inside, arrays of the thread. Results are the plain kernel's. And what is
// refused, with the reason.
//
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O2 -S -emit-llvm %s -o %t.plain.ll
// RUN: %opt %load -passes='linearize-versions<refilled>,verify' -pass-remarks=linearize \
// RUN:   -pass-remarks-missed=linearize -pass-remarks-analysis=linearize -S %t.plain.ll -o %t.ll 2> %t.remarks
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=REMARK < %t.remarks
// CHECK-DAG: c"linearize-versions 1 {{.*}}\0Arefilled\09line__linearize_refilled\09counter of a line\0A\00"
// CHECK-DAG: c"linearize-versions 1 {{.*}}\0Arefilled\09space__linearize_refilled\09counter\0A\00"
//
// REMARK-DAG: function 'line': in version refilled a lane that leaves the loop takes the next item of the launch, once 8 lanes of a warp can; the warp looks every {{[0-9]+}} step
// REMARK-DAG: function 'no_loop': its lanes can't take the next item, as version refilled would have them: it has no loop
// REMARK-DAG: function 'meets': its lanes can't take the next item, as version refilled would have them: threads wait for each other
// REMARK-DAG: function 'first': its lanes can't take the next item, as version refilled would have them: results of atomic operations tell which thread came first
// REMARK-DAG: function 'endless': its lanes can't take the next item, as version refilled would have them: its loop has no end
// REMARK-DAG: function 'equal': its lanes can't take the next item, as version refilled would have them: its items go around the loop equally often
// REMARK-DAG: function 'strides': its lanes can't take the next item, as version refilled would have them: its items go around the loop equally often
// REMARK-DAG: function 'plane': its lanes can't take the next item, as version refilled would have them: its items go around the loop equally often
// REMARK-DAG: function 'some': in version refilled a lane
// REMARK-DAG: function 'hashed': in version refilled a lane
//
// With the loop's line, where that is known:
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O2 -gline-tables-only -S -emit-llvm %s -o %t.lines.ll
// RUN: %opt %load -passes='linearize-versions<refilled>,verify' -pass-remarks-missed=linearize -disable-output %t.lines.ll 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=LINE
// LINE: function 'equal': {{.*}}: its items go around the loop equally often (line [[# @LINE + 153]])
//
// Unless one wants it:
// RUN: %opt %load -passes='linearize-versions<refilled.regardless>,verify' -pass-remarks=linearize -disable-output %t.plain.ll 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=REGARDLESS
// REGARDLESS: function 'equal': in version refilled.regardless a lane
//
// Below sm_70 there are none:
// RUN: sed 's/"target-cpu"="sm_90"/"target-cpu"="sm_60"/' %t.plain.ll > %t.old.ll
// RUN: %opt %load -passes='linearize-versions<refilled>,verify' -pass-remarks-missed=linearize -S %t.old.ll -o %t.none.ll 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=OLD
// OLD: function 'line': its lanes can't take the next item, as version refilled would have them: lanes of GPUs below sm_70
//
// A launch has more items than the first warps have lanes: who is done takes those of later blocks.
// DEFINE: %{arguments} = --arg buf:u32:64:random:seed=3 --arg buf:u32:8192 --arg u32:700
// DEFINE: %{kernel} =
// DEFINE: %{shape} =
// DEFINE: %{run} = %simt %t.ll %{shape} --kernel
// DEFINE: %{test} = %{run} %{kernel} %{arguments} --dump 1=%t.expected > %t.ignored \
// DEFINE:   && %{run} %{kernel}__linearize_refilled %{arguments} --arg buf:u32:1 --dump 1=%t.refilled > %t.ignored \
// DEFINE:   && cmp %t.expected %t.refilled
// REDEFINE: %{kernel} = line
// REDEFINE: %{shape} = --grid 9 --block 96
// RUN: %{test}
// REDEFINE: %{shape} = --grid 40 --block 20 --model volta
// RUN: %{test}
// REDEFINE: %{shape} = --grid 700 --block 1
// RUN: %{test}
// REDEFINE: %{kernel} = space
// REDEFINE: %{shape} = --grid 3,2,2 --block 5,3,4
// RUN: %{test}
// REDEFINE: %{shape} = --grid 3,2 --block 16,8 --model volta
// RUN: %{test}
// REDEFINE: %{kernel} = array
// REDEFINE: %{shape} = --grid 9 --block 96
// RUN: %{test}
// REDEFINE: %{kernel} = exits
// RUN: %{test}
// REDEFINE: %{shape} = --grid 8 --block 100 --model volta
// RUN: %{test}
// REDEFINE: %{kernel} = swaps
// RUN: %{test}
// REDEFINE: %{kernel} = some
// RUN: %{test}
// REDEFINE: %{kernel} = hashed
// RUN: %{test}
//
// Lanes are busy: of loops that go around differently often, warps execute less.
// RUN: %simt %t.ll --grid 64 --block 96 --kernel line --arg buf:u32:64:random:seed=3 --arg buf:u32:8192 --arg u32:6000 \
// RUN:   | %FileCheck %s --check-prefix=APART
// RUN: %simt %t.ll --grid 64 --block 96 --kernel line__linearize_refilled --arg buf:u32:64:random:seed=3 \
// RUN:   --arg buf:u32:8192 --arg u32:6000 --arg buf:u32:1 | %FileCheck %s --check-prefix=TOGETHER
// APART: threads active {{ *[0-9]}}.
// TOGETHER: threads active {{ *}}{{1[6-9]|2[0-9]}}.
#define __global__ __attribute__((global))
#define LINE unsigned i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x()

extern "C" __global__ void line(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  if (i >= n)
    return;
  unsigned a = in[i & 63] & 255, sum = 0;
  if ((a & 7) != 3)
    a >>= 5;
  while (a != 0) {
    sum += a * i;
    a--;
    if (sum % 1021 == 5)
      sum ^= 77;
  }
  out[i] = sum;
}

extern "C" __global__ void space(const unsigned *in, unsigned *out, unsigned n) {
  unsigned x = __nvvm_read_ptx_sreg_tid_x(), y = __nvvm_read_ptx_sreg_tid_y(), z = __nvvm_read_ptx_sreg_tid_z(),
           bx = __nvvm_read_ptx_sreg_ctaid_x(), by = __nvvm_read_ptx_sreg_ctaid_y(), bz = __nvvm_read_ptx_sreg_ctaid_z(),
           nx = __nvvm_read_ptx_sreg_ntid_x(), ny = __nvvm_read_ptx_sreg_ntid_y(), nz = __nvvm_read_ptx_sreg_ntid_z(),
           gx = __nvvm_read_ptx_sreg_nctaid_x(), gy = __nvvm_read_ptx_sreg_nctaid_y();
  unsigned at = ((bz * gy + by) * gx + bx) * nx * ny * nz + (z * ny + y) * nx + x, sum = x + 10 * y + 100 * z;
  if ((x + y + bx) % 3 == 0)
    return;
  for (unsigned k = 0; k < (in[at & 63] & 31); k++)
    for (unsigned j = 0; j < (in[k] & 7); j++)
      sum = sum * 31 + bx + 7 * by + 11 * bz + j;
  out[at] = sum;
}

// What an item sets of the array, no other one reads.
extern "C" __global__ void array(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  unsigned stack[16], top = 0, sum = 0;
  stack[top++] = in[i & 63];
  while (top > 0) {
    unsigned a = stack[--top];
    sum = sum * 3 + a;
    if (top < 10 && (a & 1))
      stack[top++] = a >> 1;
    if (top < 12 && (a & 6))
      stack[top++] = a >> 3;
  }
  out[i] = sum;
}

// Ways behind the loop that begin where threads also come without it.
extern "C" __global__ void exits(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  unsigned a = in[i & 63], sum = 1;
  if (a % 5 == 0)
    goto last;
  if (a % 7 == 0) {
    out[i] = 3;
    return;
  }
  for (;;) {
    sum += a;
    a = a * 1664525u + 1013904223u;
    if (a >> 28 == 3)
      goto last;
    if (a >> 28 == 4)
      break;
    if (sum >> 30 == 3) {
      out[i] = sum;
      return;
    }
  }
  for (unsigned k = 0; k < (a & 7); k++)
    sum ^= in[k] + a;
last:
  for (unsigned k = 0; k < (sum & 3); k++)
    a = a * 5 + in[k];
  out[i] = sum ^ a;
}

// Phis that trade places in each step.
extern "C" __global__ void swaps(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  unsigned a = in[i & 63], b = i, c = 7;
  for (unsigned k = 0; k < (in[(i + 1) & 63] & 63); k++) {
    unsigned old = a;
    a = b;
    b = c ^ k;
    c = old;
  }
  out[i] = a + 3 * b + 5 * c;
}

// What decides is the same for all, or the launch's bound.
extern "C" __global__ void equal(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  if (i >= n)
    return;
  unsigned sum = 0, least = n < 9 ? n : 9;
  for (unsigned k = 0; k < least * (in[0] & 1); k++)
    if (in[(i + k) & 63] & 1)
      sum += in[k & 63] * i;
  out[i] = sum;
}

extern "C" __global__ void strides(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  for (unsigned k = i; k < n; k += __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_nctaid_x())
    out[k] = in[k & 63] * 3;
}

extern "C" __global__ void plane(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  unsigned x = i % n, y = i / n, sum = 0;
  if (x > 1 && x < n - 1 && y < n)
    for (unsigned k = 0; k < n; k++)
      sum += in[(x + k) & 63] * in[(y + k) & 63];
  out[i] = sum;
}

// Some return in front of a loop that others go around equally often; a number that is mixed.
extern "C" __global__ void some(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  if (in[i & 63] & 3)
    return;
  unsigned sum = i;
  for (unsigned k = 0; k < n; k++)
    sum = sum * 31 + in[k & 63];
  out[i] = sum;
}

extern "C" __global__ void hashed(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  unsigned sum = i;
  for (unsigned k = 0; k < (i * 2654435761u) >> 27; k++)
    sum = sum * 31 + in[k & 63];
  out[i] = sum;
}

extern "C" __global__ void no_loop(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  out[i] = in[i & 63];
}

extern "C" __global__ void meets(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  for (unsigned k = 0; k < n; k++) {
    out[i] += in[k & 63];
    __nvvm_bar_sync(0);
  }
}

extern "C" __global__ void first(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  for (unsigned k = 0; k < n; k++)
    out[i] += __atomic_fetch_add(&out[n], in[k & 63], __ATOMIC_RELAXED);
}

extern "C" __global__ void endless(const unsigned *in, unsigned *out, unsigned n) {
  LINE;
  for (unsigned k = 0;; k++)
    out[i] += in[k & 63];
}
