// Loops with several entries of which all but one lead straight to another: these blocks get a copy
// in front of the loop, which then has one entry and needs no guards.
//
//      D                     D
//     ╱ ╲                   ╱ ╲
//    ▼   ▼                 A'  │         A, without A' and its edges, is in the loop as before;
//    A ⇄ B      ==>         ╲  ▼         who came to A from outside runs A' instead, once
//                            ▶ B ⇄ A
//
// A warp's threads come together at B, as with a guard in front of A: A' is what they run before.
// ("Controlled node splitting", Janssen and Corporaal, 1996, where it costs one small block each.)
#ifndef LIN_CHOOSE_ENTRIES_H
#define LIN_CHOOSE_ENTRIES_H

#include "front/edit.h"
#include "front/front.h"
#include "linearize/algorithm2_regions.h"
#include "linearize/shape.h"

// Finds such entries of the irreducible loops in one of `regions`, if all but one can be copied and
// few instructions stand twice then; edits of one loop stand together. The shape is of the graph
// that `front` was asked to read. The edits live in the arena. O(edges of the loops * their
// entries^2, and questions for each entry).
lin_edits *lin_entries_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                            const lin_regions *regions);

#endif
