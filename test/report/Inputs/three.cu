// Kernels for a page that a test looks at: what the paper begins with, a loop with several exits and
// an irreducible one, and one that is structured.
#define global_kernel extern "C" __attribute__((global))
#define device_code static __attribute__((device)) inline

device_code unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  return x * 0x846ca68bu;
}

namespace Search {
// Leaves its loop in three ways, to two places.
template <typename Word>
__attribute__((device, noinline)) Word first_of(const Word *in, Word wanted, Word limit) {
  for (Word i = 0; i < limit; i++) {
    Word word = in[i];
    if (word == wanted)
      return mixed(i);
    if (word % 7 == 3 && mixed(word) % 5 == 0)
      return mixed(mixed(word) + i);
  }
  return 0;
}
} // namespace Search

// if ((c1 || c2) && c3) S1; else S2; S3;
global_kernel void conditions(const unsigned *in, unsigned *out, unsigned rounds) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x(), x = mixed(thread + 1);
  for (unsigned round = 0; round < rounds; round++) {
    unsigned word = in[x % 64];
    if ((x % 3 == 0 || mixed(word) % 5 < 2) && mixed(word + x) % 7 < 4)
      x = mixed(x + in[word % 64]) * 3 + mixed(x);
    else
      x = mixed(x ^ in[(word >> 6) % 64]) + mixed(mixed(word));
    x += round;
  }
  out[thread] = x + Search::first_of(in, x % 64, 64u);
}

// A loop with two entries.
global_kernel void entries(const unsigned *in, unsigned *out, unsigned rounds) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x(), x = mixed(thread), fuel = rounds + x % 8;
  if (x % 2)
    goto second;
first:
  x = mixed(x + in[x % 64]);
  if (fuel-- == 0)
    goto done;
second:
  x = mixed(x ^ in[(x >> 8) % 64]);
  if (x % 4)
    goto first;
done:
  out[thread] = x;
}

global_kernel void structured(const unsigned *in, unsigned *out) {
  unsigned thread = __nvvm_read_ptx_sreg_tid_x(), sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < thread; i++)
    sum += in[i];
  out[thread] = sum;
}
