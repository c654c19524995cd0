// Exits of a loop that go through a flag. What a thread does next, after it has found that it
// leaves, often stands in a flag that the loop's blocks join and test: front ends write it so where
// a scope ends (clang does for each `return`, `goto` or `break` out of a block with variables in
// it), and LLVM takes it back for CPUs only. Here such exits become edges out of the loop again; it
// is jump threading (Bodík, Gupta and Soffa, "Interprocedural Conditional Branch Elimination",
// 1997), for exits alone:
//
//     ┌─▶ h ──┐                           ┌─▶ h ───┐
//     │   │   │ stay = false              │   │    │
//     │   ▼   │                           │   ▼    ▼
//     │   b   │ stay = true      ==>      │   b    m'
//     │   │   │                           │   │    │
//     │   ▼   │                           │   ▼    │
//     └── m ◀─┘  stay ? h : x             └── m    │
//         └──▶ x                               x ◀─┘
//
// Who leaves waits for the others behind the loop, as before; the flag, its test, and the wait for
// each other at m, in every iteration, go. So all threads have to come to x, and those that stay
// must be together without m.
#ifndef LIN_CHOOSE_EXITS_H
#define LIN_CHOOSE_EXITS_H

#include "front/edit.h"
#include "front/front.h"
#include "linearize/shape.h"
#include "policy.h"

// Finds edges to a block of which is known that they leave the loop there, one destination for each
// block that tests a flag, and has each such block copied for them. Blocks that the pass has made
// to join threads are no such blocks. The shape is of the graph that `front` was asked to read. The
// edits live in the arena. O(edges, and questions for each edge into a block that tests a flag).
lin_edits *lin_exits_find(lin_arena *arena, const lin_front *front, const lin_shape *shape,
                          const lin_policy *policy);

#endif
