#include "driver.h"

#include "choose/divergence.h"
#include "passes.h"

// ---- is there anything to do?

static bool has_nest(const lin_loops *loops) {
  for (uint32_t loop = 0; loop < loops->num_loops; loop++)
    if (loops->tree->depth[loop] > 1)
      return true;
  return false;
}

// Divergence, and what is called, cost more to find out than all the rest, and most functions need
// neither.
bool lin_driver_has_work(const lin_shape *shape, lin_basis basis) {
  if (basis == LIN_OF_NESTS)
    return has_nest(shape->order->loops);
  return basis != LIN_OF_EDGES || shape->analysis->num_unstructured > 0;
}

// The shape of the code as it was read last.
static const lin_shape *shape_of(lin_driver *d) {
  if (d->shape.input != d->code.graph)
    d->shape = lin_shape_build(d->arena, d->code.graph);
  return &d->shape;
}

static bool has_anything(lin_driver *d) {
  const lin_status status = lin_status_of(d->code.graph);
  if (!lin_ok(status)) {
    d->end->tell_bad(d->end->context, status);
    return false;
  }
  return lin_driver_has_work(shape_of(d), lin_policy_basis(&d->options.policy));
}

// A function that is left as it is, and what has to be said of it.
static bool is_left(const lin_driver *d) {
  bool anything = d->result.num_regions > 0 || d->result.refusals.count > 0;
  if (!anything || lin_driver_may_change(d))
    return false;
  if (d->end->tell_left != NULL)
    d->end->tell_left(d->end->context, d);
  return true;
}

// ---- what is known of the function

static bool may_wait(const lin_graph *graph) {
  for (lin_block block = 0; block < graph->num_blocks; block++)
    if ((graph->flags[block] & (LIN_WAITS | LIN_POLLS | LIN_MAY_SPIN)) != 0)
      return true;
  return false;
}

// Whether divergence has to be known: for a mode that chooses, or where threads wait for each other
// in lock step.
static bool uses_divergence(const lin_driver *d) {
  const lin_policy *asked = &d->asked->policy;
  bool chooses = asked->num_only == 0 && !lin_modes[d->options.policy.mode].all_edges;
  return d->end->read_uniform != NULL &&
         (chooses || (!asked->force && asked->lock_step && may_wait(d->code.graph)));
}

// Who allows regions less work than usual still wants to know where threads part.
static uint64_t most_divergence_work(const lin_driver *d) {
  uint32_t most = d->asked->policy.most_work;
  return most > LIN_MOST_WORK ? most : LIN_MOST_WORK;
}

// Finds out which branches threads take together, if that isn't too dear. Returns whether it is
// known.
static bool read_divergence(lin_driver *d) {
  uint64_t work = 0, most = most_divergence_work(d);
  bool was = d->over_budget;
  d->over_budget = false;
  if (lin_divergence_most_work(d->code.graph->num_blocks) > most) {
    work = lin_divergence_work(d->arena, shape_of(d)->analysis);
    d->over_budget = work > most;
  }
  if (!d->over_budget)
    d->end->read_uniform(d->end->context);
  else if (!was && !lin_modes[d->options.policy.mode].all_edges)
    d->end->tell_over_budget(d->end->context, d, work, most);
  return !d->over_budget;
}

// What is counted is read of the function as it was compiled for the profile, whatever the mode:
// edits of one mode move it, for the next.
static void look_up_counts(lin_driver *d) {
  const char *ignored = lin_counts_look_up(d->arena, &d->counts, d->asked->profile, d->code.graph);
  d->ignored = ignored == NULL ? d->ignored : ignored;
}

// ---- planning

