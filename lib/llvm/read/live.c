// For each value, from each block that uses it backwards to the one that defines it. A phi uses its
// values at the ends of the blocks that they come from.
#include "live.h"

#include "llvm/ask/occupancy.h"

#include <llvm-c/Target.h>

enum { REGISTER = 32 };

uint32_t lin_ir_registers_of(const lin_ir_function *f, LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMVoidTypeKind || kind == LLVMTokenTypeKind || kind == LLVMLabelTypeKind ||
      kind == LLVMMetadataTypeKind)
    return 0;
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f->function));
  uint64_t bits = LLVMSizeOfTypeInBits(layout, type);
  return bits == 1 ? 0 : (uint32_t)((bits + REGISTER - 1) / REGISTER);
}

static void need_behind(lin_ir_live *live, lin_block block) {
  if (live->seen[block] == live->value)
    return;
  live->seen[block] = live->value;
  live->behind[live->count++] = block;
}

static void need_in(lin_ir_live *live, lin_block block) {
  const lin_graph *graph = live->f->graph;
  for (LIN_IN_EDGES(graph, block, i))
    need_behind(live, graph->source[graph->in_edge[i]]);
}

lin_ir_live *lin_ir_live_new(lin_arena *arena, const lin_ir_function *f) {
  uint32_t blocks = f->graph->num_blocks;
  lin_ir_live *live = LIN_ARRAY(arena, lin_ir_live, 1);
  *live = (lin_ir_live){.f = f,
                        .seen = LIN_ARRAY(arena, uint32_t, blocks),
                        .behind = LIN_ARRAY(arena, lin_block, blocks)};
  for (lin_block block = 0; block < blocks; block++)
    lin_numbers_add(arena, &live->number, f->block[block], block);
  return live;
}

void lin_ir_live_find(lin_ir_live *live, LLVMValueRef value, lin_block defined) {
  lin_ir_live_find_also(live, value, defined, NULL, 0);
}

void lin_ir_live_find_also(lin_ir_live *live, LLVMValueRef value, lin_block defined,
                           const lin_block *also, uint32_t count) {
  live->value++;
  live->count = 0;
  for (uint32_t i = 0; i < count; i++)
    need_behind(live, also[i]);
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    lin_block block = lin_numbers_find(&live->number, lin_ir_place_of(use));
    if (LLVMIsAPHINode(LLVMGetUser(use)))
      need_behind(live, block);
    else if (block != defined)
      need_in(live, block);
  }
  for (uint32_t i = 0; i < live->count; i++)
    if (live->behind[i] != defined)
      need_in(live, live->behind[i]);
}

uint32_t *lin_ir_live_out(lin_arena *arena, const lin_ir_function *f) {
  lin_ir_live *live = lin_ir_live_new(arena, f);
  uint32_t *registers = LIN_ARRAY(arena, uint32_t, f->graph->num_blocks);
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      uint32_t width = lin_ir_registers_of(f, LLVMTypeOf(at));
      if (width == 0)
        continue;
      lin_ir_live_find(live, at, block);
      for (uint32_t i = 0; i < live->count; i++)
        registers[live->behind[i]] += width;
    }
  return registers;
}

enum { MOST_BLOCKS_LOOKED_AT = 4096 }; // looking takes longer the further values are carried

uint32_t lin_ir_most_live(const lin_ir_function *f) {
  if (f->graph->num_blocks > MOST_BLOCKS_LOOKED_AT)
    return UINT32_MAX;
  lin_arena arena = {0};
  const uint32_t *live = lin_ir_live_out(&arena, f);
  uint32_t most = 0;
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    most = live[block] > most ? live[block] : most;
  lin_arena_release(&arena);
  return most;
}

bool lin_ir_has_many_registers(const lin_ir_function *f) {
  return lin_ir_most_live(f) > lin_ir_registers(f->function, lin_ir_warps(f->function));
}
