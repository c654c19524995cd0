// What regrouping the threads of a block once takes, in cycles of a multiprocessor a warp, in each
// of which it issues four warp instructions. Measured on an H200 with 256 threads a block (written
// by hand, 2026-11-22); nobody has measured others, which are taken to be like it. `scripts/bench
// reorder --run costs` measures it anew.
//
//     HoT, 2 keys, 2 / 8 words                    14 / 26
//     votes, 2 keys, 2 words                      13
//     votes, 8 keys, 2 / 8 / 16 / 32 words        28 / 37 / 55 / 114
//     votes, 32 keys, 2 words                     32
//     DGI, 2 / 8 keys, 2 words                    87 / 119
#ifndef LIN_GPU_ROUNDS_H
#define LIN_GPU_ROUNDS_H

// In eighths of a cycle, to a straight line through these.
enum {
  LIN_ROUND_UNIT = 8,
  LIN_HOT_ROUND = 80,   // and
  LIN_HOT_WORD = 16,    // for each word that moves
  LIN_VOTES_ROUND = 40, // of each pass of five bits
  LIN_VOTES_BIT = 40,   // for each bit of the keys
  LIN_VOTES_WORD = 14,
  LIN_DGI_ROUND = 600,
  LIN_DGI_KEY = 43,
  LIN_DGI_WORD = 14,
};

// Registers that a thread has for it, at least, beside those that its values need: ptxas 13.0 gives
// 18 to 31 more than lin_ir_most_live says to kernels of bench/regroup with a point, for sm_90, and
// rounds up to eight (`scripts/bench reorder --build`, and cuobjdump -res-usage of what it leaves).
// Arrays have the more room for it, and kernels with them are 0.91 to 1.10 times as fast
// (bench/results/h200-2026-11-25-points-room.txt, mid beside old).
enum { LIN_ROUND_REGISTERS = 20 };

// Bits of a key that one pass of votes sorts by.
enum { LIN_BITS_OF_PASS = 5 };

#endif
