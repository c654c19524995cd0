#include "regroup.h"

#include "again.h"
#include "carry.h"
#include "cuts.h"
#include "lanes.h"
#include "station.h"
#include "llvm/ask/kernels.h"
#include "llvm/edit/unreachable.h"

#include <string.h>

static uint32_t count_points(LLVMValueRef function) {
  uint32_t count = 0;
  lin_ir_point point;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      count += lin_ir_is_point(at, &point);
  return count;
}

static void read_index_once(const lin_ir_emitter *e) {
  LLVMValueRef first[3] = {NULL};
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  for (LLVMBasicBlockRef block = entry; block != NULL; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block), next; at != NULL; at = next) {
      next = LLVMGetNextInstruction(at);
      int dimension = lin_ir_index_dimension(at);
      if (dimension < 0 || at == first[dimension])
        continue;
      if (first[dimension] == NULL) {
        static const char *const names[] = {"tid.x", "tid.y", "tid.z"};
        LLVMPositionBuilderBefore(e->builder, LLVMGetFirstInstruction(entry));
        first[dimension] = lin_ir_special(e, names[dimension]);
      }
      LLVMReplaceAllUsesWith(at, first[dimension]);
      LLVMInstructionEraseFromParent(at);
    }
}

static bool regroup(LLVMValueRef function) {
  lin_arena arena = {0};
  const lin_ir_read_options options = {.force = true};
  lin_ir_function *f = lin_ir_read(&arena, function, &options);
  if (lin_ir_has_unreachable(&arena, f))
    lin_ir_drop_unreachable(&arena, f, &options);
  lin_ir_emitter e = lin_ir_emitter_new(function);
  read_index_once(&e);
  lin_ir_cut_halves(&arena, function);
  lin_ir_plan plan = lin_ir_plan_cuts(&arena, function);
  lin_ir_cuts cuts = lin_ir_make_cuts(&arena, &plan);
  const char *refused = NULL;
  f = lin_ir_read(&arena, function, &options);
  lin_ir_state state = lin_ir_find_state(&arena, f, &cuts, &refused);
  lin_ir_carry carry = lin_ir_carry_values(&arena, &e, &state);
  uint32_t words = 0, counts = 0;
  for (uint32_t i = 0; i < cuts.stations->num_stations; i++)
    words = words < state.num_words[i] ? state.num_words[i] : words;
  carry.label = lin_ir_new_slot(&e, e.word, "linearize.label");
  carry.key = lin_ir_new_slot(&e, e.word, "linearize.key");
  carry.word = LIN_ARRAY(&arena, LLVMValueRef, words);
  for (uint32_t i = 0; i < words; i++)
    carry.word[i] = lin_ir_new_slot(&e, e.word, "linearize.word");
  lin_ir_station *station = LIN_ARRAY(&arena, lin_ir_station, cuts.stations->num_stations);
  for (uint32_t i = 0; i < cuts.stations->num_stations; i++) {
    station[i] = (lin_ir_station){.algorithm = LIN_VOTES, .least_gain = 1, .at_once = 4};
    station[i].first_key = LIN_ARRAY(&arena, uint32_t, cuts.first[i + 1] - cuts.first[i]);
    for (uint32_t j = cuts.first[i]; j < cuts.first[i + 1]; j++)
      if (cuts.cut[j].kind == LIN_CUT_POINT) {
        station[i].first_key[j - cuts.first[i]] = station[i].keys;
        station[i].keys += UINT32_C(1) << cuts.cut[j].point.bits;
      }
    uint32_t bytes = lin_votes_bytes(station[i].keys, 1024);
    counts = counts < bytes ? bytes : counts;
  }
  counts = (counts + 15) / 16 * 16;
  lin_ir_lanes lanes = lin_ir_find_lanes(&e, 1024, false, counts, counts + 1024 * 4 * 4);
  for (uint32_t i = 0; i < cuts.stations->num_stations; i++)
    lin_ir_build_station(&arena, &e, &cuts, &carry, &lanes, i, &station[i]);
  LLVMDisposeBuilder(e.builder);
  lin_arena_release(&arena);
  return true;
}

bool lin_ir_regroup(LLVMModuleRef module, linearize_report *report) {
  (void)report;
  bool changed = lin_ir_mark_points(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && lin_ir_is_kernel(f) && count_points(f) > 0)
      changed |= regroup(f);
  return changed;
}
