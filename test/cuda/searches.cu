// A search loop of two tests that become one takes an instruction less in machine code, not one
// more: what the counter was is found behind the loop, where one thread needs it once.
//
// The code generator of LLVM 19 copies the counter behind its last use, and ptxas keeps the copies.
//
// REQUIRES: ptxas, nvdisasm, newest-llvm
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O3 %s -S -o %t.plain.ptx
// RUN: %ptxas -arch=sm_90 %t.plain.ptx -o %t.plain.cubin
// RUN: %nvdisasm -c %t.plain.cubin | %FileCheck %s --check-prefix=PLAIN
// RUN: %cudacc --cuda-gpu-arch=sm_90 -O3 %fplugin -Rpass=linearize %s -S -o %t.ptx 2> %t.remarks
// RUN: %FileCheck %s --check-prefix=REMARKS < %t.remarks
// RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin
// RUN: %nvdisasm -c %t.cubin | %FileCheck %s
//
// REMARKS: function 'first', {{.*}} combined 2 exit tests
#include "gpu.h"

// PLAIN: LDG
// PLAIN: .L_x_[[loop:[0-9]+]]:
// PLAIN-COUNT-8: {{^ +/\*[0-9a-f]+\*/ }}
// PLAIN-NEXT: {{^ +/\*[0-9a-f]+\*/ .*}}BRA {{.*}}L_x_[[loop]]
//
// CHECK: LDG
// CHECK: .L_x_[[loop:[0-9]+]]:
// CHECK-COUNT-7: {{^ +/\*[0-9a-f]+\*/ }}
// CHECK-NEXT: {{^ +/\*[0-9a-f]+\*/ .*}}BRA {{.*}}L_x_[[loop]]
extern "C" __global__ void first(const unsigned *in, unsigned mask, unsigned count, unsigned *out) {
  unsigned want = in[tid & mask] & 63, at = ~0u;
  for (unsigned i = 0; i < count; i++)
    if ((in[(i + tid * 13) & mask] & 63) == want) {
      at = i;
      break;
    }
  out[tid] = at;
}
