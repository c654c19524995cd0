// Integer guards that can be one of two values, where they are joined, become flags:
//
//     g: next = phi [3, a], [%n, b]              g: skip = phi [false, a], [%c, b]
//        if next is 3: ...                   ─▶     if skip is false: ...
//     b: %n = select %c, 4, 3                    b:
//
// A select, a comparison and an integer register go. What a guard can be is what its operands can
// be, less what the tests on the way to it rule out: who comes around a leaf isn't on the way to
// it.
//
//   1. Find the phis that guards test, and all that lead to them.
//   2. Find what each can be, a set of few numbers, to a fixed point.
//   3. Of those that can be one of two, keep those that only tests and their like read, and whose
//      operands are flags already: constants, a select of constants, another one of the same two.
//   4. Build them as flags: is it the one that is tested for first?
//
// Near-linear: a set grows a few times at most, and a test looks a few blocks back.
#include "writer.h"

// Bounds on work: with 1 to 16 values every kernel of bench/ is the same (`scripts/calibrate
// MOST_VALUES`, 2026-11-24). Tests that a value is followed back through.
enum { MOST_VALUES = 8, MOST_TESTS = 8 };

// What an integer can be. More than MOST_VALUES are anything.
typedef struct lin_possible {
  uint64_t value[MOST_VALUES];
  uint32_t count;
  bool anything;
} possible;

typedef struct number_phi {
  LLVMValueRef phi, flag;
  possible values;
  uint64_t wanted; // the flag says whether it is this one
  bool narrow, queued;
} number_phi;

typedef struct narrower {
  writer *w;
  number_phi *phi;
  uint32_t count, capacity;
  lin_numbers number;
  lin_numbers choice; // of the writer, which may be tests
  uint32_t *work;
  uint32_t num_work;
} narrower;

// ---- sets

static bool has(const possible *set, uint64_t value) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->value[i] == value)
      return true;
  return false;
}

static bool add(possible *set, uint64_t value) {
  if (set->anything || has(set, value))
    return false;
  if (set->count == MOST_VALUES)
    set->anything = true;
  else
    set->value[set->count++] = value;
  return true;
}

static bool add_all(possible *set, const possible *more) {
  bool changed = more->anything && !set->anything;
  set->anything |= more->anything;
  for (uint32_t i = 0; i < more->count; i++)
    changed |= add(set, more->value[i]);
  return changed;
}

static bool same(const possible *a, const possible *b) {
  return a->count == 2 && b->count == 2 && has(b, a->value[0]) && has(b, a->value[1]);
}

// ---- tests

// True if low <= value <= high.
typedef struct test {
  LLVMValueRef value;
  uint64_t low, high;
} test;

static bool holds(const test *t, uint64_t value) { return t->low <= value && value <= t->high; }

static bool parse_test(LLVMValueRef condition, test *t) {
  if (!LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)) ||
      LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(condition, 0))) > 32)
    return false;
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
  uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1));
  *t = (test){LLVMGetOperand(condition, 0), predicate == LLVMIntEQ ? number : 0, number};
  if (predicate == LLVMIntULE && LLVMIsAInstruction(t->value) &&
      LLVMGetInstructionOpcode(t->value) == LLVMSub &&
      LLVMIsAConstantInt(LLVMGetOperand(t->value, 1))) {
    t->low = LLVMConstIntGetZExtValue(LLVMGetOperand(t->value, 1));
    t->high += t->low;
    t->value = LLVMGetOperand(t->value, 0);
  }
  return predicate == LLVMIntEQ || predicate == LLVMIntULE;
}

// Takes from `set` what `value` isn't where `from` branches to `to`.
static void rule_out(possible *set, LLVMValueRef value, LLVMBasicBlockRef from,
                     LLVMBasicBlockRef to) {
  for (int i = 0; i < MOST_TESTS && from != NULL; i++) {
    LLVMValueRef condition = lin_ir_condition(from);
    test t;
    if (condition != NULL && parse_test(condition, &t) && t.value == value) {
      LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
      bool if_true = LLVMGetSuccessor(branch, 0) == to,
           if_false = LLVMGetSuccessor(branch, 1) == to;
      uint32_t kept = 0;
      for (uint32_t j = 0; j < set->count; j++)
        if (holds(&t, set->value[j]) ? if_true : if_false)
          set->value[kept++] = set->value[j];
      set->count = kept;
    }
    if (LLVMIsAInstruction(value) && LLVMGetInstructionParent(value) == from)
      return;
    to = from;
    from = lin_ir_only_entry(from);
  }
}

