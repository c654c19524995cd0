#include "inspect.h"

#include "place.h"
#include "llvm/ask/spaces.h"
#include "llvm/count/cycles.h"
#include "llvm/edit/clone.h"
#include "llvm/read/read.h"

#include <string.h>

// ---- what goes ---------------------------------------------------------------------------------

static void drop_rest(const lin_ir_slice *slice) {
  for (uint32_t i = slice->count; i-- > 0;) {
    LLVMValueRef at = slice->instruction[i];
    if (slice->is_kept[i])
      continue;
    LLVMTypeRef type = LLVMTypeOf(at);
    if (LLVMGetFirstUse(at) != NULL && LLVMGetTypeKind(type) != LLVMTokenTypeKind)
      LLVMReplaceAllUsesWith(at, LLVMGetUndef(type));
    LLVMInstructionEraseFromParent(at);
  }
}

// ---- keys --------------------------------------------------------------------------------------

enum { MIXED_BITS = 8 };

// What entering a block adds: its cycles, and eight bits of its number, mixed, so that ways that
// take equally long differ.
static uint32_t part_of(lin_block block, uint32_t cycles) {
  const uint32_t mixed = (block + 1) * UINT32_C(0x9e3779b1) >> (32 - MIXED_BITS);
  return (cycles << MIXED_BITS) + mixed;
}

// A phi at the top of every block but the first one, and what it is plus the block's part at its
// end.
static LLVMValueRef *make_keys(lin_arena *arena, const lin_ir_site *s, const lin_ir_function *f,
                               const uint32_t *cycles) {
  const lin_graph *g = f->graph;
  LLVMValueRef *phi = LIN_ARRAY(arena, LLVMValueRef, g->num_blocks);
  LLVMValueRef *key = LIN_ARRAY(arena, LLVMValueRef, g->num_blocks);
  for (lin_block b = 0; b < g->num_blocks; b++) {
    LLVMPositionBuilderBefore(s->builder, LLVMGetFirstInstruction(f->block[b]));
    phi[b] = b == 0 ? LLVMConstInt(s->word, 0, false) : LLVMBuildPhi(s->builder, s->word, "");
    LLVMPositionBuilderBefore(s->builder, LLVMGetBasicBlockTerminator(f->block[b]));
    key[b] = LLVMBuildAdd(s->builder, phi[b], LLVMConstInt(s->word, part_of(b, cycles[b]), false),
                          "key");
  }
  for (lin_block b = 0; b < g->num_blocks; b++)
    for (lin_edge e = g->first_edge[b]; e < g->first_edge[b + 1]; e++)
      if (g->destination[e] != 0)
        LLVMAddIncoming(phi[g->destination[e]], &key[b], &f->block[b], 1);
  return key;
}

static void write_keys(const lin_ir_site *s, const lin_ir_function *f, LLVMValueRef at,
                       const LLVMValueRef *key) {
  for (lin_block b = 0; b < f->graph->num_blocks; b++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(f->block[b]);
    if (LLVMIsAReturnInst(end) == NULL)
      continue;
    LLVMPositionBuilderBefore(s->builder, end);
    LLVMBuildStore(s->builder, key[b], at);
  }
}

static LLVMValueRef finish(lin_arena *arena, const lin_ir_function *f, const lin_ir_slice *slice,
                           bool is_line) {
  const uint32_t *cycles = lin_ir_cycles(arena, f); // of the whole kernel's code
  drop_rest(slice);
  const lin_ir_site s = lin_ir_begin_site(f->function);
  LLVMValueRef place = lin_ir_place_of_thread(&s, is_line ? 1 : LIN_IR_AXES);
  LLVMValueRef at = lin_ir_element_at(&s, LLVMGetLastParam(f->function), place);
  write_keys(&s, f, at, make_keys(arena, &s, f, cycles));
  LLVMDisposeBuilder(s.builder);
  return f->function;
}

LLVMValueRef lin_ir_inspect(lin_arena *arena, LLVMValueRef kernel, const char *name, bool is_line,
                            unsigned most_percent, const char **why, unsigned *line) {
  const lin_ir_read_options options = {.force = true};
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  LLVMValueRef copy =
      lin_ir_clone_with(kernel, name, LLVMPointerTypeInContext(context, LIN_IR_GLOBAL), "keys");
  const lin_ir_function *f = lin_ir_read(arena, copy, &options);
  const lin_ir_slice slice = lin_ir_find_slice(arena, f, most_percent);
  if (slice.why[0] == '\0')
    return finish(arena, f, &slice, is_line);
  *why = lin_arena_text(arena, slice.why, strlen(slice.why));
  *line = slice.where == NULL ? 0 : LLVMGetDebugLocLine(slice.where);
  lin_ir_erase(copy);
  return NULL;
}
