// A Horner scheme that clang unrolls: the checks for what is left over are unstructured, and the
// same for all threads, so that nobody waits for anybody.
#include "linearize_device.h"

KERNEL_BODY(uniform_unrolled) {
  float x = lin_unit(in[thread]), sum = 0.0f;
  for (unsigned round = 0; round < rounds; round++)
    sum = sum * x + lin_unit(in[thread + round]);
  return lin_bits(sum);
}
