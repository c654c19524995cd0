// Resampling of a particle filter, after the paper's particlefilter: each thread looks for the
// first particle whose cumulated weight reaches its own sample, and takes that particle's position.
//
// Unstructured: the search has two exits, found and end of the list, and two steps of it share the
// code that takes a particle.
//
//     head ─▶ reached? ─▶ alive? ──▶ take ─▶ end
//       │         └▶ next   └▶ next    ▲
//       └────▶ none ───────────────────┘ (or the last one alive)
#include "linearize_device.h"

KERNEL_BODY(particlefilter) {
  unsigned sample = in[thread] >> 2, sum = 0, last = thread, taken;
#pragma unroll 1
  for (unsigned i = 0; i < 16 * rounds; i++) {
    unsigned particle = in[i];
    sum += particle >> 9;
    if (sum >= sample && (in[particle] & 7) != 0) {
      taken = i;
      goto take;
    }
    if (particle & 1)
      last = i;
  }
  if (in[last] & 2)
    return last;
  taken = last;
take:
  return in[taken + 1] ^ in[taken + 2] * taken;
}
