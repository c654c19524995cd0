// Maximal matches of reads with a genome, as MUMmer finds them: a thread takes one read of 64
// bases. For every 4th base of it an index names up to three places of the genome that begin alike;
// from each the match is made longer on both sides until bases differ, and those of `rounds` bases
// or more count. A match covers the bases behind it, which are skipped.
//
// Takes any order of threads.
#include "thread.cuh"

enum { READ = 64, SEED = 8 };

LIN_FUNCTION unsigned base_of(lin_input in, unsigned at) {
  return in[at >> 4] >> 2 * (at & 15) & 3;
}

// A read is a piece of the genome with errors, many or few.
LIN_FUNCTION unsigned read_base(lin_input in, unsigned read, unsigned i) {
  unsigned quality = 4 + (lin_mix(read) & 63), word = lin_mix(read * READ + i);
  unsigned base = base_of(in, in[read] + i);
  return word % quality == 0 ? (base + 1 + (word >> 30)) & 3 : base;
}

APPLICATION(read_matching) {
  unsigned origin = in[thread], matches = 0, longest = 0, checksum = 0;
  for (unsigned i = 0; i < READ - SEED;) {
    unsigned word = lin_mix(origin + i), places = word & 3, skip = 4;
#pragma unroll 1
    for (unsigned number = 0; number < places; number++) {
      // The index is made up: the first place is the read's own, the others are chance.
      unsigned place = number == 0 ? origin + i : in[word + number];
      unsigned length = 0;
      while (i + length < READ && base_of(in, place + length) == read_base(in, thread, i + length))
        length++;
      if (length < SEED)
        continue;
      unsigned back = 0;
      while (back < i && base_of(in, place - back - 1) == read_base(in, thread, i - back - 1))
        back++;
      if (back + length < rounds)
        continue;
      matches++;
      checksum = lin_mix(checksum ^ (place - back) ^ (length + back));
      if (length + back > longest)
        longest = length + back;
      if (length > skip)
        skip = length;
    }
    i += skip;
  }
  return checksum ^ matches << 8 ^ longest;
}
