// The arm is issued in order, an instruction when what it uses is there. If that comes from an
// earlier piece, the time until then is what its own piece has to wait, and can be filled by the
// other arm; if not, it is part of the work.
#include "timing.h"

#include "live.h"
#include "llvm/ask/cost.h"
#include "llvm/ask/spaces.h"
#include "llvm/ask/target.h"

static uint32_t latency_of_load(const lin_latency *latency, LLVMValueRef load) {
  switch (LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0)))) {
  case LIN_IR_SHARED:
  case LIN_IR_CONSTANT:
  case LIN_IR_PARAMETER:
    return latency->shared;
  default:
    return latency->global;
  }
}

uint32_t lin_ir_latency(const lin_latency *latency, LLVMValueRef at) {
  uint32_t cost = lin_ir_cost(at);
  if (cost == 0)
    return 0;
  if (LLVMIsALoadInst(at) != NULL)
    return latency_of_load(latency, at);
  bool is_wide = LLVMGetTypeKind(LLVMTypeOf(at)) == LLVMDoubleTypeKind;
  uint32_t cycles = LLVMIsACallInst(at) != NULL ? latency->special
                    : is_wide                   ? latency->wide
                                                : latency->arithmetic;
  return cycles > cost ? cycles : cost;
}

typedef struct timer {
  const lin_ir_function *f;
  const lin_ir_arm *arm;
  const lin_latency *latency;
  lin_numbers number; // of the arm's instructions
  uint64_t *ready;    // [count] the cycle from which each can be used
  uint32_t *last;     // [count] the last of the arm that uses it, `count` if what follows does
  lin_row row;
} timer;

static uint32_t piece_of(const timer *t, uint32_t index) {
  uint32_t piece = t->arm->issue[index].piece;
  return piece < LIN_MOST_PIECES ? piece : LIN_MOST_PIECES - 1;
}

static void issue(timer *t, uint32_t index, uint64_t *now) {
  LLVMValueRef at = t->arm->issue[index].instruction;
  uint32_t piece = piece_of(t, index);
  uint64_t here = *now, before = *now;
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(at); i++) {
    uint32_t from = lin_numbers_find(&t->number, LLVMGetOperand(at, i));
    if (from == LIN_NONE || from >= index)
      continue;
    uint64_t *latest = piece_of(t, from) < piece ? &before : &here;
    if (*latest < t->ready[from])
      *latest = t->ready[from];
  }
  uint64_t start = here > before ? here : before;
  if (LLVMIsAPHINode(at)) { // nothing to issue
    t->ready[index] = start;
    return;
  }
  if (piece > 0 && before > here)
    t->row.piece[piece - 1].wait += before - here;
  t->row.piece[piece].work += here - *now + lin_ir_cost(at);
  t->ready[index] = start + lin_ir_latency(t->latency, at);
  *now = start + lin_ir_cost(at);
}

static void find_last_uses(timer *t) {
  for (uint32_t i = 0; i < t->arm->count; i++) {
    t->last[i] = i;
    LLVMValueRef at = t->arm->issue[i].instruction;
    for (LLVMUseRef use = LLVMGetFirstUse(at); use != NULL; use = LLVMGetNextUse(use)) {
      uint32_t user = lin_numbers_find(&t->number, LLVMGetUser(use));
      if (user == LIN_NONE)
        user = t->arm->count;
      if (t->last[i] < user)
        t->last[i] = user;
    }
  }
}

// Registers that the arm's values take at once, and at the ends of its pieces.
static void count_registers(lin_arena *arena, timer *t) {
  uint32_t count = t->arm->count, live = 0;
  uint32_t *ends = LIN_ARRAY(arena, uint32_t, count + 1); // registers that end there
  for (uint32_t i = 0; i < count; i++) {
    uint32_t width = lin_ir_registers_of(t->f, LLVMTypeOf(t->arm->issue[i].instruction));
    live += width;
    ends[t->last[i]] += width;
    if (t->row.registers < live)
      t->row.registers = live;
    live -= ends[i];
    t->row.piece[piece_of(t, i)].live = live;
  }
}

lin_row lin_ir_time_arm(lin_arena *arena, const lin_ir_function *f, const lin_ir_arm *arm) {
  timer t = {.f = f,
             .arm = arm,
             .latency = lin_ir_target(f->function)->latency,
             .ready = LIN_ARRAY(arena, uint64_t, arm->count),
             .last = LIN_ARRAY(arena, uint32_t, arm->count)};
  uint64_t now = 0;
  for (uint32_t i = 0; i < arm->count; i++)
    lin_numbers_add(arena, &t.number, arm->issue[i].instruction, i);
  for (uint32_t i = 0; i < arm->count; i++)
    issue(&t, i, &now);
  find_last_uses(&t);
  count_registers(arena, &t);
  t.row.count = arm->count == 0 ? 1 : piece_of(&t, arm->count - 1) + 1;
  return t.row;
}
