// Strips of inner loops, made before a nest is merged (nests.h): the loop goes around at most so
// many times, and a loop around it asks whether it goes on.
//
//     h: ... br c, h, e     ==>    M: br h
//                                  h: k = phi [0, M], [k + 1, h]
//                                     ... br (c and k + 1 < strip), h, X
//                                  X: br c, M, e
#ifndef LIN_CHOOSE_STRIPS_H
#define LIN_CHOOSE_STRIPS_H

#include "front/edit.h"
#include "front/front.h"
#include "linearize/shape.h"
#include "nests.h"

// Has the loops cut into strips that are merged by `nests` and are better stripped first.
// The shape is of the graph that `front` was asked to read. The edits live in the arena. O(edges *
// nesting of loops).
lin_edits *lin_strips_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                           const lin_nests *nests);

#endif
