// Tarjan's strongly connected components ("Depth-First Search and Linear Graph Algorithms", 1972)
// of the call graph, with a path of its own in place of recursion. Functions are numbered as they
// are found, so a function's number is its place in the depth-first walk.
#include "summaries.h"

#include "numbers.h"

// Beside the effects: the function, or one that it calls, has a cycle.
static const uint32_t has_cycle = 1u << 31;

typedef struct summary {
  LLVMValueRef function;
  uint32_t effects;
  uint32_t lowest;   // the earliest function on the stack that it reaches
  uint32_t *callees; // numbers; those of a function are in one row
  uint32_t num_callees;
  uint32_t next; // into callees
  uint32_t caller;
  bool done; // `effects` are all
} summary;

struct lin_ir_summaries {
  lin_arena *arena;
  lin_numbers numbers; // of functions
  summary *of;         // [count]
  uint32_t count, capacity;
  uint32_t *stack; // functions whose component isn't complete
  uint32_t depth, stack_capacity;
};

lin_ir_summaries *lin_ir_summaries_new(lin_arena *arena) {
  lin_ir_summaries *result = LIN_NEW(arena, lin_ir_summaries);
  result->arena = arena;
  return result;
}

static uint32_t number_of(lin_ir_summaries *s, LLVMValueRef function) {
  uint32_t number = lin_numbers_find(&s->numbers, function);
  if (number != LIN_NONE)
    return number;
  s->of = LIN_ROOM(s->arena, s->of, s->count, &s->capacity);
  s->of[s->count] = (summary){.function = function, .lowest = LIN_NONE, .caller = LIN_NONE};
  lin_numbers_add(s->arena, &s->numbers, function, s->count);
  return s->count++;
}

// Every cycle has an edge that goes back, or nowhere, in the order of the blocks.
static bool has_edge_back(LLVMValueRef function) {
  lin_arena arena = {0};
  lin_numbers seen = {0};
  bool found = false;
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (uint32_t i = 0; block != NULL && !found; block = LLVMGetNextBasicBlock(block)) {
    lin_numbers_add(&arena, &seen, block, i++);
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    for (unsigned e = 0; e < LLVMGetNumSuccessors(terminator); e++)
      found |= lin_numbers_find(&seen, LLVMGetSuccessor(terminator, e)) != LIN_NONE;
  }
  lin_arena_release(&arena);
  return found;
}

// What the function's own instructions do, and what it calls.
static void summarize_own(lin_ir_summaries *s, uint32_t number) {
  LLVMValueRef function = s->of[number].function;
  uint32_t effects = has_edge_back(function) ? has_cycle : 0, count = 0, capacity = 0;
  uint32_t *callees = NULL;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      LLVMValueRef callee;
      effects |= lin_ir_own_effects(at, &callee);
      if (callee == NULL)
        continue;
      callees = LIN_ROOM(s->arena, callees, count, &capacity);
      callees[count++] = number_of(s, callee);
    }
  summary *of = &s->of[number];
  of->effects = effects;
  of->callees = callees;
  of->num_callees = count;
}

static void enter(lin_ir_summaries *s, uint32_t number, uint32_t caller) {
  summarize_own(s, number);
  s->of[number].caller = caller;
  s->of[number].lowest = s->depth;
  s->stack = LIN_ROOM(s->arena, s->stack, s->depth, &s->stack_capacity);
  s->stack[s->depth++] = number;
}

// Everything on the stack from `first` on calls each other: one summary for all.
static void complete(lin_ir_summaries *s, uint32_t first) {
  uint32_t effects = s->depth - first > 1 ? has_cycle : 0;
  for (uint32_t i = first; i < s->depth; i++)
    effects |= s->of[s->stack[i]].effects;
  for (uint32_t i = first; i < s->depth; i++) {
    s->of[s->stack[i]].effects = effects;
    s->of[s->stack[i]].done = true;
  }
  s->depth = first;
}

static void take_over(summary *caller, const summary *callee) {
  if (callee->done)
    caller->effects |= callee->effects;
  else if (callee->lowest < caller->lowest)
    caller->lowest = callee->lowest;
}

static void walk(lin_ir_summaries *s, uint32_t root) {
  enter(s, root, LIN_NONE);
  for (uint32_t at = root; at != LIN_NONE;) {
    summary *here = &s->of[at];
    if (here->next < here->num_callees) {
      uint32_t callee = here->callees[here->next++];
      if (callee == at)
        here->effects |= has_cycle;
      if (s->of[callee].lowest == LIN_NONE) { // not entered yet
        enter(s, callee, at);
        at = callee;
      } else {
        take_over(here, &s->of[callee]);
      }
      continue;
    }
    if (s->stack[here->lowest] == at)
      complete(s, here->lowest);
    if (here->caller != LIN_NONE)
      take_over(&s->of[here->caller], here);
    at = here->caller;
  }
}

uint32_t lin_ir_effects(lin_ir_summaries *summaries, LLVMValueRef instruction) {
  LLVMValueRef callee;
  uint32_t effects = lin_ir_own_effects(instruction, &callee);
  if (callee == NULL)
    return effects;
  uint32_t number = number_of(summaries, callee);
  if (!summaries->of[number].done)
    walk(summaries, number);
  effects |= summaries->of[number].effects;
  if ((effects & LIN_POLLS) != 0 && (effects & has_cycle) != 0)
    effects |= LIN_MAY_SPIN;
  return effects & ~has_cycle;
}
