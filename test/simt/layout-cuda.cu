// linearize/layout_cuda.h: what its kernels do to arrays, forth and back, in words of 4, 8 and 16 bytes and in bytes.
// What sorts is CUB's; bench/results/README.md is of all of it.
//
// REQUIRES: cuda-toolkit, llvm-22
// DEFINE: %{compile} = %clangxx -x cuda --cuda-gpu-arch=sm_90 -O1 -w -std=c++17 --cuda-path=%toolkit -I%toolkit/include/cccl -I%source/include
// RUN: %{compile} --cuda-device-only -S -emit-llvm %s -o %t.ll
//
// DEFINE: %{order} = --arg buf:u32:4:values=1,3,2,0
// DEFINE: %{move} = %simt %t.ll --block 256 --arg buf:u32:4:values=10,11,12,13
// RUN: %{move} --kernel 'linearize_layout_of::move<unsigned int>' --arg buf:u32:4 %{order} --arg u32:4 --arg u8:0 --print 1 | %FileCheck %s --check-prefix=THERE
// THERE: 11{{[[:space:]]+}}13{{[[:space:]]+}}12{{[[:space:]]+}}10
// RUN: %{move} --kernel 'linearize_layout_of::move<unsigned int>' --arg buf:u32:4 %{order} --arg u32:4 --arg u8:1 --print 1 | %FileCheck %s --check-prefix=BACK
// BACK: 13{{[[:space:]]+}}10{{[[:space:]]+}}12{{[[:space:]]+}}11
// A bool is a byte, 0 or 1.
// RUN: %not %{move} --kernel 'linearize_layout_of::move<unsigned int>' --arg buf:u32:4 %{order} --arg u32:4 --arg u8:2 2>&1 | %FileCheck %s --check-prefix=BOOL
// BOOL: linearize-simt: --arg u8:2: parameter 4 is a bool, 0 or 1
//
// Of three bytes each, and those beyond the last one stay.
// RUN: %simt %t.ll --block 256 --kernel linearize_layout_of::moveBytes --arg buf:u8:6:index --arg buf:u8:9:values=9,9,9,9,9,9,9,9,9 --arg buf:u32:2:values=1,0 --arg u32:2 --arg u64:3 --arg u8:0 --print 1 | %FileCheck %s --check-prefix=BYTES
// BYTES: 3{{[[:space:]]+}}4{{[[:space:]]+}}5{{[[:space:]]+}}0{{[[:space:]]+}}1{{[[:space:]]+}}2{{[[:space:]]+}}9{{[[:space:]]+}}9{{[[:space:]]+}}9
//
// The host's side is for a GPU's memory; what is wrong by itself is said before anything is launched.
// RUN: %{compile} %s -o %t.program -L%build/lib -llinearize-threads -Wl,-rpath,%build/lib -L%toolkit/lib64 -lcudart -Wl,-rpath,%toolkit/lib64
// RUN: %t.program
#include "linearize/layout_cuda.h"

int main() {
  uint32_t words[4] = {0, 1, 2, 3}, order[4] = {0, 1, 2, 3};
  size_t bytes = 0;
  const linearize_array in_place = {words, words, 4, LINEARIZE_READ}, empty = {words, order, 0, LINEARIZE_READ};
  bool ok = linearize_layout_cuda(&in_place, 1, order, 4, nullptr) == cudaErrorInvalidValue;
  ok &= linearize_layout_back_cuda(&empty, 1, order, 4, nullptr) == cudaErrorInvalidValue;
  ok &= linearize_order_cuda(words, order, size_t(1) << 32, nullptr, &bytes, nullptr) == cudaErrorInvalidValue;
  ok &= linearize_layout_cuda(nullptr, 0, order, 0, nullptr) == cudaSuccess;
  return !ok;
}
