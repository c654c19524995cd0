// 1. In loops, the blocks that poll with plain instructions only.
// 2. From each such instruction on, within the outermost loop around it: values made of what it has
//    read; places where such values are stored, and all that is loaded there; what is done where a
//    branch has such a condition, up to where its ways meet, and the phis of that.
// 3. If an exit of a loop around the instruction is among the branches, or among what they
//    decide, it is waited for.
#include "awaited.h"

#include "linearize/shape.h"
#include "llvm/ask/effects.h"
#include "llvm/ask/questions.h"

#include <string.h>

enum { MOST_STEPS = 1 << 22 };

typedef struct reader {
  LLVMValueRef instruction; // that reads memory, or calls
  LLVMValueRef base;        // of the address, or NULL
} reader;

typedef struct finder {
  lin_arena *arena;
  const lin_ir_function *f;
  const lin_order *order;
  const lin_analysis *a;
  lin_numbers number; // of blocks
  uint64_t steps;
  // Of the source at hand:
  lin_block source;
  uint32_t outermost;    // loop around it
  lin_numbers reached;   // values
  LLVMValueRef *pending; // [count]
  uint32_t count, capacity;
  reader *readers; // [num_readers] in that loop
  uint32_t num_readers, capacity_readers;
  LLVMValueRef *written; // [num_written] bases of places
  uint32_t num_written, capacity_written;
  bool written_anywhere;
  bool *decided; // [num_blocks] by such a branch whether they are run
  bool awaited;
} finder;

// ---- memory

// The variable, or parameter of a kernel, that an address is made of; NULL: nobody knows.
static LLVMValueRef base_of(LLVMValueRef pointer) {
  pointer = lin_ir_base(pointer);
  return lin_ir_is_kernel_parameter(pointer) || LLVMIsAAllocaInst(pointer) != NULL ||
                 LLVMIsAGlobalVariable(pointer) != NULL
             ? pointer
             : NULL;
}

static bool may_be_same(LLVMValueRef a, LLVMValueRef b) { return a == NULL || b == NULL || a == b; }

// Hints to the compiler are no accesses.
static bool touches_nothing(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee) == NULL)
    return false;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  return lin_ir_touches_no_memory(callee) || strncmp(name, "llvm.lifetime.", 14) == 0 ||
         strncmp(name, "llvm.assume", 11) == 0;
}

static LLVMValueRef pointer_of(LLVMValueRef at) {
  return LLVMGetOperand(at, LLVMGetInstructionOpcode(at) == LLVMStore ? 1 : 0);
}

static void reach(finder *d, LLVMValueRef value) {
  if (lin_numbers_find(&d->reached, value) != LIN_NONE)
    return;
  lin_numbers_add(d->arena, &d->reached, value, 0);
  d->pending = LIN_ROOM(d->arena, d->pending, d->count, &d->capacity);
  d->pending[d->count++] = value;
}

// Whoever loads there may have it. Returns true if a call does, which may store it anywhere.
static bool reach_readers(finder *d, LLVMValueRef base) {
  bool calls = false;
  for (uint32_t i = 0; i < d->num_readers; i++) {
    d->steps++;
    LLVMValueRef at = d->readers[i].instruction;
    if (!may_be_same(d->readers[i].base, base))
      continue;
    reach(d, at);
    calls |= LLVMIsACallInst(at) != NULL;
  }
  return calls;
}

static void write_to(finder *d, LLVMValueRef base) {
  if (d->written_anywhere)
    return;
  for (uint32_t i = 0; i < d->num_written; i++)
    if (base != NULL && d->written[i] == base)
      return;
  d->written = LIN_ROOM(d->arena, d->written, d->num_written, &d->capacity_written);
  d->written[d->num_written++] = base;
  d->written_anywhere = reach_readers(d, base) || base == NULL;
  if (d->written_anywhere && base != NULL)
    reach_readers(d, NULL);
}

// What an instruction that has such an operand, or is run if such a branch wants it, leaves in
// memory.
static void note_writes(finder *d, LLVMValueRef at) {
  switch (LLVMGetInstructionOpcode(at)) {
  case LLVMStore:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
    write_to(d, base_of(pointer_of(at)));
    break;
  case LLVMCall:
    if (!touches_nothing(at))
      write_to(d, NULL);
    break;
  default:
    break;
  }
}

static lin_block block_of(const finder *d, LLVMValueRef instruction) {
  return lin_numbers_find(&d->number, LLVMGetInstructionParent(instruction));
}

// The postdominators' root, where all ways end, is in no loop.
static bool is_inside(const finder *d, lin_block block) {
  return block < d->a->graph->num_blocks && lin_loop_contains(d->a->loops, d->outermost, block);
}

// ---- branches

// Whether `edge` leaves a loop around the source.
static bool leaves(const finder *d, lin_edge edge) {
  const lin_loops *loops = d->a->loops;
  lin_block from = d->a->graph->source[edge], to = d->a->graph->destination[edge];
  if (d->a->postdominators->doomed[edge])
    return false;
  uint32_t common = lin_loops_common(loops, from, d->source); // the innermost around both
  return common != 0 && !lin_loop_contains(loops, common, to);
}

static void reach_phis(finder *d, lin_block block) {
  if (d->order->origin[block] >= d->f->graph->num_blocks)
    return; // where returns are united
  for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(d->f, d->order, block));
       LLVMIsAPHINode(at) != NULL; at = LLVMGetNextInstruction(at))
    reach(d, at);
}

