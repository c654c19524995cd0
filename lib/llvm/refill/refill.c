// 1. Attributes and metadata that hold for one item, but not for the next one, go.
// 2. The plan (refill/plan.h). From here on the kernel is changed.
// 3. The prologue; values go through slots; edges lead by `look`; registers again.
#include "refill.h"

#include "alike.h"
#include "registers.h"
#include "state.h"
#include "llvm/ask/names.h"
#include "llvm/edit/unreachable.h"
#include "llvm/tell/message.h"

#include <string.h>

// ---- step 1 ------------------------------------------------------------------------------------

static void drop_attribute(LLVMValueRef kernel, unsigned index, const char *name) {
  LLVMRemoveEnumAttributeAtIndex(kernel, index,
                                 LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void set_attributes(LLVMValueRef kernel, LLVMContextRef context) {
  static const char *const wrong[] = {"nosync", "mustprogress", "willreturn"};
  static const char convergent[] = "convergent";
  const LLVMAttributeIndex function = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    drop_attribute(kernel, function, wrong[i]);
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
    drop_attribute(kernel, i + 1, "noalias"); // other items write there, too
  const unsigned kind = LLVMGetEnumAttributeKindForName(convergent, sizeof convergent - 1);
  LLVMAddAttributeAtIndex(kernel, function, LLVMCreateEnumAttribute(context, kind, 0));
}

// A variable of the thread lives as long as the kernel.
static bool is_of_one_item(LLVMValueRef at) {
  const char *name = lin_ir_called_name(at);
  return lin_ir_begins_with(name, "llvm.lifetime.") ||
         lin_ir_begins_with(name, "llvm.experimental.noalias.scope.decl");
}

static void drop_promises(LLVMValueRef kernel) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(kernel));
  const unsigned noalias = LLVMGetMDKindIDInContext(context, "noalias", 7),
                 scope = LLVMGetMDKindIDInContext(context, "alias.scope", 11);
  set_attributes(kernel, context);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(kernel); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      LLVMSetMetadata(at, noalias, NULL);
      LLVMSetMetadata(at, scope, NULL);
      if (is_of_one_item(at))
        LLVMInstructionEraseFromParent(at);
    }
}

// Where the loop begins, in the code and in the source.
static void find_place(lin_arena *arena, LLVMBasicBlockRef header, lin_ir_refilling *how) {
  const char *name = LLVMGetBasicBlockName(header);
  how->block = lin_arena_text(arena, name, strlen(name));
  LLVMValueRef at = lin_ir_own_instruction(header);
  how->line = at == NULL ? 0 : LLVMGetDebugLocLine(at);
}

// ---- all of it ---------------------------------------------------------------------------------

const char *lin_ir_refill(lin_arena *arena, LLVMValueRef kernel, lin_ir_refilling *how) {
  const lin_ir_read_options options = {.force = true};
  lin_ir_function *f = lin_ir_read(arena, kernel, &options);
  if (lin_ir_has_unreachable(arena, f))
    f = lin_ir_drop_unreachable(arena, f, &options);
  const lin_loops *loops = lin_loops_build(arena, f->graph);
  lin_ir_find_alike(arena, f, loops, how->item);
  lin_refill_plan plan = lin_refill_find(arena, f->graph, loops, how->regardless);
  if (plan.loop != 0)
    find_place(arena, f->block[loops->header[plan.loop]], how);
  if (plan.why != NULL)
    return plan.why;
  how->idle_lanes = plan.idle_lanes = how->idle_lanes == 0 ? plan.idle_lanes : how->idle_lanes;
  how->steps = plan.steps = how->steps == 0 ? plan.steps : how->steps;
  lin_ir_refiller r = {.arena = arena,
                       .e = lin_ir_emitter_new(kernel),
                       .f = f,
                       .loops = loops,
                       .plan = &plan,
                       .counter = LLVMGetLastParam(kernel),
                       .item = how->item};
  drop_promises(kernel);
  lin_ir_drop_records(kernel);
  lin_ir_refill_begin(&r);
  lin_ir_refill_demote(&r);
  lin_ir_refill_reroute(&r);
  LLVMDisposeBuilder(r.e.builder);
  lin_ir_make_registers(kernel, r.slot, r.num_slots);
  return NULL;
}
