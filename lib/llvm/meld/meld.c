// A round: what could be melded is tried in a copy of the function, and what a warp runs there is
// compared with what it ran before. Where that gains, it is done. An estimate foresees no select
// that a phi becomes, and no value that has to be kept: of 62 melds of real PTX it saw a gain in 40
// more than there was.
#include "meld.h"

#include "gather.h"
#include "gpu/costs.h"
#include "meld/gain.h"
#include "operations.h"
#include "rewrite.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/occupancy.h"
#include "llvm/edit/clone.h"
#include "llvm/edit/split.h"
#include "llvm/edit/unreachable.h"
#include "llvm/read/live.h"
#include "llvm/tell/message.h"

#include <math.h>
#include <string.h>

// A switch of so many cases that do the same has one arm more melded in each round; and so many
// instructions have the copies that are made of a function, in all: some 5 us each. Where so many
// of them didn't gain, others hardly do.
enum { MOST_ROUNDS = 64, MOST_COPIED = 400000, MOST_FAILED = 8 };
// Where nobody asked for it.
enum { MOST_COPIED_UNASKED = 20000, MOST_FAILED_UNASKED = 2 };

// In so many passes a warp comes to what is worth gathering for.
static const double LEAST_PASSES = 1.25;

// A block that was counted, or melded of two that were.
typedef struct counted {
  LLVMBasicBlockRef block; // NULL: it is gone
  double passes;           // warps that came to it; of a melded one, to the twin to which more came
  bool agrees;             // warps take its branch together
} counted;

// A block where ends of an arm are joined.
typedef struct joined {
  LLVMBasicBlockRef block;
  LLVMBasicBlockRef *from; // [count] of the phis behind it, as they were
  unsigned count;
} joined;

// Arms that a copy showed to gain too little.
typedef struct failure {
  double promised, before; // instructions
} failure;

typedef struct melding {
  const lin_ir_meld_job *job;
  lin_arena arena; // of a round
  lin_ir_function *f;
  lin_order *order;
  lin_ir_operations *ops;
  bool *skipped; // [blocks] branches whose arms didn't gain
  lin_meld_price price;
  uint64_t copied;              // instructions
  failure failure[MOST_FAILED]; // [failed]
  uint32_t failed;              // copies
  lin_arena kept;
  LLVMBasicBlockRef *made; // [num_made] of what was melded, that threads may come to one by one
  uint32_t num_made, made_capacity;
  counted *counted; // [num_counted]
  uint32_t num_counted, counted_capacity;
  double all;     // what warps ran of the function, instructions; 0: nothing is counted
  double *passes; // [blocks] of these
  joined *ends;   // [num_ends] of arms that perhaps weren't melded
  uint32_t num_ends, end_capacity;
  bool melded;    // something
  uint32_t warps; // that a multiprocessor has
} melding;

static bool has_copies(const melding *m) {
  return m->copied < (uint64_t)(m->job->sure ? MOST_COPIED_UNASKED : MOST_COPIED);
}

static bool may_copy(const melding *m) {
  return has_copies(m) && m->failed < (uint32_t)(m->job->sure ? MOST_FAILED_UNASKED : MOST_FAILED);
}

// ---- reading

static lin_ir_operations *operations_of(lin_arena *arena, const lin_ir_function *f,
                                        lin_order **order) {
  *order = lin_order_build(arena, f->graph);
  lin_analysis *analysis = lin_analysis_build(arena, (*order)->graph, (*order)->loops);
  return lin_ir_operations_read(arena, f, *order, analysis);
}

static lin_numbers number_blocks(lin_arena *arena, LLVMBasicBlockRef const *blocks,
                                 uint32_t count) {
  lin_numbers numbers = {0};
  for (uint32_t i = 0; i < count; i++)
    if (blocks[i] != NULL && lin_numbers_find(&numbers, blocks[i]) == LIN_NONE)
      lin_numbers_add(arena, &numbers, blocks[i], i);
  return numbers;
}

