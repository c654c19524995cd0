// The driver: does to a function what is asked for, by the list of passes (passes.h), through a
// front end (front_end.h). For each mode:
//
//     read the function; is there anything to do in it?
//     passes of LIN_BEFORE
//     analyse, choose regions, plan (pipeline.h)
//     until nothing changes:
//       passes of LIN_IN_ROUND: each proposes edits, which are made, and all is planned anew; the
//       last one writes the plan and tells of it
//
// and the passes of LIN_AT_LAST, once, if anything has changed.
//
// Branches that the threads of a warp take together are dear to find, and so is what is called:
// both are asked for only where there is something to do, and the first only within the budget.
#ifndef LIN_DRIVER_DRIVER_H
#define LIN_DRIVER_DRIVER_H

#include "state.h"

// Does all that is asked for. Returns whether the function was changed. O(rounds * (edges log
// blocks + blocks * nesting of regions)), and what the front end takes; a mode bounds its rounds
// (choose/modes.h).
bool lin_drive(lin_arena *arena, const lin_front_end *end, const lin_asked *asked);

// Plans the first mode that is asked for, and changes nothing. Returns whether there is a plan:
// driver->result.
bool lin_drive_plan(lin_driver *driver, lin_arena *arena, const lin_front_end *end,
                    const lin_asked *asked);

// Whether a function has what a mode's regions are made of: unstructured control flow, a loop nest;
// always, for what is found in structured code. Says nothing of whether it pays. O(loops).
bool lin_driver_has_work(const lin_shape *shape, lin_basis basis);

#endif
