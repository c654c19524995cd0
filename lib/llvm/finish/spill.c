// A thread of a GPU has seven predicates. Conditions that are needed for long take them up, and
// code after linearize has many: guards, and what the function itself asks, which now lives as long
// as the region. Where there are too many, ptxas (13.0, from -O1 on) makes one again where it is
// needed, from what it was made of, and forgets that a call has been there in between:
//
//     call %r, f                              call %r, f
//     %c = %r is odd                          %c = %r is odd
//     ...                                     %w = %c ? 1 : 0
//     call %r, f                              ...
//     if %c                                   call %r, f
//                                             if %w is not 0
//     (asks whether the new %r is odd)
//
// It does so to code that it gets from clang, too; but predicates run out there more rarely. A
// register is put by before a call. Where ptxas sees what it stands for it may be a predicate
// again, so this makes wrong code rarer, by two thirds in random functions, and doesn't rule it
// out (docs/limits.md).
#include "spill.h"

#include "llvm/read/live.h"

typedef struct condition {
  LLVMValueRef value;
  LLVMValueRef word; // NULL until something needs it
  lin_block defined;
} condition;

// What was built last at the end of a block. One serves all phis, for what they get from one block
// must be the same.
typedef struct built {
  LLVMValueRef from, value;
} built;

typedef struct spiller {
  lin_arena *arena;
  const lin_ir_function *f;
  lin_ir_live *live;
  LLVMBuilderRef builder;
  LLVMTypeRef flag_type, word_type;
  bool *calls;          // [num_blocks]
  built *word, *test;   // [num_blocks]
  condition *condition; // those that are kept in words
  uint32_t count, capacity;
  lin_numbers number; // from values to conditions
} spiller;

static bool is_call(LLVMValueRef at) {
  if (!LLVMIsACallInst(at))
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(at);
  return !LLVMIsAInlineAsm(callee) && !(LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee) != 0);
}

static bool has_call(LLVMBasicBlockRef block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
       at = LLVMGetNextInstruction(at))
    if (is_call(at))
      return true;
  return false;
}

bool lin_ir_has_calls(LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    if (has_call(block))
      return true;
  return false;
}

// ---- which conditions

// True if there may be a call between the definition of a condition and a use in another block.
static bool crosses_call(const spiller *s, LLVMValueRef value, lin_block defined) {
  lin_ir_live_find(s->live, value, defined);
  if (s->live->count == 0)
    return false;
  for (uint32_t i = 0; i < s->live->count; i++)
    if (s->calls[s->live->behind[i]])
      return true;
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use))
    if (s->calls[lin_numbers_find(&s->live->number, lin_ir_place_of(use))])
      return true;
  return false;
}

static void consider(spiller *s, LLVMValueRef value, lin_block defined) {
  if (LLVMTypeOf(value) != s->flag_type || !crosses_call(s, value, defined))
    return;
  s->condition = LIN_ROOM(s->arena, s->condition, s->count, &s->capacity);
  lin_numbers_add(s->arena, &s->number, value, s->count);
  s->condition[s->count++] = (condition){value, NULL, defined};
}

static void find_conditions(spiller *s) {
  for (unsigned i = 0; i < LLVMCountParams(s->f->function); i++)
    consider(s, LLVMGetParam(s->f->function, i), 0);
  for (lin_block block = 0; block < s->f->graph->num_blocks; block++)
    for (LLVMValueRef at = LLVMGetFirstInstruction(s->f->block[block]); at != NULL;
         at = LLVMGetNextInstruction(at))
      consider(s, at, block);
}

static condition *kept(const spiller *s, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&s->number, value);
  return number == LIN_NONE ? NULL : &s->condition[number];
}

static bool is_phi(const condition *c) { return LLVMIsAPHINode(c->value) != NULL; }

static bool is_kept_phi(const spiller *s, LLVMValueRef value) {
  return LLVMIsAPHINode(value) && kept(s, value) != NULL;
}

// ---- words

