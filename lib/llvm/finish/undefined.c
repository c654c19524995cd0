// ptxas takes a register that is only set on some ways to be, on all ways, what it is set to there.
// So it takes two of them for the same that are set to the same, but on different ways, and
// computes from the first one, for all threads, what is only right for those that have set it:
//
//     if (a) x = load p                 x is undefined unless a, y unless b
//     s = x + 1                         computed for all, before a guard
//     if (b) y = load p
//     t = y + 1                         taken to be s; wrong for b without a
//
// (ptxas 13.0 from -O2 on.) A constant on the other ways makes two of what isn't the same. In a
// register that costs a move at most, and saves the register on the way there. In a predicate it
// costs more than that, so predicates keep poison unless another one could be set to the same. That
// is asked coarsely, for ptxas sees more than we do: the same operation on operands that come from
// the same constants, parameters, or kinds of instructions.
#include "undefined.h"

#include "llvm/edit/undefined.h"

#include <stdbool.h>
#include <stdlib.h>

enum { MOST_OPERANDS = 3, MOST_LOOKED_THROUGH = 16 };

// Equal for values that could be the same.
typedef struct likeness {
  unsigned opcode;
  uintptr_t operand[MOST_OPERANDS]; // in order of their numbers: an opcode or an address
} likeness;

// The one operand of a phi that is defined, or NULL. To LLVM poison is undef, too.
static LLVMValueRef only_defined(LLVMValueRef phi) {
  LLVMValueRef found = NULL;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (LLVMIsUndef(value) || value == found)
      continue;
    if (found != NULL)
      return NULL;
    found = value;
  }
  return found;
}

// What a value is made of by a conversion, or may be taken to be, step by step.
static LLVMValueRef origin(LLVMValueRef value) {
  for (int i = 0; i < MOST_LOOKED_THROUGH && LLVMIsAInstruction(value); i++) {
    LLVMValueRef next = LLVMIsAPHINode(value) ? only_defined(value)
                        : LLVMIsACastInst(value) || LLVMIsAFreezeInst(value)
                            ? LLVMGetOperand(value, 0)
                            : NULL;
    if (next == NULL)
      break;
    value = next;
  }
  return value;
}

static likeness likeness_of(LLVMValueRef instruction) {
  likeness like = {.opcode = LLVMGetInstructionOpcode(instruction)};
  unsigned count = (unsigned)LLVMGetNumOperands(instruction);
  for (unsigned i = 0; i < count && i < MOST_OPERANDS; i++) {
    LLVMValueRef from = origin(LLVMGetOperand(instruction, i));
    uintptr_t operand =
        LLVMIsAInstruction(from) ? (uintptr_t)LLVMGetInstructionOpcode(from) : (uintptr_t)from;
    unsigned at = i;
    for (; at > 0 && like.operand[at - 1] > operand; at--)
      like.operand[at] = like.operand[at - 1];
    like.operand[at] = operand;
  }
  return like;
}

static int compare(const void *left, const void *right) {
  const likeness *a = left, *b = right;
  if (a->opcode != b->opcode)
    return a->opcode < b->opcode ? -1 : 1;
  for (int i = 0; i < MOST_OPERANDS; i++)
    if (a->operand[i] != b->operand[i])
      return a->operand[i] < b->operand[i] ? -1 : 1;
  return 0;
}

typedef struct predicates {
  likeness *like; // sorted
  size_t count;
} predicates;

static bool is_predicate(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

static predicates find_predicates(lin_arena *arena, LLVMValueRef function) {
  predicates found = {0};
  uint32_t count = 0, capacity = 0;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at))
      if (is_predicate(at)) {
        found.like = LIN_ROOM(arena, found.like, count, &capacity);
        found.like[count++] = likeness_of(at);
      }
  found.count = count;
  if (count > 0)
    qsort(found.like, count, sizeof *found.like, compare);
  return found;
}

static bool has_another(const predicates *all, const likeness *like) {
  if (all->count == 0)
    return false;
  const likeness *at = bsearch(like, all->like, all->count, sizeof *like, compare);
  if (at == NULL)
    return false;
  const likeness *end = all->like + all->count;
  return (at > all->like && compare(at - 1, like) == 0) ||
         (at + 1 < end && compare(at + 1, like) == 0);
}

// A predicate that is set to different things is not taken for another one.
static bool is_unlike_others(const predicates *all, LLVMValueRef phi) {
  bool is_first = true;
  likeness like = {0};
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    if (LLVMIsUndef(value))
      continue;
    LLVMValueRef from = origin(value);
    if (!LLVMIsAInstruction(from))
      return true;
    likeness next = likeness_of(from);
    if (!is_first && compare(&like, &next) != 0)
      return true;
    like = next;
    is_first = false;
  }
  return is_first || !has_another(all, &like);
}

static bool has_undefined(LLVMValueRef phi) {
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
      return true;
  return false;
}

static void define(LLVMValueRef phi) {
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(phi));
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
    if (LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
      LLVMSetOperand(phi, i, zero);
}

void lin_ir_define_phis(lin_arena *arena, LLVMValueRef function) {
  lin_ir_drop_undefined(function); // llc would crash of some that are zero
  predicates all = find_predicates(arena, function);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); phi != NULL && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
      if (has_undefined(phi) && !(is_predicate(phi) && is_unlike_others(&all, phi)))
        define(phi);
}
