// Exact matching of short reads against a suffix tree, after the paper's mum (MUMmerGPU): a thread
// walks its read down the tree, edge by edge, and follows suffix links after a mismatch.
//
// The tree is implicit: a node's children, edge label and suffix link are words of the input, as
// deep as the walk gets; what matters here is the shape of the walk.
//
// Unstructured: the comparison along an edge has three exits (label ends, mismatch, read ends); a
// mismatch at an edge's start and in its middle share the code that records a match; a match that
// is too short skips it.
//
//     start ─▶ child? ─▶ compare ─▶ label ends ─▶ child?
//       ▲        │ none    │   └──▶ read ends ─▶ record, done
//       │        ▼         ▼ mismatch
//       └─ link ◀┴ record ◀┘
#include "linearize_device.h"

LIN_FUNCTION unsigned base_at(lin_input in, unsigned text, unsigned i) {
  return in[text + (i >> 4)] >> (2 * (i & 15)) & 3;
}

KERNEL_BODY(mum) {
  unsigned checksum = 0;
#pragma unroll 1
  for (unsigned round = 0; round < rounds; round++) {
    const unsigned length = 48, shortest = 3;
    unsigned read = lin_mix(thread * rounds + round), root = in[read] & 255, node = root;
    unsigned begin = 0, matched = 0;
    while (begin < length) {
      // Down one edge for each turn; `matched` counts from `begin`.
#pragma unroll 1
      for (;;) {
        unsigned at = begin + matched;
        if (at >= length)
          goto finished;
        unsigned first = base_at(in, read, at);
        unsigned child = in[node * 4 + first];
        if ((child & 3) == 0)
          break;
        unsigned label = child >> 8, label_length = 1 + (child >> 3 & 3);
        unsigned step = 1;
        matched++;
#pragma unroll 1
        while (step < label_length) {
          at = begin + matched;
          if (at >= length)
            goto finished;
          if (base_at(in, label, step) != base_at(in, read, at) && (child >> 5 & 3))
            goto mismatch;
          step++;
          matched++;
        }
        node = child;
      }
      if (matched == 0) {
        begin++;
        node = root;
        continue;
      }
    mismatch:
      if (matched >= shortest || (in[node] & 31) == 0)
        checksum = lin_mix(checksum + in[node + begin] + matched);
      // The suffix link leads to the node of the same string without its first base.
      begin++;
      node = in[node + 5];
      matched = matched > 2 ? matched - 1 : 0;
      if (matched == 0)
        node = root;
    }
  finished:
    if (matched >= shortest)
      checksum = lin_mix(checksum ^ in[node + matched]);
    else
      checksum += matched;
  }
  return checksum;
}
