#include "places.h"

#include "graph/graph.h"
#include "numbers.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

LLVMMetadataRef *lin_ir_places_note(lin_arena *arena, const linearize_report *report,
                                    size_t first) {
  LLVMMetadataRef *line = LIN_ARRAY(arena, LLVMMetadataRef, report->num_remarks - first);
  for (size_t i = first; i < report->num_remarks; i++)
    if (report->remarks[i].instruction != NULL)
      line[i - first] = LLVMInstructionGetDebugLoc(report->remarks[i].instruction);
  return line;
}

// Where the search is: remarks that share an instruction, or a line, have the number of the first.
typedef struct search {
  lin_numbers instructions, lines;
  LLVMValueRef *kept;  // [count] the instruction, if it is still there
  LLVMValueRef *alike; // [count] the first of the same line
} search;

static uint32_t number(lin_arena *arena, lin_numbers *numbers, const void *key, uint32_t next) {
  if (key == NULL)
    return LIN_NONE;
  uint32_t known = lin_numbers_find(numbers, key);
  if (known == LIN_NONE)
    lin_numbers_add(arena, numbers, key, next);
  return known == LIN_NONE ? next : known;
}

// An instruction at the address of one that has gone may be another one: its line tells.
static void look_at(search *s, LLVMValueRef instruction, const LLVMMetadataRef *line) {
  LLVMMetadataRef here = LLVMInstructionGetDebugLoc(instruction);
  uint32_t same = lin_numbers_find(&s->instructions, instruction);
  if (same != LIN_NONE && line[same] == here)
    s->kept[same] = instruction;
  uint32_t alike = here == NULL ? LIN_NONE : lin_numbers_find(&s->lines, here);
  if (alike != LIN_NONE && s->alike[alike] == NULL)
    s->alike[alike] = instruction;
}

void lin_ir_places_find(lin_arena *arena, LLVMValueRef function, linearize_report *report,
                        size_t first, size_t count, const LLVMMetadataRef *line) {
  search s = {.kept = LIN_ARRAY(arena, LLVMValueRef, count),
              .alike = LIN_ARRAY(arena, LLVMValueRef, count)};
  uint32_t *same = LIN_ARRAY(arena, uint32_t, count), *alike = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    same[i] = number(arena, &s.instructions, report->remarks[first + i].instruction, i);
    alike[i] = number(arena, &s.lines, line[i], i);
  }
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL && count > 0;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      look_at(&s, at, line);
  for (uint32_t i = 0; i < count; i++) {
    LLVMValueRef found = same[i] == LIN_NONE ? NULL : s.kept[same[i]];
    if (found == NULL && alike[i] != LIN_NONE)
      found = s.alike[alike[i]];
    report->remarks[first + i].instruction = found;
  }
}