static void keep_counts(melding *m, LLVMBasicBlockRef block, double passes, bool agrees) {
  m->counted = LIN_ROOM(&m->kept, m->counted, m->num_counted, &m->counted_capacity);
  m->counted[m->num_counted++] = (counted){block, passes, agrees};
}

// Counts are of the function as it was; its blocks stay until they are melded.
static void keep_visits(melding *m) {
  const lin_graph *graph = m->ops->code.analysis->graph;
  m->all = lin_meld_counted(&m->ops->code);
  for (lin_block block = 0; graph->visits != NULL && block < graph->num_blocks; block++)
    keep_counts(m, m->ops->block[block], graph->visits[block].passes,
                lin_out_degree(graph, block) > 1 && lin_meld_agrees(graph, block));
}

static void read_counts(melding *m) {
  const uint32_t num_blocks = m->ops->code.analysis->graph->num_blocks;
  const lin_numbers numbers = number_blocks(&m->arena, m->ops->block, num_blocks);
  m->passes = LIN_ARRAY(&m->arena, double, num_blocks);
  for (uint32_t i = 0; i < m->num_counted; i++) {
    const counted *c = &m->counted[i];
    const lin_block block = c->block == NULL ? LIN_NONE : lin_numbers_find(&numbers, c->block);
    if (block == LIN_NONE)
      continue;
    m->passes[block] = c->passes;
    m->skipped[block] = c->agrees;
  }
}

// What became of twins.
static void keep_twins(melding *m, const lin_melds *melds, const lin_meld_arms *arms,
                       LLVMBasicBlockRef const *made) {
  for (uint32_t i = 0; m->num_counted > 0 && i < arms->count[0] + arms->count[1]; i++) {
    const lin_block block = arms->block[i], twin = melds->twin[block];
    if (twin != LIN_NONE && made[block] != NULL)
      keep_counts(m, made[block], fmax(m->passes[block], m->passes[twin]), false);
  }
}

// Whether arms may be melded, or refused, by the function alone. LLVM isn't asked: its later passes
// may do otherwise where analyses have been there, and what isn't melded is to stay as it is.
static bool has_prospects(melding *m) {
  lin_ir_read_effects(m->f, m->job->summaries);
  m->ops = operations_of(&m->arena, m->f, &m->order);
  const lin_melds *melds = lin_melds_find(&m->arena, &m->ops->code);
  return melds->count > 0 || melds->num_refused > 0;
}

static void read_facts(melding *m, bool is_first) {
  const linearize_options *options = m->job->options;
  lin_ir_read_effects(m->f, m->job->summaries);
  if (options->is_uniform != NULL)
    lin_ir_read_uniform(m->f, options->is_uniform, options->context);
  if (options->most_trips != NULL)
    lin_ir_read_trips(m->f, options->most_trips, options->context);
  if (is_first && m->job->read_visits != NULL)
    m->job->read_visits(m->job->context, m->f);
  m->ops = operations_of(&m->arena, m->f, &m->order);
  m->skipped = LIN_ARRAY(&m->arena, bool, m->f->graph->num_blocks);
  if (is_first)
    keep_visits(m);
  read_counts(m);
  m->ops->code.divergence_known = options->is_uniform != NULL;
  m->ops->code.regardless = options->regardless && !m->job->sure;
  m->ops->code.sure = m->job->sure;
  m->ops->code.skipped = m->skipped;
}

// ---- prices

// By the code alone: nobody knows of a melded loop how often it goes around, nor of what is melded
// which ways are usual.
static lin_ir_operations *read_code(lin_arena *arena, lin_ir_function *f) {
  lin_order *order;
  memset(f->graph->weight, 0, f->graph->num_edges * sizeof *f->graph->weight);
  return operations_of(arena, f, &order);
}

static lin_ir_function *read_function(lin_arena *arena, LLVMValueRef function) {
  return lin_ir_read(arena, function, &(lin_ir_read_options){.force = true});
}

static lin_meld_price price_of(const melding *m, lin_arena *arena, lin_ir_function *f) {
  return lin_meld_price_of(arena, &read_code(arena, f)->code, m->job->lock_step);
}

