// An arm of a branch as a row of pieces, cut where something has to wait for a load or the like:
// what a front end tells of it (front.h), and what choose/schedule.h chooses by.
//
//     a1 ....... a2 .. a3        dots: the warp waits, if nothing else runs
//
// A cut is between two pieces. What comes before it stands at the front of its block, or is moved
// there: instructions that need not wait.
#ifndef LIN_FRONT_PIECES_H
#define LIN_FRONT_PIECES_H

#include "graph/graph.h"

// Of an arm: what choose/schedule.h tries grows with the fourth power of it.
enum { LIN_MOST_PIECES = 8 };

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

// A place where an arm can be cut: in a block, or before it.
typedef struct lin_cut {
  lin_block block;
  uint32_t length; // instructions that come before it, but behind earlier cuts of the block; 0: the
                   // cut is before the block
  uint32_t cost;   // of these
  uint32_t place;  // the front end's own number of it
} lin_cut;

// The blocks of an arm in order. Those inside of a branch or loop of the arm stand behind the block
// that leads to them, and stay in one piece with its end.
typedef struct lin_arm {
  lin_block *block; // [count]
  bool *inside;     // [count]
  uint32_t count;
} lin_arm;

typedef struct lin_pieces {
  lin_row row;
  lin_cut cut[LIN_MOST_PIECES - 1]; // [num_cuts] behind each piece but the last
  uint32_t num_cuts;
} lin_pieces;

#endif
