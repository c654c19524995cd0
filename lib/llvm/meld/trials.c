#include "trials.h"

#include "gather.h"
#include "gpu/costs.h"
#include "rewrite.h"
#include "llvm/ask/occupancy.h"
#include "llvm/edit/clone.h"
#include "llvm/read/live.h"

#include <math.h>
#include <string.h>

// So many instructions have the copies that are made of a function, in all: some 5 us each.
enum { MOST_COPIED = 400000 };
// Where nobody asked for it.
enum { MOST_COPIED_UNASKED = 20000, MOST_FAILED_UNASKED = 2 };

// In so many passes a warp comes to what is worth gathering for.
static const double LEAST_PASSES = 1.25;

typedef lin_ir_meld_trials trials;

static bool has_copies(const trials *t) {
  return t->copied < (uint64_t)(t->job->sure ? MOST_COPIED_UNASKED : MOST_COPIED);
}

bool lin_ir_meld_may_try(const trials *t) {
  const uint32_t most = t->job->sure ? MOST_FAILED_UNASKED : LIN_MELD_MOST_FAILED;
  return has_copies(t) && t->failed < most;
}

// ---- prices

// By the code alone: nobody knows of a melded loop how often it goes around, nor of what is melded
// which ways are usual.
static lin_ir_operations *read_code(lin_arena *arena, lin_ir_function *f) {
  memset(f->graph->weight, 0, f->graph->num_edges * sizeof *f->graph->weight);
  return lin_ir_operations_read(arena, f);
}

static lin_ir_function *read_function(lin_arena *arena, LLVMValueRef function) {
  return lin_ir_read(arena, function, &(lin_ir_read_options){.force = true});
}

static lin_meld_price price_of(const trials *t, lin_arena *arena, lin_ir_function *f) {
  return lin_meld_price_of(arena, &read_code(arena, f)->code, t->job->lock_step);
}

// Warps that a multiprocessor has of the function, in whole blocks, by the registers that it takes.
static uint32_t warps_of(const trials *t, const lin_ir_function *f) {
  const uint32_t live = lin_ir_most_live(f) + (t->job->sure ? LIN_REGISTERS_BESIDE : 0);
  bool exact;
  const uint32_t threads = lin_ir_block_threads(f->function, &exact);
  uint32_t warps = lin_ir_warps(f->function);
  while (warps > 1 && lin_ir_registers(f->function, warps) < live)
    warps--;
  const uint32_t of_block = threads / LIN_WARP + (threads % LIN_WARP != 0);
  return of_block > 0 && warps > of_block ? warps - warps % of_block : warps;
}

// Launches of the largest blocks would fail for want of registers. Who asked takes that risk.
static bool loses_launches(const trials *t, uint32_t warps) {
  enum { LARGEST = LIN_LARGEST_BLOCK / LIN_WARP };
  bool exact;
  return t->job->sure && t->warps >= LARGEST && warps < LARGEST &&
         lin_ir_block_threads(t->f->function, &exact) == 0;
}

// What a warp runs takes the longer, the fewer of them there are.
static lin_meld_price price_with_registers(const trials *t, lin_arena *arena, lin_ir_function *f) {
  lin_meld_price price = price_of(t, arena, f);
  const uint32_t warps = warps_of(t, f);
  const double longer = loses_launches(t, warps) ? HUGE_VAL
                        : warps < t->warps       ? (double)t->warps / warps
                                                 : 1;
  price.total *= longer;
  price.serial *= longer;
  return price;
}

// ---- gathering

// Has threads gather in front of a block, by its number. Returns what a warp runs then.
static double gather_at(const trials *t, LLVMValueRef function, lin_block block) {
  lin_arena scratch = {0};
  lin_gathering g;
  double total = HUGE_VAL;
  lin_ir_operations *ops = read_code(&scratch, read_function(&scratch, function));
  if (lin_gathering_find(&scratch, ops->code.analysis, block, &g)) {
    lin_ir_meld_gather(&scratch, ops, &g);
    total = price_of(t, &scratch, read_function(&scratch, function)).total;
  }
  lin_arena_release(&scratch);
  return total;
}

