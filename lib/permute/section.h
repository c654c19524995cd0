// Sections: pieces of a function that threads may run for other indices than their own.
//
//     barrier                     The section of a branch is what stands between it and the place
//     w = ...                     where its threads meet: here B alone. A wider one begins and ends
//     A: t % 2 ? B : J            anywhere between two barriers, or a barrier and the function's
//         │      │     ┐          begin or end, here at the two barriers. All threads of a block
//     B:  x[t] = w│    │ section  come to a section's first instruction, and to what follows it.
//         └──┬───┘     ┘
//     J:  y[t] = x[t]             Within it thread p does the work of index t = P(p). So
//     barrier
//       - what it needs of its own index from before has to be computed for t: w, unless it is the
//         same for all, must be a function of t;
//       - nothing of it may be needed behind it by the thread that had the index before;
//       - what it writes, the same index must not read or write between it and the next barrier,
//         on either side: in the other thread that may come earlier or later. Of the section of
//         the branch x is such memory; of the wider one nothing is;
//       - nothing in it may tell which thread runs it.
//
// What different indices do was in no order before, and isn't now (data layout and thread
// regrouping: seed 003, section 3; the case of indices alone: CS6963, lecture 9).
#ifndef LIN_PERMUTE_SECTION_H
#define LIN_PERMUTE_SECTION_H

#include "values/together.h"

typedef struct lin_section {
  lin_block start,
      end;          // `end` is the block that unites returns where it goes on to the function's end
  uint32_t first;   // instruction of `start`: from here on
  uint32_t last;    // instruction of `end`: up to here, without it
  lin_block *block; // [num_blocks] in order: start, ..., end
  uint32_t num_blocks;
  bool *has;      // [blocks of the function] those, without `end` if none of it belongs here
  bool is_branch; // nothing but the branch of `start` and what depends on it
} lin_section;

// Why a section can't be given to other threads: where, and a sentence for people; NULL: it can.
typedef struct lin_obstacle {
  const char *reason;
  uint32_t value;   // the instruction at fault
  uint32_t other;   // and the one that it is in the way of, or LIN_NONE
  bool keeps_first; // without a reason: it can if index 0 along x stays with thread 0, for what
                    // that thread does without a barrier behind or before the section
} lin_obstacle;

// Adds an obstacle, of which the first counts. O(1).
static inline void lin_obstacle_add(lin_obstacle *found, const char *reason, uint32_t value,
                                    uint32_t other) {
  if (found->reason == NULL)
    *found = (lin_obstacle){.reason = reason, .value = value, .other = other};
}

// The section of the branch at the end of `block`. False if there is none: not all threads come to
// the block, or they don't meet again. O(blocks of the section).
bool lin_section_of_branch(lin_arena *arena, const lin_values *values, const lin_together *together,
                           lin_block block, lin_section *section);

// The widest section around `block` between barriers whose first and last instructions are in
// `loop`, which contains the block, and in no loop inside of that. False if there is none.
// O(blocks of the section).
bool lin_section_around(lin_arena *arena, const lin_values *values, const lin_together *together,
                        lin_block block, uint32_t loop, lin_section *section);

// Whether an instruction belongs to a section. O(1).
bool lin_section_contains(const lin_values *values, const lin_section *section, uint32_t value);

#endif
