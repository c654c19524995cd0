// Where two arms of a branch change over to each other (section 5.1).
//
// An arm is a row of pieces, cut where something has to wait for a load or the like. If two arms
// take turns, pieces of one run while the other one waits:
//
//     one behind the other   a1 ....... a2  b1 ........... b2
//     taking turns           a1 b1 .... a2 .......b2                 dots: the warp waits
//
// Each change costs a guard, and what is live at a cut keeps its registers while the other arm
// runs.
#ifndef LIN_CHOOSE_SCHEDULE_H
#define LIN_CHOOSE_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

enum { LIN_MOST_PIECES = 8, LIN_MOST_CUTS = 2 };

typedef struct lin_piece {
  uint64_t work; // cycles that its instructions take, issued one behind the other
  uint64_t wait; // cycles until the next piece can go on, if nothing else runs; 0 for the last one
  uint32_t live; // registers of the arm's own values that the next piece, or a later one, needs
} lin_piece;

typedef struct lin_row {
  lin_piece piece[LIN_MOST_PIECES]; // [count]
  uint32_t count;
  uint32_t registers; // for the arm's own values, at most
} lin_row;

typedef struct lin_cuts {
  int64_t gain;                     // cycles, less the guards'
  uint32_t num_cuts;                // of each arm
  uint32_t after[2][LIN_MOST_CUTS]; // [num_cuts] the piece behind which each arm is cut
} lin_cuts;

// What the two arms have around them.
typedef struct lin_setting {
  uint64_t hidden;    // cycles of each wait in which other warps run
  uint32_t registers; // that both arms may take
} lin_setting;

// Chooses where to cut so that most is gained, among what the registers allow; each arm is cut as
// often as the other. Returns false, and sets nothing, if there is no way. O(1): tries all.
bool lin_schedule(const lin_row row[2], const lin_setting *setting, lin_cuts *turns);

#endif
