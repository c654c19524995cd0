// Where two arms of a branch change over to each other (section 5.1).
//
// An arm is a row of pieces (front/pieces.h). If two arms take turns, pieces of one run while the
// other one waits:
//
//     one behind the other   a1 ....... a2  b1 ........... b2
//     taking turns           a1 b1 .... a2 .......b2                 dots: the warp waits
//
// Each change costs a guard, and what is live at a cut keeps its registers while the other arm
// runs.
#ifndef LIN_CHOOSE_SCHEDULE_H
#define LIN_CHOOSE_SCHEDULE_H

#include "front/pieces.h"

// Cuts of an arm. All ways to place them are tried: pieces^(2 * LIN_MOST_CUTS) at most.
enum { LIN_MOST_CUTS = 2 };

typedef struct lin_cuts {
  int64_t gain;                     // cycles, less the guards'
  uint32_t num_cuts;                // of each arm
  uint32_t after[2][LIN_MOST_CUTS]; // [num_cuts] the piece behind which each arm is cut
} lin_cuts;

// What the two arms have around them.
typedef struct lin_setting {
  uint64_t hidden;    // cycles of each wait in which other warps run
  uint32_t registers; // that both arms may take
  uint32_t parting;   // cycles that a branch takes which parts a warp (gpu/target.h)
} lin_setting;

// Chooses where to cut so that most is gained, among what the registers allow; each arm is cut as
// often as the other. Returns false, and sets nothing, if there is no way. O(1): tries all.
bool lin_schedule(const lin_row row[2], const lin_setting *setting, lin_cuts *turns);

#endif