// What comes over a way into `phi`: of a select, the side that its condition, which the block
// before branches on, has chosen.
static LLVMValueRef value_on_way(LLVMValueRef phi, unsigned way) {
  LLVMValueRef value = LLVMGetIncomingValue(phi, way);
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, way), to = LLVMGetInstructionParent(phi);
  for (int i = 0; i < MOST_TESTS && from != NULL && LLVMIsASelectInst(value); i++) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    if (lin_ir_condition(from) == LLVMGetOperand(value, 0) &&
        LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1))
      return LLVMGetOperand(value, LLVMGetSuccessor(branch, 0) == to ? 1 : 2);
    to = from;
    from = lin_ir_only_entry(from);
  }
  return value;
}

// ---- 1. and 2.

static number_phi *phi_of(const narrower *n, LLVMValueRef value) {
  uint32_t number = lin_numbers_find(&n->number, value);
  return number == LIN_NONE ? NULL : &n->phi[number];
}

static void add_phi(narrower *n, LLVMValueRef value) {
  if (!LLVMIsAPHINode(value) || LLVMTypeOf(value) != n->w->guard_type || phi_of(n, value) != NULL)
    return;
  lin_numbers_add(n->w->arena, &n->number, value, n->count);
  n->phi = LIN_ROOM(n->w->arena, n->phi, n->count, &n->capacity);
  n->phi[n->count++] = (number_phi){.phi = value};
}

static void find_phis(narrower *n) {
  const writer *w = n->w;
  for (lin_block block = 0; block < w->graph->num_blocks; block++) {
    test t;
    if (w->block[block] == NULL || lin_writer_input(w, block) != LIN_NONE)
      continue;
    LLVMValueRef condition = lin_ir_condition(w->block[block]);
    if (condition != NULL && parse_test(condition, &t))
      add_phi(n, t.value);
  }
  for (uint32_t i = 0; i < n->count; i++)
    for (unsigned j = 0; j < LLVMCountIncoming(n->phi[i].phi); j++)
      add_phi(n, value_on_way(n->phi[i].phi, j));
}

// What a value is, of what is known of phis so far; it may be a chain of selects.
static void add_value(const narrower *n, LLVMValueRef value, possible *set) {
  while (LLVMIsASelectInst(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 1))) {
    add(set, LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)));
    value = LLVMGetOperand(value, 2);
  }
  const number_phi *phi = phi_of(n, value);
  if (LLVMIsAConstantInt(value))
    add(set, LLVMConstIntGetZExtValue(value));
  else if (phi != NULL)
    add_all(set, &phi->values);
  else if (!LLVMIsPoison(value)) // no thread comes with poison
    set->anything = true;
}

static possible possible_on_way(const narrower *n, LLVMValueRef phi, unsigned way) {
  possible set = {.count = 0};
  LLVMValueRef value = value_on_way(phi, way);
  add_value(n, value, &set);
  rule_out(&set, value, LLVMGetIncomingBlock(phi, way), LLVMGetInstructionParent(phi));
  return set;
}

static void queue(narrower *n, number_phi *phi) {
  if (phi == NULL || phi->queued)
    return;
  phi->queued = true;
  n->work[n->num_work++] = (uint32_t)(phi - n->phi);
}

static void find_values(narrower *n) {
  n->work = LIN_ARRAY(n->w->arena, uint32_t, n->count);
  for (uint32_t i = n->count; i-- > 0;)
    queue(n, &n->phi[i]);
  while (n->num_work > 0) {
    number_phi *phi = &n->phi[n->work[--n->num_work]];
    phi->queued = false;
    bool changed = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi->phi); i++) {
      possible set = possible_on_way(n, phi->phi, i);
      changed |= add_all(&phi->values, &set);
    }
    for (LLVMUseRef use = changed ? LLVMGetFirstUse(phi->phi) : NULL; use != NULL;
         use = LLVMGetNextUse(use))
      queue(n, phi_of(n, LLVMGetUser(use)));
  }
}

