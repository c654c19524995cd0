// Cuts the two arms of branches into stages that take turns (interleave.h): pieces of them
// (front/pieces.h), as many of each arm, at the places that schedule.h chooses.
//
//     D ─▶ a1 a2 ─▶ P          D ─▶ a1 │ a2 ─▶ P         a2 begins a stage, and so does b2
//      ╲─▶ b1 b2 ─▶╯     ==>    ╲─▶ b1 │ b2 ─▶╯
#ifndef LIN_CHOOSE_STAGES_H
#define LIN_CHOOSE_STAGES_H

#include "front/edit.h"
#include "front/front.h"
#include "interleave.h"
#include "linearize/shape.h"
#include "policy.h"

// Finds the branches that gain by it, inner ones first, and that contain no other one of which that
// is true, and has their arms cut; those that would gain if fewer warps hid their waits are
// edits->hidden. The shape is of the graph that `front` was asked to read. The edits live in the
// arena. O(edges, and blocks of arms, * nesting), and questions for each arm.
lin_edits *lin_stages_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                           const lin_policy *policy);

#endif
