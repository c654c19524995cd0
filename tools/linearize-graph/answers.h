// What a graph in text form says of the code of its blocks: a front end (front/front.h) for what
// has none. No test is known before it is taken, and what a block computes is used in it alone.
#ifndef LIN_TOOL_ANSWERS_H
#define LIN_TOOL_ANSWERS_H

#include "front/front.h"

// Answers for `graph`, which has to stay; in the arena. O(1), as is each question.
const lin_front *tool_answers(lin_arena *arena, const lin_graph *graph);

#endif