// Warps that a multiprocessor has of the function, in whole blocks, by the registers that it takes.
static uint32_t warps_of(const melding *m, const lin_ir_function *f) {
  const uint32_t live = lin_ir_most_live(f) + (m->job->sure ? LIN_REGISTERS_BESIDE : 0);
  bool exact;
  const uint32_t threads = lin_ir_block_threads(f->function, &exact);
  uint32_t warps = lin_ir_warps(f->function);
  while (warps > 1 && lin_ir_registers(f->function, warps) < live)
    warps--;
  const uint32_t of_block = threads / LIN_WARP + (threads % LIN_WARP != 0);
  return of_block > 0 && warps > of_block ? warps - warps % of_block : warps;
}

// Launches of the largest blocks would fail for want of registers. Who asked takes that risk.
static bool loses_launches(const melding *m, uint32_t warps) {
  enum { LARGEST = LIN_LARGEST_BLOCK / LIN_WARP };
  bool exact;
  return m->job->sure && m->warps >= LARGEST && warps < LARGEST &&
         lin_ir_block_threads(m->f->function, &exact) == 0;
}

// What a warp runs takes the longer, the fewer of them there are.
static lin_meld_price price_with_registers(const melding *m, lin_arena *arena, lin_ir_function *f) {
  lin_meld_price price = price_of(m, arena, f);
  const uint32_t warps = warps_of(m, f);
  const double longer = loses_launches(m, warps) ? HUGE_VAL
                        : warps < m->warps       ? (double)m->warps / warps
                                                 : 1;
  price.total *= longer;
  price.serial *= longer;
  return price;
}

// ---- gathering

// Has threads gather in front of a block, by its number. Returns what a warp runs then.
static double gather_at(const melding *m, LLVMValueRef function, lin_block block) {
  lin_arena scratch = {0};
  lin_gathering g;
  double total = HUGE_VAL;
  lin_ir_operations *ops = read_code(&scratch, read_function(&scratch, function));
  if (lin_gathering_find(&scratch, ops->code.analysis, block, &g)) {
    lin_ir_meld_gather(&scratch, ops, &g);
    total = price_of(m, &scratch, read_function(&scratch, function)).total;
  }
  lin_arena_release(&scratch);
  return total;
}

// Whether it does something about a block of these to which a warp comes in several passes.
static bool gather_one(melding *m, LLVMValueRef function, LLVMBasicBlockRef const *made,
                       uint32_t count) {
  lin_arena scratch = {0};
  const lin_numbers numbers = number_blocks(&scratch, made, count);
  const lin_ir_operations *ops = read_code(&scratch, read_function(&scratch, function));
  const lin_meld_price price = lin_meld_price_of(&scratch, &ops->code, m->job->lock_step);
  bool better = false;
  for (lin_block block = 0; block < ops->code.analysis->graph->num_blocks && !better; block++) {
    if (lin_numbers_find(&numbers, ops->block[block]) == LIN_NONE ||
        price.times[block] < LEAST_PASSES * price.times_serially[block] || !has_copies(m))
      continue;
    LLVMValueRef copy = lin_ir_clone(function, "");
    better = gather_at(m, copy, block) < price.total;
    lin_ir_erase(copy);
    m->copied += ops->code.num_ops;
    if (better)
      (void)gather_at(m, function, block);
  }
  lin_arena_release(&scratch);
  return better;
}

static bool gather(melding *m, LLVMValueRef function, LLVMBasicBlockRef const *made,
                   uint32_t count) {
  bool any = false;
  while (gather_one(m, function, made, count))
    any = true;
  return any;
}

// ---- gains

