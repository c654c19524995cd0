// For each value, from each block that uses it backwards to the one that defines it. A phi uses its
// values at the ends of the blocks that they come from.
#include "live.h"

#include "numbers.h"

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

typedef struct walk {
  const lin_ir_function *f;
  lin_numbers number;  // of blocks
  uint32_t *registers; // [num_blocks] behind each
  uint32_t *seen;      // [num_blocks] the value behind whose number it was counted, + 1
  lin_block *pending;  // [num_blocks] where the value is needed
  uint32_t num_pending;
} walk;

static void need_behind(walk *w, lin_block block, lin_block defined, uint32_t value,
                        uint32_t width) {
  if (w->seen[block] == value + 1)
    return;
  w->seen[block] = value + 1;
  w->registers[block] += width;
  if (block != defined)
    w->pending[w->num_pending++] = block;
}

static void need_in(walk *w, lin_block block, lin_block defined, uint32_t value, uint32_t width) {
  const lin_graph *graph = w->f->graph;
  for (LIN_IN_EDGES(graph, block, i))
    need_behind(w, graph->source[graph->in_edge[i]], defined, value, width);
}

static void follow(walk *w, LLVMValueRef at, lin_block defined, uint32_t value) {
  uint32_t width = lin_ir_registers_of(w->f, LLVMTypeOf(at));
  if (width == 0)
    return;
  for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
    lin_block block = lin_numbers_find(&w->number, lin_ir_place_of(use));
    if (LLVMIsAPHINode(LLVMGetUser(use)))
      need_behind(w, block, defined, value, width);
    else if (block != defined)
      need_in(w, block, defined, value, width);
  }
  while (w->num_pending > 0)
    need_in(w, w->pending[--w->num_pending], defined, value, width);
}

uint32_t *lin_ir_live_out(lin_arena *arena, const lin_ir_function *f) {
  uint32_t blocks = f->graph->num_blocks;
  walk w = {.f = f,
            .registers = LIN_ARRAY(arena, uint32_t, blocks),
            .seen = LIN_ARRAY(arena, uint32_t, blocks),
            .pending = LIN_ARRAY(arena, lin_block, blocks)};
  for (lin_block block = 0; block < blocks; block++)
    lin_numbers_add(arena, &w.number, f->block[block], block);
  uint32_t value = 0;
  for (lin_block block = 0; block < blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      follow(&w, at, block, value++);
  return w.registers;
}
