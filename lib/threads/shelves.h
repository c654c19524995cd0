// Groups by the least that their threads take (spans.h), so that who looks for an alike one finds
// it near: shelf 0 has the longest. What stands on one shelf has at least its floor, and less than
// the floor above.
//
//     floor     90    72    72    40     0
//     shelf      0     1     2     3     4         up <-- --> down
//     groups     a     b     -     d,f   -         empty ones are stepped over
#ifndef LIN_THREADS_SHELVES_H
#define LIN_THREADS_SHELVES_H

#include "memory.h"

#include <stdint.h>

enum { LIN_SHELF_LEVELS = 6 };  // of 64 to the power of which there are shelves
#define LIN_NO_SHELF UINT32_MAX // and no group
#define LIN_NO_GROUP LIN_NO_SHELF

typedef struct lin_shelves {
  uint32_t count;
  double *floor;                      // [count] falling; the last is 0
  uint32_t *first;                    // [count] group, or LIN_NO_GROUP
  uint32_t *next, *before;            // [groups] on the same shelf, or LIN_NO_GROUP
  uint32_t *shelf;                    // [groups]
  uint64_t *filled[LIN_SHELF_LEVELS]; // a bit for each shelf; for each word with a bit; and so on
  uint32_t words[LIN_SHELF_LEVELS];
} lin_shelves;

// Empty; the caller fills in `floor`. O(groups).
bool lin_shelves_new(lin_shelves *shelves, lin_memory *memory, uint32_t num_shelves,
                     uint32_t num_groups);

// The shelf for who takes `least`, which is not negative; `near` if there are several. O(log
// shelves).
uint32_t lin_shelves_for(const lin_shelves *shelves, double least, uint32_t near);

// O(1).
void lin_shelves_put(lin_shelves *shelves, uint32_t group, uint32_t shelf);
void lin_shelves_remove(lin_shelves *shelves, uint32_t group);

// The next shelf above or below one on which anything stands, or LIN_NO_SHELF. O(1).
uint32_t lin_shelves_up(const lin_shelves *shelves, uint32_t shelf);
uint32_t lin_shelves_down(const lin_shelves *shelves, uint32_t shelf);

#endif
