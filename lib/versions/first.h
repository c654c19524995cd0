// The first launches of a shape in a run, by their numbers. Launches of a run differ, but the same
// launch of two runs mostly has the same work: so versions are compared by pairs.
//
//     launch    1     2     3     4
//     plain    9.0   1.2  58.0   1.2     run 1
//     needed   5.1   0.8  30.1    -      run 2: three pairs, all of them faster
#ifndef LIN_VERSIONS_FIRST_H
#define LIN_VERSIONS_FIRST_H

#include <stdbool.h>
#include <stdint.h>

enum { LIN_FIRST = 32 };

typedef struct lin_first {
  uint32_t launches;        // of the shape in a run, at most; 0: nothing is known
  uint64_t time[LIN_FIRST]; // ns of launch i + 1, in the newest run; 0: not known
} lin_first;

// The launch of that number took so long; numbers above LIN_FIRST only count. O(1).
void lin_first_add(lin_first *first, uint32_t number, uint64_t time);

// What `newer` knows takes the place of what `first` has. O(LIN_FIRST).
void lin_first_unite(lin_first *first, const lin_first *newer);

// How many times there are up to the last one that is known. O(LIN_FIRST).
uint32_t lin_first_length(const lin_first *first);

// Whether the times are so uneven that their median says nothing: of 6 or more, a quarter takes
// over 1.5 times as long as another quarter. O(LIN_FIRST^2).
bool lin_first_is_uneven(const lin_first *first);

typedef struct lin_pairs {
  uint32_t count;  // launches that both know
  uint32_t faster; // of these, the launches that the first one has in less time
  uint64_t a, b;   // ns of both, together
} lin_pairs;

// O(LIN_FIRST).
lin_pairs lin_first_pairs(const lin_first *a, const lin_first *b);

// Whether the pairs agree that the first one is faster: by 2% in all, and in three of four pairs.
bool lin_pairs_agree(const lin_pairs *pairs);

#endif