static void set_options(lin_driver *d, bool divergence_known) {
  lin_mode mode = d->options.policy.mode;
  d->options = (lin_options){.policy = d->asked->policy, .level = d->asked->level};
  lin_policy *policy = &d->options.policy;
  policy->mode = mode;
  policy->divergence_known = divergence_known;
  policy->counts_ended |= d->counts.is_forgotten;
  policy->many_registers = lin_modes[mode].gains && d->end->has_many_registers != NULL &&
                           d->end->has_many_registers(d->end->context);
  if (lin_mode_has_own_regions(mode)) // numbers of regions are those of unstructured edges
    policy->num_only = 0;
}

// Plans what the mode does to the function as it is. Returns false if there is nothing to plan.
static bool plan(lin_driver *d) {
  const lin_front_end *end = d->end;
  if (end->read_effects != NULL)
    end->read_effects(end->context);
  bool known = uses_divergence(d) && read_divergence(d);
  lin_mode mode = d->options.policy.mode;
  if (d->over_budget)
    mode = lin_modes[mode].undecided;
  if (mode == LIN_NO_MODE)
    return false;
  d->options.policy.mode = mode;
  if (lin_modes[mode].asks_for_sharing && !d->asked->policy.force && end->read_sharing != NULL)
    end->read_sharing(end->context);
  if (lin_modes[mode].basis == LIN_OF_NESTS && end->read_trips != NULL)
    end->read_trips(end->context);
  look_up_counts(d);
  set_options(d, known);
  lin_shape_update(d->arena, shape_of(d));
  lin_linearize_shape(d->arena, shape_of(d), &d->options, &d->result);
  return true;
}

// The same after an edit. Without a plan nothing is written.
static bool plan_again(lin_driver *d) {
  bool planned = plan(d);
  if (!planned)
    d->result.num_regions = 0;
  return planned;
}

// ---- edits

enum { MADE_BY_EDITS = LIN_STRIP | LIN_STAGE | LIN_TWO_SIDED | LIN_AGREED };

// What edits have made of blocks, the code itself doesn't say.
static void mark_blocks(const lin_driver *d, const lin_graph *before, const lin_edits *edits,
                        const lin_block *was) {
  lin_edit_kind kind = edits->edit[0].kind; // all are of one
  if (kind != LIN_EDIT_STRIP && kind != LIN_EDIT_CUT && kind != LIN_EDIT_VOTE)
    return;
  const lin_graph *edited = lin_edit_apply(d->arena, before, edits);
  for (lin_block block = 0; block < d->code.graph->num_blocks; block++)
    if (was[block] != LIN_NONE)
      d->code.graph->flags[block] |= edited->flags[was[block]] & MADE_BY_EDITS;
}

// Regions keep the numbers that they had before blocks were added behind the others.
static void keep_numbers(lin_driver *d, const lin_former *former, const lin_edits *edits,
                         const lin_block *was) {
  const lin_minimal *minimal = lin_minimal_build(d->arena, d->result.shape.analysis);
  uint32_t count = d->result.shape.analysis->graph->num_blocks;
  lin_block *before = LIN_ARRAY(d->arena, lin_block, count);
  for (lin_block block = 0; block < count; block++) {
    lin_block read = d->result.shape.order->origin[block];
    lin_block old = read < d->code.graph->num_blocks ? was[read] : LIN_NONE;
    before[block] = old < former->num_blocks ? former->order->number[old] : LIN_NONE;
  }
  d->names = lin_minimal_names(d->arena, former->minimal, minimal, before, count);
  if (d->end->tell_settled != NULL)
    d->end->tell_settled(d->end->context, former, edits, d->names, minimal->regions->num_regions);
}

