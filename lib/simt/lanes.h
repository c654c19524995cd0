// Arithmetic of a warp: one instruction for the lanes of a mask.
#ifndef LIN_SIMT_LANES_H
#define LIN_SIMT_LANES_H

#include "floats.h"
#include "program.h"

// Executes `instruction`, at most SIMT_LAST_ARITHMETIC, on `registers` for the lanes of `mask`;
// what other lanes hold stays. Returns NULL, or what was undefined: a division by zero; `*lane` is
// then the first lane it happened to. O(lanes).
const char *simt_lanes_execute(const simt_instruction *instruction, simt_lanes *registers,
                               uint32_t mask, unsigned *lane);

#endif
