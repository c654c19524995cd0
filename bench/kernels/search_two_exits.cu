// A search loop with two exits that go to different places: found, and not found.
//
//     head ─▶ probe ─▶ next ─┐       head ─▶ miss
//       ▲       └─▶ hit      │       probe ─▶ hit
//       └────────────────────┘       hit and miss end together
//
// Open addressing: a thread probes its table until it meets its key or an empty slot.
#include "linearize_device.h"

KERNEL_BODY(search_two_exits) {
  unsigned x = lin_mix(thread), hits = 0;
  for (unsigned round = 0; round < rounds; round++) {
    unsigned key = x & 15, slot = x >> 4, value;
    for (unsigned probes = 0; probes < 40; probes++) {
      unsigned entry = in[slot];
      if ((entry & 31) == 31)
        goto miss;
      if ((entry & 15) == key)
        goto hit;
      slot += 1 + (entry >> 28);
    }
  miss:
    value = lin_mix(in[slot ^ key]);
    goto next;
  hit:
    hits++;
    value = in[slot + 1] ^ lin_mix(in[slot + 2]);
  next:
    x = lin_mix(x + value);
  }
  return x ^ hits;
}
