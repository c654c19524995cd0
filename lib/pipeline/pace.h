// How far ahead chunks are remapped, which ones, and whether that pays: by what became of those
// before.
//
//     turn of chunk    0  1  2  3  4  5  6  7  8  9 ...  a remapping takes as long as 3 chunks
//     depth            1  2  2  3  3  4  4  4  4  4      by 1 deeper for each late one: 1, 3, 4
//     asked for        1  3  4  6  7  9 10 11 12 13      those in between would be late, too
//     remapped                           6  7     9 10 11 ...
//
// From a depth of r on, of a remapping that takes as long as r chunks, all are in time, if there
// are as many threads. As chunks that were asked for before are late meanwhile it becomes up to
// twice that; then it falls to where they are just in time. With fewer threads the newest one that
// was asked for is begun whenever one is free, so that what is begun is in time.
#ifndef LIN_PIPELINE_PACE_H
#define LIN_PIPELINE_PACE_H

#include "versions/times.h"

typedef enum lin_arrival {
  LIN_ARRIVED,   // its remapping is there
  LIN_LATE,      // it was begun
  LIN_NOT_BEGUN, // or not, or has failed
} lin_arrival;

typedef struct lin_pace {
  size_t chunks;
  size_t asked; // the last chunk that was asked for
  uint32_t depth, most_depth;
  uint32_t late;       // in a row at the greatest depth
  size_t settled;      // what was asked for at another depth, up to this chunk
  uint32_t arrived;    // in a row, of what was asked for at this one,
  size_t least_before; // and were there so many turns before their own, at least
  lin_times plain, remapped;
  bool is_over;
} lin_pace;

void lin_pace_begin(lin_pace *pace, size_t chunks, uint32_t most_depth);

// The turn of a chunk has come. `before`: how many chunks before it it was there, if it is. O(1).
void lin_pace_turn(lin_pace *pace, size_t chunk, lin_arrival arrival, size_t before);

// The chunk to be remapped when that is done, or SIZE_MAX. O(1).
size_t lin_pace_ask(lin_pace *pace, size_t chunk);

// How long a chunk took, in nanoseconds. O(LIN_TIMES^2).
void lin_pace_took(lin_pace *pace, bool was_remapped, uint64_t time);

#endif