// Makes the edits and plans again. Blocks that copies were made of keep their place in the
// function, so what is planned then can be told by the numbers of before.
static void make_edits(lin_driver *d, const lin_edits *edits) {
  const lin_front_end *end = d->end;
  const lin_graph *before = d->code.graph;
  bool adds_behind = edits->edit[0].to == LIN_NONE &&
                     (edits->edit[0].kind == LIN_EDIT_COPY || edits->edit[0].kind == LIN_EDIT_VOTE);
  lin_former former = {
      .order = d->result.shape.order, .num_blocks = d->code.graph->num_blocks, .again = d->again};
  if (adds_behind)
    former.minimal = lin_minimal_build(d->arena, d->result.shape.analysis);
  end->tell_edits(end->context, &former, edits);
  if (end->changing != NULL)
    end->changing(end->context);
  const lin_block *was = end->apply(end->context, &d->result, edits, &d->code);
  lin_counts_move(d->arena, &d->counts, edits, d->code.graph, was);
  mark_blocks(d, before, edits, was);
  if (plan_again(d) && adds_behind)
    keep_numbers(d, &former, edits, was);
}

static bool propose_edits(lin_driver *d, const lin_pass *pass) {
  if (!lin_driver_may_change(d))
    return false;
  const lin_edits *edits = pass->propose(d->arena, d->code.front, &d->result, &d->options.policy);
  if (edits->num_hidden > 0 && !d->again && d->end->tell_hidden != NULL)
    d->end->tell_hidden(d->end->context, edits);
  if (edits->count > 0)
    make_edits(d, edits);
  return edits->count > 0;
}

// ---- the loop

// Runs the passes that are wanted `when`. Returns whether any has changed the function.
static bool run_passes(lin_driver *d, lin_pass_time when) {
  bool changed = false;
  for (const lin_pass *pass = lin_passes; pass->name != NULL; pass++) {
    for (uint32_t times = 0; pass->when == when && times < pass->most; times++) {
      if (!pass->is_wanted(&d->options.policy) ||
          !(pass->propose != NULL ? propose_edits(d, pass) : pass->run(d)))
        break;
      changed = true;
    }
  }
  return changed;
}

static bool may_go_on(const lin_driver *d) {
  return d->options.policy.num_only == 0 && // numbers of what was there before
         !d->counts.is_forgotten;           // by which it was decided so far
}

static void read(lin_driver *d) {
  d->end->read(d->end->context, &d->code);
  d->result = (lin_result){0};
  d->names = NULL;
}

// Until nothing changes, so that the pass has nothing to do where it has been.
static bool run_rounds(lin_driver *d) {
  bool changed = false;
  for (uint32_t round = 0; round < lin_modes[d->options.policy.mode].rounds; round++) {
    if (round > 0) {
      read(d);
      if (d->end->drop_unreachable != NULL)
        d->end->drop_unreachable(d->end->context, &d->code);
      if (!has_anything(d) || !plan(d))
        break;
    }
    if (is_left(d) || !run_passes(d, LIN_IN_ROUND))
      break;
    changed = d->again = true;
    if (!may_go_on(d))
      break;
  }
  return changed;
}

static void begin_mode(lin_driver *d, lin_mode mode) {
  d->options.policy = d->asked->policy;
  d->options.policy.mode = mode;
  d->over_budget = d->again = false;
  d->ignored = NULL;
  read(d);
}

bool lin_drive(lin_arena *arena, const lin_front_end *end, const lin_asked *asked) {
  lin_driver d = {.arena = arena, .end = end, .asked = asked};
  bool changed = false, dropped = false;
  for (uint32_t i = 0; i < asked->num_modes; i++) {
    begin_mode(&d, asked->mode[i]);
    if (!has_anything(&d))
      continue;
    dropped |= run_passes(&d, LIN_BEFORE);
    if (!plan(&d))
      continue;
    if (i == 0 && end->tell_before != NULL)
      end->tell_before(end->context, &d);
    changed |= run_rounds(&d);
  }
  if (changed)
    run_passes(&d, LIN_AT_LAST);
  return changed || dropped;
}

bool lin_drive_plan(lin_driver *driver, lin_arena *arena, const lin_front_end *end,
                    const lin_asked *asked) {
  *driver = (lin_driver){.arena = arena, .end = end, .asked = asked};
  begin_mode(driver, asked->mode[0]);
  return lin_driver_may_change(driver) && has_anything(driver) && plan(driver) &&
         driver->result.num_regions > 0;
}