// ---- 3.

static bool is_choice(LLVMValueRef value) {
  return LLVMIsASelectInst(value) && LLVMIsAConstantInt(LLVMGetOperand(value, 1)) &&
         LLVMIsAConstantInt(LLVMGetOperand(value, 2));
}

static bool is_flag_on_way(const narrower *n, const number_phi *phi, unsigned way) {
  LLVMValueRef value = value_on_way(phi->phi, way);
  possible set = possible_on_way(n, phi->phi, way);
  if (!set.anything && set.count <= 1)
    return true;
  const number_phi *other = phi_of(n, value);
  return is_choice(value) || (other != NULL && other->narrow && same(&other->values, &phi->values));
}

// A test, or the subtraction in one.
static bool is_in_test(LLVMValueRef user) {
  test t;
  if (LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMSub)
    user = lin_ir_only_reader(user);
  return user != NULL && parse_test(user, &t);
}

// All who read `phi` can do with a flag.
static bool is_read_as_flag(const narrower *n, const number_phi *phi) {
  for (LLVMUseRef use = LLVMGetFirstUse(phi->phi); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const number_phi *reader = phi_of(n, user);
    if (reader == NULL) {
      if (!is_in_test(user))
        return false;
      continue;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
      if (LLVMGetIncomingValue(user, i) != phi->phi)
        continue;
      possible set = possible_on_way(n, user, i);
      bool is_known = !set.anything && set.count <= 1;
      if (!is_known && !(reader->narrow && same(&reader->values, &phi->values)))
        return false;
    }
  }
  return true;
}

static bool can_be_flag(const narrower *n, const number_phi *phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi->phi); i++)
    if (!is_flag_on_way(n, phi, i))
      return false;
  return is_read_as_flag(n, phi);
}

static void find_narrow(narrower *n) {
  for (uint32_t i = 0; i < n->count; i++) {
    n->phi[i].narrow = !n->phi[i].values.anything && n->phi[i].values.count == 2;
    queue(n, &n->phi[i]);
  }
  while (n->num_work > 0) {
    number_phi *phi = &n->phi[n->work[--n->num_work]];
    phi->queued = false;
    if (!phi->narrow || can_be_flag(n, phi))
      continue;
    phi->narrow = false; // those around it may have counted on it
    for (LLVMUseRef use = LLVMGetFirstUse(phi->phi); use != NULL; use = LLVMGetNextUse(use))
      queue(n, phi_of(n, LLVMGetUser(use)));
    for (unsigned i = 0; i < LLVMCountIncoming(phi->phi); i++)
      queue(n, phi_of(n, LLVMGetIncomingValue(phi->phi, i)));
  }
}

// ---- 4.

// The number that the first test of `phi` asks for, so that the flag is that test.
static uint64_t find_wanted(const number_phi *phi) {
  for (LLVMUseRef use = LLVMGetFirstUse(phi->phi); use != NULL; use = LLVMGetNextUse(use)) {
    test t;
    if (!parse_test(LLVMGetUser(use), &t) || t.value != phi->phi)
      continue;
    bool first = holds(&t, phi->values.value[0]);
    if (first != holds(&t, phi->values.value[1]))
      return phi->values.value[first ? 0 : 1];
  }
  return phi->values.value[0];
}

static LLVMValueRef opposite(writer *w, LLVMValueRef flag, LLVMValueRef before) {
  LLVMPositionBuilderBefore(w->builder, before);
  return lin_writer_mark(w, LLVMBuildNot(w->builder, flag, ""));
}

static LLVMValueRef flag_on_way(const narrower *n, const number_phi *phi, unsigned way) {
  LLVMValueRef value = value_on_way(phi->phi, way);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi->phi, way));
  possible set = possible_on_way(n, phi->phi, way);
  if (!set.anything && set.count <= 1)
    return LLVMConstInt(n->w->flag_type, has(&set, phi->wanted), false);
  const number_phi *other = phi_of(n, value);
  if (other != NULL)
    return other->wanted == phi->wanted ? other->flag : opposite(n->w, other->flag, end);
  LLVMValueRef condition = LLVMGetOperand(value, 0);
  bool if_true = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) == phi->wanted;
  return if_true ? condition : opposite(n->w, condition, end);
}

