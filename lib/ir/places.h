// Where remarks are, while later steps change the function: the instruction that stands for a
// remark's source line may go, and another one of that line takes its place.
#ifndef LIN_IR_PLACES_H
#define LIN_IR_PLACES_H

#include "graph/arena.h"
#include "linearize/linearize.h"

// The source lines of the remarks from number `first` on, NULL where there is none. O(remarks).
LLVMMetadataRef *lin_ir_places_note(lin_arena *arena, const linearize_report *report, size_t first);

// Behind a step that changed `function`: of the remarks whose lines were noted, an instruction that
// has gone is replaced by the first one of the same line, or by NULL. O(instructions + remarks).
void lin_ir_places_find(lin_arena *arena, LLVMValueRef function, linearize_report *report,
                        size_t first, size_t count, const LLVMMetadataRef *line);

#endif
