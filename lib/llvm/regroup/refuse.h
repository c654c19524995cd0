// Why threads aren't regrouped at points: what a kernel has that would go wrong, in words for its
// author, and what to do about it.
#ifndef LIN_LLVM_REGROUP_REFUSE_H
#define LIN_LLVM_REGROUP_REFUSE_H

#include "homes.h"

// Of a function as a whole, as `f` has it; NULL: nothing. O(instructions).
const char *lin_ir_refuse_function(lin_arena *arena, const lin_ir_function *f);

// Of what a mark says; NULL: nothing. O(1).
const char *lin_ir_refuse_point(const lin_ir_point *point);

// Of a station of the plan; NULL: nothing. In the arena. O(instructions, with all that is called).
const char *lin_ir_refuse_station(lin_arena *arena, const lin_ir_plan *plan, uint32_t station,
                                  const lin_ir_homes *homes);

#endif