static void add_flag(const narrower *n, const number_phi *phi, unsigned way) {
  LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi->phi, way);
  bool again = way > 0 && LLVMGetIncomingBlock(phi->phi, way - 1) == from; // edges of one block
  LLVMValueRef flag = again ? LLVMGetIncomingValue(phi->flag, way - 1) : flag_on_way(n, phi, way);
  LLVMAddIncoming(phi->flag, &flag, &from, 1);
}

static void build_flags(narrower *n) {
  for (uint32_t i = 0; i < n->count; i++) {
    number_phi *phi = &n->phi[i];
    if (!phi->narrow)
      continue;
    phi->wanted = find_wanted(phi);
    LLVMPositionBuilderBeforeInstrAndDbgRecords(n->w->builder, phi->phi);
    phi->flag = LLVMBuildPhi(n->w->builder, n->w->flag_type, "");
  }
  for (uint32_t i = 0; i < n->count; i++) {
    number_phi *phi = &n->phi[i];
    for (unsigned way = 0; way < LLVMCountIncoming(phi->phi); way++) {
      const number_phi *other = phi_of(n, LLVMGetIncomingValue(phi->phi, way));
      if (phi->narrow) {
        add_flag(n, phi, way);
      } else if (other != NULL && other->narrow) { // it is known there
        possible set = possible_on_way(n, phi->phi, way);
        uint64_t value = set.count == 0 ? other->wanted : set.value[0];
        LLVMSetOperand(phi->phi, way, LLVMConstInt(n->w->guard_type, value, false));
      }
    }
  }
}

static void number_choices(narrower *n) {
  for (uint32_t i = 0; i < n->w->num_choices; i++)
    if (lin_numbers_find(&n->choice, n->w->choice[i]) == LIN_NONE)
      lin_numbers_add(n->w->arena, &n->choice, n->w->choice[i], i);
}

// The writer erases its choices itself, once nothing reads them.
static void erase_test(const narrower *n, LLVMValueRef value) {
  if (lin_numbers_find(&n->choice, value) == LIN_NONE)
    LLVMInstructionEraseFromParent(value);
}

static void replace_test(narrower *n, const number_phi *phi, LLVMValueRef condition) {
  test t;
  if (!parse_test(condition, &t))
    return; // is_in_test said that it is one
  uint64_t other = phi->values.value[phi->values.value[0] == phi->wanted];
  bool if_wanted = holds(&t, phi->wanted), if_other = holds(&t, other);
  LLVMValueRef flag = phi->flag;
  if (if_wanted == if_other)
    flag = LLVMConstInt(n->w->flag_type, if_wanted, false);
  else if (!if_wanted)
    flag = opposite(n->w, flag, condition);
  LLVMReplaceAllUsesWith(condition, flag);
  erase_test(n, condition);
}

static void replace_tests(narrower *n, const number_phi *phi) {
  for (LLVMUseRef next, use = LLVMGetFirstUse(phi->phi); use != NULL; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    if (phi_of(n, user) != NULL)
      continue;
    if (LLVMGetInstructionOpcode(user) != LLVMSub) {
      replace_test(n, phi, user);
      continue;
    }
    replace_test(n, phi, LLVMGetUser(LLVMGetFirstUse(user)));
    LLVMInstructionEraseFromParent(user);
  }
}

void lin_writer_narrow_guards(writer *w) {
  narrower n = {.w = w};
  find_phis(&n);
  find_values(&n);
  find_narrow(&n);
  number_choices(&n);
  LLVMSetCurrentDebugLocation2(w->builder, w->nowhere);
  build_flags(&n);
  for (uint32_t i = 0; i < n.count; i++)
    if (n.phi[i].narrow)
      replace_tests(&n, &n.phi[i]);
  for (uint32_t i = 0; i < n.count; i++)
    if (n.phi[i].narrow) {
      lin_writer_inherit(w, n.phi[i].phi, n.phi[i].flag);
      LLVMReplaceAllUsesWith(n.phi[i].phi, LLVMGetPoison(w->guard_type));
    }
  for (uint32_t i = 0; i < n.count; i++)
    if (n.phi[i].narrow)
      LLVMInstructionEraseFromParent(n.phi[i].phi);
  LLVMSetCurrentDebugLocation2(w->builder, NULL);
}
