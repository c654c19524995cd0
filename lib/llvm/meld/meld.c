// A round: what could be melded is tried (trials.h), and where that gains, it is done.
#include "meld.h"

#include "counts/traffic.h"
#include "meld/gain.h"
#include "operations.h"
#include "rewrite.h"
#include "trials.h"
#include "llvm/ask/annotations.h"
#include "llvm/edit/split.h"
#include "llvm/edit/unreachable.h"
#include "llvm/tell/message.h"

#include <math.h>

// A switch of so many cases that do the same has one arm more melded in each round.
enum { MOST_ROUNDS = 64 };

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

typedef struct melding {
  const lin_ir_meld_job *job;
  lin_arena arena; // of a round
  lin_ir_function *f;
  lin_ir_operations *ops;
  bool *skipped; // [blocks] branches whose arms didn't gain
  lin_ir_meld_trials trials;
  lin_arena kept;
  LLVMBasicBlockRef *made; // [num_made] of what was melded, that threads may come to one by one
  uint32_t num_made, made_capacity;
  counted *counted; // [num_counted]
  uint32_t num_counted, counted_capacity;
  double all;     // what warps ran of the function, instructions; 0: nothing is counted
  double *passes; // [blocks] of these
  joined *ends;   // [num_ends] of arms that perhaps weren't melded
  uint32_t num_ends, end_capacity;
  bool melded; // something
} melding;

// ---- reading

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
  const lin_numbers numbers = lin_ir_meld_number(&m->arena, m->ops->block, num_blocks);
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
  m->ops = lin_ir_operations_read(&m->arena, m->f);
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
  if (is_first)
    lin_traffic_read_visits(m->job->arena, options->profile, m->f->graph);
  m->ops = lin_ir_operations_read(&m->arena, m->f);
  m->skipped = LIN_ARRAY(&m->arena, bool, m->f->graph->num_blocks);
  if (is_first)
    keep_visits(m);
  read_counts(m);
  m->ops->code.divergence_known = options->is_uniform != NULL;
  m->ops->code.regardless = options->regardless && !m->job->sure;
  m->ops->code.sure = m->job->sure;
  m->ops->code.skipped = m->skipped;
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
  const uint32_t *origin = m->ops->order->origin;
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
  const uint32_t *origin = m->ops->order->origin;
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

// Of blocks that are about to go.
static void mark_gone(melding *m, const lin_melds *melds, const lin_meld_arms *arms, bool *gone) {
  lin_numbers now = {0}; // addresses of blocks that went before may be those of new ones
  for (uint32_t i = 0; i < arms->count[0] + arms->count[1]; i++)
    if (melds->twin[arms->block[i]] != LIN_NONE) {
      gone[arms->block[i]] = true;
      lin_numbers_add(&m->arena, &now, m->ops->block[arms->block[i]], i);
    }
  forget(m->made, m->num_made, &now);
  for (uint32_t i = 0; i < m->num_counted; i++)
    forget(&m->counted[i].block, 1, &now);
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
    mark_gone(m, melds, arms, gone);
    LLVMBasicBlockRef *made = lin_ir_meld_arms(&m->arena, m->f, m->ops, melds, arms);
    keep_twins(m, melds, arms, made);
    if (arms->gathered)
      lin_ir_meld_gather_all(&m->trials, m->f->function, made, blocks);
    if (!lin_meld_is_plain(&m->ops->code, arms))
      keep_made(m, made, blocks);
  }
}

// Tells of refusals once: when nothing more is found, so that it is about what stays.
static bool meld_round(melding *m, bool is_first) {
  read_facts(m, is_first);
  lin_ir_meld_begin_trials(&m->trials, &m->arena, m->f, m->ops);
  lin_melds *melds;
  do {
    melds = lin_melds_find(&m->arena, &m->ops->code);
    if (join_ends(m, melds))
      return true;
  } while (melds->count > 0 && !lin_ir_meld_keep_good(&m->trials, melds, m->skipped) &&
           lin_ir_meld_may_try(&m->trials));
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
  melding m = {.job = job, .trials = {.job = job}};
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
  lin_ir_meld_gather_all(&m.trials, job->function, m.made, m.num_made);
  lin_arena_release(&m.kept);
  return changed;
}
