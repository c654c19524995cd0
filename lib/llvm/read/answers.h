// Answers to the core's questions about a function's code (front/front.h).
#ifndef LIN_LLVM_READ_ANSWERS_H
#define LIN_LLVM_READ_ANSWERS_H

#include "front/front.h"
#include "pieces.h"
#include "read.h"

// A front that answers for `f` as it is now, and until it is changed; it lives in the arena. Each
// answer is O(instructions of the block, and their uses); the first ones O(blocks) once.
const lin_front *lin_ir_answers(lin_arena *arena, const lin_ir_function *f);

// The place of that number, of those that `front`, such answers, has given as cuts. O(1).
const lin_ir_cut *lin_ir_place(const lin_front *front, uint32_t place);

#endif