static LLVMValueRef word_of(const spiller *s, condition *c) {
  LLVMValueRef at = c->value;
  if (c->word != NULL)
    return c->word;
  LLVMPositionBuilderBefore(s->builder, LLVMIsAInstruction(at)
                                            ? LLVMGetNextInstruction(at)
                                            : LLVMGetFirstInstruction(s->f->block[c->defined]));
  c->word = LLVMBuildZExt(s->builder, at, s->word_type, "");
  return c->word;
}

static LLVMValueRef word_on_way(const spiller *s, LLVMValueRef value, LLVMBasicBlockRef from) {
  condition *c = kept(s, value);
  if (c != NULL)
    return word_of(s, c);
  if (LLVMIsUndef(value))
    return LLVMGetPoison(s->word_type);
  built *last = &s->word[lin_numbers_find(&s->live->number, from)];
  if (last->from != value) {
    LLVMPositionBuilderBefore(s->builder, LLVMGetBasicBlockTerminator(from));
    *last = (built){value, LLVMBuildZExt(s->builder, value, s->word_type, "")};
  }
  return last->value; // of a constant, a constant
}

static void fill_phi(const spiller *s, const condition *c) {
  for (unsigned way = 0; way < LLVMCountIncoming(c->value); way++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(c->value, way);
    LLVMValueRef word = word_on_way(s, LLVMGetIncomingValue(c->value, way), from);
    LLVMAddIncoming(c->word, &word, &from, 1);
  }
}

// ---- tests

static LLVMValueRef build_test(const spiller *s, LLVMValueRef word, LLVMValueRef before) {
  LLVMPositionBuilderBefore(s->builder, before);
  return LLVMBuildICmp(s->builder, LLVMIntNE, word, LLVMConstNull(s->word_type), "");
}

static LLVMValueRef test_at_end(const spiller *s, LLVMValueRef word, LLVMBasicBlockRef block) {
  built *last = &s->test[lin_numbers_find(&s->live->number, block)];
  if (last->from != word)
    *last = (built){word, build_test(s, word, LLVMGetBasicBlockTerminator(block))};
  return last->value;
}

// In the block that has made a condition it is still one; a phi that was one is none any more.
static void replace_reads(const spiller *s, condition *c) {
  for (LLVMUseRef next, use = LLVMGetFirstUse(c->value); use != NULL; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    LLVMBasicBlockRef place = lin_ir_place_of(use);
    if (is_kept_phi(s, user) || (!is_phi(c) && place == s->f->block[c->defined]))
      continue;
    LLVMValueRef word = word_of(s, c);
    LLVMSetOperand(user, lin_ir_operand(use),
                   LLVMIsAPHINode(user) ? test_at_end(s, word, place) : build_test(s, word, user));
  }
}

static void spill(spiller *s) {
  condition *end = s->condition + s->count;
  for (condition *c = s->condition; c < end; c++)
    if (is_phi(c)) {
      LLVMPositionBuilderBeforeInstrAndDbgRecords(s->builder, c->value);
      c->word = LLVMBuildPhi(s->builder, s->word_type, "");
    }
  for (condition *c = s->condition; c < end; c++)
    if (is_phi(c))
      fill_phi(s, c);
  for (condition *c = s->condition; c < end; c++)
    replace_reads(s, c);
  for (condition *c = s->condition; c < end; c++)
    if (is_phi(c)) {
      LLVMReplaceAllUsesWith(c->value, LLVMGetPoison(s->flag_type));
      LLVMInstructionEraseFromParent(c->value);
    }
}

void lin_ir_spill_conditions(lin_arena *arena, const lin_ir_function *f) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f->function));
  spiller s = {.arena = arena,
               .f = f,
               .live = lin_ir_live_new(arena, f),
               .builder = LLVMCreateBuilderInContext(context),
               .flag_type = LLVMInt1TypeInContext(context),
               .word_type = LLVMInt32TypeInContext(context),
               .calls = LIN_ARRAY(arena, bool, f->graph->num_blocks),
               .word = LIN_ARRAY(arena, built, f->graph->num_blocks),
               .test = LIN_ARRAY(arena, built, f->graph->num_blocks)};
  for (lin_block block = 0; block < f->graph->num_blocks; block++)
    s.calls[block] = has_call(f->block[block]);
  find_conditions(&s);
  if (s.count > 0)
    spill(&s);
  LLVMDisposeBuilder(s.builder);
}
