// A round: what could be melded is tried in a copy of the function, and what a warp runs there is
// compared with what it ran before. Where that gains, it is done. An estimate foresees no select
// that a phi becomes, and no value that has to be kept: of 62 melds of real PTX it saw a gain in 40
// more than there was.
#include "meld.h"

#include "meld/gain.h"
#include "operations.h"
#include "rewrite.h"
#include "llvm/ask/annotations.h"
#include "llvm/edit/clone.h"
#include "llvm/edit/unreachable.h"
#include "llvm/tell/message.h"

#include <string.h>

// A switch of so many cases that do the same has one arm more melded in each round; and copies that
// are made of a function, at most.
enum { MOST_ROUNDS = 64, MOST_COPIES = 256 };

typedef struct melding {
  const lin_ir_meld_job *job;
  lin_arena arena; // of a round
  lin_ir_function *f;
  lin_order *order;
  lin_ir_operations *ops;
  bool *skipped; // [blocks] branches whose arms didn't gain
  lin_meld_price price;
  uint32_t copies;
} melding;

// ---- reading

static lin_ir_operations *operations_of(lin_arena *arena, const lin_ir_function *f,
                                        lin_order **order) {
  *order = lin_order_build(arena, f->graph);
  lin_analysis *analysis = lin_analysis_build(arena, (*order)->graph, (*order)->loops);
  return lin_ir_operations_read(arena, f, *order, analysis);
}

static void read_facts(melding *m) {
  const linearize_options *options = m->job->options;
  lin_ir_read_effects(m->f, m->job->summaries);
  if (options->is_uniform != NULL)
    lin_ir_read_uniform(m->f, options->is_uniform, options->context);
  if (options->most_trips != NULL)
    lin_ir_read_trips(m->f, options->most_trips, options->context);
  m->ops = operations_of(&m->arena, m->f, &m->order);
  m->skipped = LIN_ARRAY(&m->arena, bool, m->f->graph->num_blocks);
  m->ops->code.divergence_known = options->is_uniform != NULL;
  m->ops->code.regardless = options->regardless;
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

// What a warp runs less, each time that it comes to the branch.
static double gain_of(melding *m, const lin_melds *melds, const lin_meld_arms *arms) {
  lin_arena scratch = {0};
  LLVMValueRef copy = lin_ir_clone(m->f->function, "");
  lin_ir_function *f = read_function(&scratch, copy);
  lin_ir_meld_arms(&scratch, f, read_code(&scratch, f), melds, arms);
  const lin_meld_price after = price_of(m, &scratch, read_function(&scratch, copy));
  lin_ir_erase(copy);
  const double gain = lin_meld_gain(&m->ops->code, arms->branch, &m->price, &after);
  lin_arena_release(&scratch);
  m->copies++;
  return gain;
}

// Keeps of what was found what gains. Returns whether that is any.
static bool keep_good(melding *m, lin_melds *melds) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < melds->count && m->copies < MOST_COPIES; i++) {
    lin_meld_arms arms = melds->melded[i];
    const double gain = gain_of(m, melds, &arms);
    arms.after = arms.before - gain;
    if (lin_meld_is_enough(&m->ops->code, gain, arms.before))
      melds->melded[kept++] = arms;
    else
      m->skipped[arms.branch] = true;
  }
  melds->count = kept;
  return kept > 0;
}

// ---- remarks

static void tell(const melding *m, const lin_meld_arms *arms) {
  const uint32_t *origin = m->order->origin;
  lin_ir_message text = {.used = 0};
  lin_ir_say(&text, "both arms of this branch do the same at ");
  lin_ir_say_own_place(&text, m->f, origin[arms->arm[0]]);
  lin_ir_say(&text, " and ");
  lin_ir_say_own_place(&text, m->f, origin[arms->arm[1]]);
  lin_ir_say(&text, ": melded; a warp runs about ");
  lin_ir_say_number(&text, "After", arms->after > 0 ? (uint64_t)(arms->after + 0.5) : 0);
  lin_ir_say(&text, " instructions instead of ");
  lin_ir_say_number(&text, "Before", (uint64_t)(arms->before + 0.5));
  lin_ir_send(m->job->report, m->f, LINEARIZE_PASSED, "ArmsMelded", origin[arms->branch], &text);
}

static void tell_refused(const melding *m, const lin_meld_refusal *r) {
  const uint32_t *origin = m->order->origin;
  const lin_graph *graph = m->ops->code.analysis->graph;
  lin_ir_message text = {.used = 0};
  lin_ir_say(&text, "arms of this branch do much the same, but aren't melded: the code at ");
  lin_ir_say_own_place(&text, m->f, origin[r->at]);
  lin_ir_say(&text, " %s", lin_meld_why_not(graph->flags[r->at]));
  lin_ir_send(m->job->report, m->f, LINEARIZE_MISSED, "ArmsNotMelded", origin[r->branch], &text);
}

// ---- rounds

static void meld_found(melding *m, const lin_melds *melds) {
  for (uint32_t i = 0; i < melds->count && !m->job->options->quiet; i++)
    tell(m, &melds->melded[i]);
  m->job->changing(m->job->context);
  for (uint32_t i = 0; i < melds->count; i++)
    lin_ir_meld_arms(&m->arena, m->f, m->ops, melds, &melds->melded[i]);
}

// Tells of refusals once: when nothing more is found, so that it is about what stays.
static bool meld_round(melding *m) {
  read_facts(m);
  m->price = price_of(m, &m->arena, read_function(&m->arena, m->f->function));
  lin_melds *melds;
  do
    melds = lin_melds_find(&m->arena, &m->ops->code);
  while (melds->count > 0 && !keep_good(m, melds) && m->copies < MOST_COPIES);
  for (uint32_t i = 0; melds->count == 0 && i < melds->num_refused && !m->job->options->quiet; i++)
    tell_refused(m, &melds->refused[i]);
  if (melds->count > 0)
    meld_found(m, melds);
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
  bool changed = false, more = !lin_ir_is_annotated(job->function, "no-linearize");
  for (uint32_t round = 0; more && round < MOST_ROUNDS; round++) {
    m.f = lin_ir_read(&m.arena, job->function, &read);
    more = m.f->refused == NULL;
    if (more) {
      changed |= drop_unreachable(&m, &read);
      more = meld_round(&m);
      changed |= more;
    }
    lin_arena_release(&m.arena);
  }
  return changed;
}