// What is run, or not, as a branch at the end of `block` says, up to where its ways meet.
static void decide(finder *d, lin_block block) {
  const lin_graph *graph = d->a->graph;
  lin_block meet = d->a->postdominators->tree->parent[block], at = block;
  lin_block *row = LIN_ARRAY(d->arena, lin_block, graph->num_blocks);
  bool *seen = LIN_ARRAY(d->arena, bool, graph->num_blocks);
  d->steps += graph->num_blocks;
  uint32_t count = 0;
  for (uint32_t next = 0; !d->awaited; at = row[next++]) {
    for (LIN_OUT_EDGES(graph, at, edge)) {
      lin_block to = graph->destination[edge];
      d->awaited |= leaves(d, edge);
      if (d->a->postdominators->doomed[edge] || to == meet || seen[to] || !is_inside(d, to))
        continue;
      seen[to] = true;
      row[count++] = to;
    }
    if (next == count)
      break;
  }
  if (is_inside(d, meet))
    reach_phis(d, meet);
  for (uint32_t i = 0; i < count && !d->awaited; i++) {
    if (d->decided[row[i]])
      continue;
    d->decided[row[i]] = true;
    reach_phis(d, row[i]);
    for (LLVMValueRef in = LLVMGetFirstInstruction(lin_ir_block(d->f, d->order, row[i]));
         in != NULL; in = LLVMGetNextInstruction(in)) {
      d->steps++;
      note_writes(d, in);
    }
  }
}

// ---- one source

static void use(finder *d, LLVMValueRef user) {
  lin_block block = block_of(d, user);
  d->steps++;
  if (!is_inside(d, block))
    return;
  if (LLVMIsATerminatorInst(user) != NULL)
    decide(d, block);
  note_writes(d, user);
  reach(d, user);
}

static void find_readers(finder *d) {
  d->num_readers = 0;
  for (lin_block block = 0; block < d->a->graph->num_blocks; block++) {
    if (!is_inside(d, block))
      continue;
    for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(d->f, d->order, block)); at != NULL;
         at = LLVMGetNextInstruction(at)) {
      LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
      bool calls = opcode == LLVMCall && !touches_nothing(at);
      d->steps++;
      if (!calls && opcode != LLVMLoad && opcode != LLVMAtomicRMW && opcode != LLVMAtomicCmpXchg)
        continue;
      d->readers = LIN_ROOM(d->arena, d->readers, d->num_readers, &d->capacity_readers);
      d->readers[d->num_readers++] = (reader){at, calls ? NULL : base_of(pointer_of(at))};
    }
  }
}

static bool is_awaited(finder *d, LLVMValueRef source, lin_block block) {
  const lin_loops *loops = d->a->loops;
  uint32_t outermost = loops->loop_of[block];
  while (loops->tree->parent[outermost] != 0)
    outermost = loops->tree->parent[outermost];
  d->source = block;
  if (d->outermost != outermost) {
    d->outermost = outermost;
    find_readers(d);
  }
  d->reached = (lin_numbers){0};
  d->count = d->num_written = 0;
  d->written_anywhere = d->awaited = false;
  memset(d->decided, 0, d->a->graph->num_blocks * sizeof *d->decided);
  reach(d, source);
  note_writes(d, source);
  while (d->count > 0 && !d->awaited) {
    LLVMValueRef value = d->pending[--d->count];
    for (LLVMUseRef at = LLVMGetFirstUse(value); at != NULL && !d->awaited; at = LLVMGetNextUse(at))
      use(d, LLVMGetUser(at));
    d->awaited |= d->steps > MOST_STEPS;
  }
  return d->awaited;
}

// Whether all that polls in `block` does so by instructions of its own that nothing waits for.
static bool only_observes(finder *d, lin_ir_summaries *summaries, lin_block block) {
  for (LLVMValueRef at = LLVMGetFirstInstruction(lin_ir_block(d->f, d->order, block)); at != NULL;
       at = LLVMGetNextInstruction(at)) {
    if ((lin_ir_effects(summaries, at) & LIN_POLLS) == 0)
      continue;
    if (LLVMGetInstructionOpcode(at) == LLVMCall || is_awaited(d, at, block))
      return false;
  }
  return true;
}

static bool polls(const lin_graph *graph) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if ((graph->flags[block] & LIN_POLLS) != 0)
      return true;
  return false;
}

void lin_ir_read_awaited(lin_ir_function *f, lin_ir_summaries *summaries) {
  if (!polls(f->graph))
    return;
  lin_arena arena = {0};
  const lin_shape shape = lin_shape_build(&arena, f->graph);
  const lin_order *order = shape.order;
  finder d = {.arena = &arena,
              .f = f,
              .order = order,
              .a = shape.analysis,
              .number = lin_ir_number_blocks(&arena, f, order),
              .decided = LIN_ARRAY(&arena, bool, order->graph->num_blocks)};
  for (lin_block block = 0; block < order->graph->num_blocks; block++) {
    if ((order->graph->flags[block] & LIN_POLLS) == 0 || order->loops->loop_of[block] == 0 ||
        !only_observes(&d, summaries, block))
      continue;
    uint32_t *flags = &f->graph->flags[order->origin[block]];
    *flags = (*flags & ~(uint32_t)LIN_POLLS) | LIN_OBSERVES;
  }
  lin_arena_release(&arena);
}