// Whether threads can be gathered in front of what was made: its first block.
static bool can_gather(LLVMValueRef function, LLVMBasicBlockRef const *made, uint32_t count) {
  lin_arena scratch = {0};
  const lin_numbers numbers = number_blocks(&scratch, made, count);
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
static double gain_of(melding *m, const lin_melds *melds, lin_meld_arms *arms) {
  lin_arena scratch = {0};
  const lin_meld_code *code = &m->ops->code;
  const uint32_t blocks = code->analysis->graph->num_blocks;
  LLVMValueRef copy = lin_ir_clone(m->f->function, "");
  lin_ir_function *f = read_function(&scratch, copy);
  LLVMBasicBlockRef *made = lin_ir_meld_arms(&scratch, f, read_code(&scratch, f), melds, arms);
  const bool later = !lin_meld_is_plain(code, arms) && can_gather(copy, made, blocks);
  lin_meld_price after = price_with_registers(m, &scratch, read_function(&scratch, copy));
  double gain = lin_meld_gain(code, arms, later, &m->price, &after);
  arms->gathered =
      !later && !lin_meld_is_enough(code, gain, arms->before) && gather(m, copy, made, blocks);
  if (arms->gathered) {
    after = price_with_registers(m, &scratch, read_function(&scratch, copy));
    gain = lin_meld_gain(code, arms, false, &m->price, &after);
  }
  lin_ir_erase(copy);
  lin_arena_release(&scratch);
  m->copied += code->num_ops;
  return gain;
}

static double promised(const lin_meld_arms *arms) { return arms->before - arms->after; }

// Loops that were unrolled have the same arms many times, and one failure says enough of them.
static bool failed_before(const melding *m, const lin_meld_arms *arms) {
  for (uint32_t i = 0; i < m->failed; i++)
    if (m->failure[i].promised == promised(arms) && m->failure[i].before == arms->before)
      return true;
  return false;
}

static bool gains(melding *m, const lin_melds *melds, lin_meld_arms *arms) {
  const failure tried = {promised(arms), arms->before};
  const bool is_tried = m->job->sure
                            ? lin_meld_is_enough(&m->ops->code, tried.promised, tried.before)
                            : !failed_before(m, arms);
  const double gain = is_tried ? gain_of(m, melds, arms) : 0;
  arms->after = arms->before - gain;
  if (lin_meld_is_enough(&m->ops->code, gain, arms->before))
    return true;
  m->skipped[arms->branch] = true;
  if (is_tried)
    m->failure[m->failed++] = tried;
  return false;
}

// Keeps of what was found what gains. Returns whether that is any.
static bool keep_good(melding *m, lin_melds *melds) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < melds->count && may_copy(m); i++) {
    lin_meld_arms arms = melds->melded[i];
    if (gains(m, melds, &arms))
      melds->melded[kept++] = arms;
  }
  melds->count = kept;
  return kept > 0;
}

// ---- remarks

// By as much of what warps ran of the arms as the estimate says.
static double counted_savings(const melding *m, const lin_meld_arms *arms) {
  double ran = 0;
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++)
    ran += m->passes[arms->block[i]] * lin_meld_cost_of(&m->ops->code, arms->block[i]);
  return arms->before > 0 ? ran * fmax(0, 1 - arms->after / arms->before) : 0;
}

static void tell(const melding *m, const lin_meld_arms *arms) {
  const uint32_t *origin = m->order->origin;
  lin_ir_message text = {.used = 0};
  lin_ir_say(&text, "both arms of this branch do the same at ");
  lin_ir_say_own_place(&text, m->f, origin[arms->arm[0]]);
  lin_ir_say(&text, " and ");
  lin_ir_say_own_place(&text, m->f, origin[arms->arm[1]]);
  lin_ir_hide_estimate(&text, "After", arms->after);
  lin_ir_hide_estimate(&text, "Before", arms->before);
  lin_ir_say(&text, ": melded; ");
  lin_ir_say_change(&text, arms->before, fmax(arms->after, 0));
  lin_ir_begin_details(&text);
  if (m->all > 0) {
    lin_ir_say(&text, ", by the counts ");
    lin_ir_say_number(&text, "Saved", (uint64_t)(100 * counted_savings(m, arms) / m->all + 0.5));
    lin_ir_say(&text, "%% less of the kernel");
  }
  lin_ir_send(m->job->report, m->f, LINEARIZE_PASSED, "ArmsMelded", origin[arms->branch], &text);
}