// Whether it does something about a block of these to which a warp comes in several passes.
static bool gather_one(trials *t, LLVMValueRef function, LLVMBasicBlockRef const *made,
                       uint32_t count) {
  lin_arena scratch = {0};
  const lin_numbers numbers = lin_ir_meld_number(&scratch, made, count);
  const lin_ir_operations *ops = read_code(&scratch, read_function(&scratch, function));
  const lin_meld_price price = lin_meld_price_of(&scratch, &ops->code, t->job->lock_step);
  bool better = false;
  for (lin_block block = 0; block < ops->code.analysis->graph->num_blocks && !better; block++) {
    if (lin_numbers_find(&numbers, ops->block[block]) == LIN_NONE ||
        price.times[block] < LEAST_PASSES * price.times_serially[block] || !has_copies(t))
      continue;
    LLVMValueRef copy = lin_ir_clone(function, "");
    better = gather_at(t, copy, block) < price.total;
    lin_ir_erase(copy);
    t->copied += ops->code.num_ops;
    if (better)
      (void)gather_at(t, function, block);
  }
  lin_arena_release(&scratch);
  return better;
}

bool lin_ir_meld_gather_all(trials *t, LLVMValueRef function, LLVMBasicBlockRef const *made,
                            uint32_t count) {
  bool any = false;
  while (gather_one(t, function, made, count))
    any = true;
  return any;
}

// ---- gains

// Whether threads can be gathered in front of what was made: its first block.
static bool can_gather(LLVMValueRef function, LLVMBasicBlockRef const *made, uint32_t count) {
  lin_arena scratch = {0};
  const lin_numbers numbers = lin_ir_meld_number(&scratch, made, count);
  const lin_ir_operations *ops = read_code(&scratch, read_function(&scratch, function));
  const lin_analysis *analysis = ops->code.analysis;
  lin_block block = 0;
  while (block < analysis->graph->num_blocks &&
         lin_numbers_find(&numbers, ops->block[block]) == LIN_NONE)
    block++;
  const bool can = block < analysis->graph->num_blocks && lin_meld_meets(analysis, block);
  lin_arena_release(&scratch);
  return can;
}

// What a warp runs less, each time that it comes to the branch.
static double gain_of(trials *t, const lin_melds *melds, lin_meld_arms *arms) {
  lin_arena scratch = {0};
  const lin_meld_code *code = &t->ops->code;
  const uint32_t blocks = code->analysis->graph->num_blocks;
  LLVMValueRef copy = lin_ir_clone(t->f->function, "");
  lin_ir_function *f = read_function(&scratch, copy);
  LLVMBasicBlockRef *made = lin_ir_meld_arms(&scratch, f, read_code(&scratch, f), melds, arms);
  const bool later = !lin_meld_is_plain(code, arms) && can_gather(copy, made, blocks);
  lin_meld_price after = price_with_registers(t, &scratch, read_function(&scratch, copy));
  double gain = lin_meld_gain(code, arms, later, &t->price, &after);
  arms->gathered = !later && !lin_meld_is_enough(code, gain, arms->before) &&
                   lin_ir_meld_gather_all(t, copy, made, blocks);
  if (arms->gathered) {
    after = price_with_registers(t, &scratch, read_function(&scratch, copy));
    gain = lin_meld_gain(code, arms, false, &t->price, &after);
  }
  lin_ir_erase(copy);
  lin_arena_release(&scratch);
  t->copied += code->num_ops;
  return gain;
}

static double promised(const lin_meld_arms *arms) { return arms->before - arms->after; }

// Loops that were unrolled have the same arms many times, and one failure says enough of them.
static bool failed_before(const trials *t, const lin_meld_arms *arms) {
  for (uint32_t i = 0; i < t->failed; i++)
    if (t->failure[i].promised == promised(arms) && t->failure[i].before == arms->before)
      return true;
  return false;
}

static bool gains(trials *t, const lin_melds *melds, lin_meld_arms *arms) {
  const lin_ir_meld_failure tried = {promised(arms), arms->before};
  const bool is_tried = t->job->sure
                            ? lin_meld_is_enough(&t->ops->code, tried.promised, tried.before)
                            : !failed_before(t, arms);
  const double gain = is_tried ? gain_of(t, melds, arms) : 0;
  arms->after = arms->before - gain;
  if (lin_meld_is_enough(&t->ops->code, gain, arms->before))
    return true;
  if (is_tried)
    t->failure[t->failed++] = tried;
  return false;
}

void lin_ir_meld_begin_trials(trials *t, lin_arena *arena, const lin_ir_function *f,
                              const lin_ir_operations *ops) {
  t->f = f;
  t->ops = ops;
  t->warps = warps_of(t, f);
  t->price = price_of(t, arena, read_function(arena, f->function));
}

bool lin_ir_meld_keep_good(trials *t, lin_melds *melds, bool *skipped) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < melds->count && lin_ir_meld_may_try(t); i++) {
    lin_meld_arms arms = melds->melded[i];
    const bool good = gains(t, melds, &arms);
    skipped[arms.branch] |= !good;
    if (good)
      melds->melded[kept++] = arms;
  }
  melds->count = kept;
  return kept > 0;
}
