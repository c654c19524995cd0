// What the threads of a block do in a section: for each index, to which blocks of code it comes,
// and which addresses it accesses, as far as that follows from the index and from what is the same
// for all threads. A branch that asks for anything else is taken to go both ways.
//
// What is the same for all threads takes values as it has them when the kernel runs: it is walked
// through as all threads go together, with made-up parameters, and each time that the section is
// come to is a sample (s = 1, 2, 4, ... of a tree's loop); such as are alike are one.
#ifndef LIN_PERMUTE_SAMPLES_H
#define LIN_PERMUTE_SAMPLES_H

#include "section.h"

#define LIN_NOWHERE UINT64_MAX // an address that isn't known

typedef struct lin_sample {
  lin_known *at;     // [values] those that are the same for all threads
  bool *comes;       // [threads * blocks of the section] which index comes to which block
  uint64_t *address; // [threads * num_touches] of each access; LIN_NOWHERE
} lin_sample;

// Samples of blocks of one size.
typedef struct lin_sampled_launch {
  uint32_t size[3], threads;
  lin_sample *sample; // [count]
  uint32_t count;
} lin_sampled_launch;

enum { LIN_MOST_LAUNCHES = 2 };

typedef struct lin_samples {
  const lin_values *values;
  const lin_section *section;
  const lin_touch **touch; // [num_touches] of the section, but of memory of the thread's own
  uint32_t *touch_block;   // [num_touches] number of the block in section->block[]
  uint32_t num_touches;
  lin_sampled_launch launch[LIN_MOST_LAUNCHES];
  uint32_t num_launches;
} lin_samples;

// NULL: there is nothing to see, as the section isn't come to, or it takes more than `*work`, of
// which it takes what it takes: samples * threads * (instructions that decide it, blocks and
// accesses). Where nobody knows how large blocks are, several sizes are tried. O(that).
lin_samples *lin_samples_take(lin_arena *arena, const lin_values *values,
                              const lin_together *together, const lin_section *section,
                              uint64_t *work);

#endif