static void tell_refused(const melding *m, const lin_meld_refusal *r) {
  const uint32_t *origin = m->order->origin;
  const lin_graph *graph = m->ops->code.analysis->graph;
  lin_ir_message text = {.used = 0};
  lin_ir_say(&text, "arms of this branch do much the same, but aren't melded: the code at ");
  lin_ir_say_own_place(&text, m->f, origin[r->at]);
  const uint32_t *loop_of = m->ops->code.analysis->loops->loop_of;
  const bool repeats = loop_of[r->at] != loop_of[r->branch];
  lin_ir_say(&text, " %s", lin_meld_why_not(graph->flags[r->at], repeats));
  lin_ir_send(m->job->report, m->f, LINEARIZE_MISSED, "ArmsNotMelded", origin[r->branch], &text);
}

// ---- ends

static joined order_of(melding *m, LLVMBasicBlockRef block) {
  LLVMValueRef phi = LLVMGetFirstInstruction(block);
  joined made = {.count = LLVMIsAPHINode(phi) != NULL ? LLVMCountIncoming(phi) : 0};
  made.from = LIN_ARRAY(&m->kept, LLVMBasicBlockRef, made.count);
  for (unsigned i = 0; i < made.count; i++)
    made.from[i] = LLVMGetIncomingBlock(phi, i);
  return made;
}

// Where one of two arms has an end and the other has many, guards would stand at each of these.
static bool join_ends(melding *m, const lin_melds *melds) {
  bool any = false;
  for (uint32_t i = 0; i < melds->count; i++) {
    const lin_meld_arms *arms = &melds->melded[i];
    lin_block to[2], end[2];
    for (uint32_t arm = 0; arm < 2; arm++)
      end[arm] = lin_meld_end(&m->ops->code, arms, arm, &to[arm]);
    const uint32_t arm = end[0] == LIN_NONE ? 0 : 1;
    if (end[1 - arm] == LIN_NONE || end[arm] != LIN_NONE || to[arm] == LIN_NONE)
      continue;
    if (!any)
      m->job->changing(m->job->context);
    m->ends = LIN_ROOM(&m->kept, m->ends, m->num_ends, &m->end_capacity);
    joined *made = &m->ends[m->num_ends++];
    *made = order_of(m, m->ops->block[to[arm]]);
    made->block =
        lin_ir_operations_split(&m->arena, m->ops, arms->block + (arm == 0 ? 0 : arms->count[0]),
                                arms->count[arm], to[arm], "linearize.end");
    any = true;
  }
  return any;
}

// Where nothing was melded. Returns whether the code is as it was.
static bool part_ends(const melding *m) {
  bool all = true;
  for (uint32_t i = m->num_ends; i-- > 0;)
    all &= lin_ir_join_edges(m->ends[i].block, m->ends[i].from, m->ends[i].count);
  return all;
}

// ---- rounds

static void forget(LLVMBasicBlockRef *blocks, uint32_t count, const lin_numbers *gone) {
  for (uint32_t i = 0; i < count; i++)
    if (lin_numbers_find(gone, blocks[i]) != LIN_NONE)
      blocks[i] = NULL;
}

static void forget_melded(melding *m, const lin_melds *melds, const lin_meld_arms *arms) {
  lin_numbers gone = {0};
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++)
    if (melds->twin[arms->block[i]] != LIN_NONE)
      lin_numbers_add(&m->arena, &gone, m->ops->block[arms->block[i]], i);
  forget(m->made, m->num_made, &gone);
  for (uint32_t i = 0; i < m->num_counted; i++)
    forget(&m->counted[i].block, 1, &gone);
}

static void keep_made(melding *m, LLVMBasicBlockRef const *made, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    m->made = LIN_ROOM(&m->kept, m->made, m->num_made, &m->made_capacity);
    m->made[m->num_made++] = made[i];
  }
}

// Whether a block is gone, or one in front of it.
static bool touches(const lin_graph *graph, lin_block block, const bool *gone) {
  if (gone[block])
    return true;
  for (LIN_IN_EDGES(graph, block, i))
    if (gone[graph->source[graph->in_edge[i]]])
      return true;
  return false;
}

