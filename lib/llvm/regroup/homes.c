#include "homes.h"

#include "again.h"
#include "memory.h"
#include "llvm/ask/names.h"

#include <llvm-c/Target.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4 };

static uint32_t round_up(uint32_t value, uint32_t to) { return (value + to - 1) / to * to; }

// ---- which

static uint32_t stride_of(uint32_t bytes, uint32_t align) {
  uint32_t stride = round_up(bytes, align);
  return stride / align % 2 == 0 ? stride + align : stride;
}

typedef struct candidate {
  LLVMValueRef variable;
  uint64_t bytes;
  uint32_t number;
} candidate;

static bool moves(const lin_ir_own_memory *memory, uint32_t i, uint32_t cuts) {
  for (uint32_t cut = 0; cut < cuts; cut++)
    if (memory->moves[i][cut])
      return true;
  return false;
}

// The larger ones first.
static int compare(const void *a, const void *b) {
  const candidate *x = a, *y = b;
  if (x->bytes != y->bytes)
    return x->bytes < y->bytes ? 1 : -1;
  return (x->number > y->number) - (x->number < y->number);
}

static candidate *find_candidates(lin_arena *arena, const lin_ir_plan *plan, uint32_t *count) {
  const char *refused = NULL;
  const lin_ir_cuts cuts = lin_ir_planned_cuts(arena, plan, LIN_NONE);
  const lin_ir_own_memory memory = lin_ir_find_memory(arena, plan->f, &cuts, &refused);
  candidate *found = LIN_ARRAY(arena, candidate, memory.count);
  *count = 0;
  for (uint32_t i = 0; i < memory.count && refused == NULL; i++)
    if (!memory.is_local[i] && moves(&memory, i, cuts.count))
      found[(*count)++] = (candidate){memory.variable[i], memory.bytes[i], i};
  if (*count > 0)
    qsort(found, *count, sizeof *found, compare);
  return found;
}

lin_ir_homes lin_ir_find_homes(lin_arena *arena, const lin_ir_plan *plan, const lin_room *room) {
  lin_ir_homes homes = {.align = WORD};
  const uint32_t most = lin_room_of_homes(room);
  uint32_t count, bytes = 0;
  const candidate *found = find_candidates(arena, plan, &count);
  homes.variable = LIN_ARRAY(arena, LLVMValueRef, count);
  homes.at = LIN_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    if (found[i].bytes > most)
      continue;
    uint32_t align = LLVMGetAlignment(found[i].variable);
    uint32_t at = round_up(bytes, align), of_all = align > homes.align ? align : homes.align;
    uint32_t stride = stride_of(at + (uint32_t)found[i].bytes, of_all);
    if (stride > most)
      continue;
    lin_numbers_add(arena, &homes.number, found[i].variable, homes.count);
    homes.variable[homes.count] = found[i].variable;
    homes.at[homes.count++] = at;
    bytes = at + (uint32_t)found[i].bytes;
    homes.align = of_all;
    homes.stride = stride;
  }
  return homes;
}

uint32_t lin_ir_bytes_of_homes(const lin_ir_homes *homes, const lin_room *room) {
  return round_up(homes->stride * (room->threads == 0 ? LIN_LARGEST_BLOCK : room->threads), 16);
}

// ---- moving in

static void erase_lifetimes(LLVMValueRef variable) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use != NULL; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (strncmp(lin_ir_called_name(user), "llvm.lifetime.", 14) == 0)
      LLVMInstructionEraseFromParent(user);
  }
}

// The number of the place where the thread began.
static LLVMValueRef number_of_home(const lin_ir_emitter *e) {
  LLVMValueRef x = lin_ir_special(e, LIN_NVPTX_TID, 0), y = lin_ir_special(e, LIN_NVPTX_TID, 1),
               z = lin_ir_special(e, LIN_NVPTX_TID, 2), nx = lin_ir_special(e, LIN_NVPTX_NTID, 0),
               ny = lin_ir_special(e, LIN_NVPTX_NTID, 1);
  LLVMValueRef row = lin_ir_add(e, lin_ir_multiply(e, z, ny), y);
  return lin_ir_and(e, lin_ir_add(e, lin_ir_multiply(e, row, nx), x),
                    lin_ir_word(e, LIN_LARGEST_BLOCK - 1));
}

void lin_ir_build_homes(const lin_ir_emitter *e, const lin_ir_homes *homes, const lin_room *room) {
  if (homes->count == 0)
    return;
  LLVMValueRef memory =
      lin_ir_shared_memory(e, "linearize.homes", lin_ir_bytes_of_homes(homes, room), homes->align);
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(e->function));
  LLVMTypeRef generic = LLVMPointerTypeInContext(e->context, 0);
  LLVMPositionBuilderBefore(e->builder, first);
  LLVMValueRef own = lin_ir_at(
      e, e->byte, memory, lin_ir_multiply(e, number_of_home(e), lin_ir_word(e, homes->stride)));
  for (uint32_t i = 0; i < homes->count; i++) {
    LLVMValueRef at = lin_ir_at(e, e->byte, own, lin_ir_word(e, homes->at[i]));
    erase_lifetimes(homes->variable[i]);
    LLVMReplaceAllUsesWith(homes->variable[i], LLVMBuildAddrSpaceCast(e->builder, at, generic, ""));
    LLVMInstructionEraseFromParent(homes->variable[i]);
  }
}