// Whether arms are as they were read. Those that were melded before may have put phis there, where
// what they compute is used; and remarks look for a line in front of what has none.
static bool hold(const lin_ir_operations *ops, const lin_meld_arms *arms, const bool *gone) {
  const lin_graph *graph = ops->code.analysis->graph;
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++)
    if (gone[arms->block[i]] || !lin_ir_operations_hold(ops, arms->block[i]))
      return false;
  const lin_tree *dominators = ops->code.analysis->dominators;
  for (uint32_t arm = 0; arm < 2; arm++)
    for (lin_block at = arms->arm[arm]; at != arms->branch; at = dominators->parent[at])
      if (touches(graph, at, gone))
        return false;
  return !touches(graph, arms->branch, gone);
}

static void mark_gone(const lin_melds *melds, const lin_meld_arms *arms, bool *gone) {
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++)
    gone[arms->block[i]] = melds->twin[arms->block[i]] != LIN_NONE;
}

// What no longer is as it was read waits for the next round.
static void meld_found(melding *m, const lin_melds *melds) {
  const uint32_t blocks = m->f->graph->num_blocks;
  bool *gone = LIN_ARRAY(&m->arena, bool, m->ops->code.analysis->graph->num_blocks);
  for (uint32_t i = 0; i < melds->count; i++) {
    const lin_meld_arms *arms = &melds->melded[i];
    if (!hold(m->ops, arms, gone))
      continue;
    if (!m->job->options->quiet)
      tell(m, arms);
    m->job->changing(m->job->context);
    forget_melded(m, melds, arms);
    LLVMBasicBlockRef *made = lin_ir_meld_arms(&m->arena, m->f, m->ops, melds, arms);
    mark_gone(melds, arms, gone);
    keep_twins(m, melds, arms, made);
    if (arms->gathered)
      (void)gather(m, m->f->function, made, blocks);
    if (!lin_meld_is_plain(&m->ops->code, arms))
      keep_made(m, made, blocks);
  }
}

// Tells of refusals once: when nothing more is found, so that it is about what stays.
static bool meld_round(melding *m, bool is_first) {
  read_facts(m, is_first);
  m->warps = warps_of(m, m->f);
  m->price = price_of(m, &m->arena, read_function(&m->arena, m->f->function));
  lin_melds *melds;
  do {
    melds = lin_melds_find(&m->arena, &m->ops->code);
    if (join_ends(m, melds))
      return true;
  } while (melds->count > 0 && !keep_good(m, melds) && may_copy(m));
  for (uint32_t i = 0; melds->count == 0 && i < melds->num_refused && !m->job->options->quiet; i++)
    tell_refused(m, &melds->refused[i]);
  if (melds->count > 0)
    meld_found(m, melds);
  m->melded |= melds->count > 0;
  return melds->count > 0;
}

// What nothing reaches would lead into blocks that go.
static bool drop_unreachable(melding *m, const lin_ir_read_options *read) {
  if (!lin_ir_has_unreachable(&m->arena, m->f))
    return false;
  m->job->changing(m->job->context);
  m->f = lin_ir_drop_unreachable(&m->arena, m->f, read);
  return true;
}

bool lin_ir_meld(const lin_ir_meld_job *job) {
  lin_ir_read_options read = {.force = job->options->force};
  melding m = {.job = job};
  bool changed = false, more = lin_ir_unwanted(job->function, job->options->except) == NULL;
  for (uint32_t round = 0; more && round < MOST_ROUNDS; round++) {
    m.f = lin_ir_read(&m.arena, job->function, &read);
    more = m.f->refused == NULL && (round > 0 || !job->sure || has_prospects(&m));
    if (more) {
      changed |= drop_unreachable(&m, &read);
      more = meld_round(&m, round == 0);
    }
    lin_arena_release(&m.arena);
  }
  changed |= m.melded || !part_ends(&m);
  (void)gather(&m, job->function, m.made, m.num_made);
  lin_arena_release(&m.kept);
  return changed;
}
