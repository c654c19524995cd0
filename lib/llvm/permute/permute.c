#include "permute.h"

#include "rewrite.h"
#include "llvm/ask/annotations.h"
#include "llvm/ask/kernels.h"
#include "llvm/tell/message.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_ROUNDS = 8 };

static lin_block block_of(const lin_ir_values *all, uint32_t value) {
  return all->order->origin[all->values->value[value].block];
}

// "28.4 of 32"
static void say_active(lin_ir_message *m, double active) { lin_ir_say(m, "%.1f", active); }

static void say_saved(lin_ir_message *m, const lin_gain *gain, bool is_brief) {
  double saved = 100 * (1 - lin_gain_ratio(gain));
  lin_ir_say(m, "warps execute ");
  if (saved >= 0)
    lin_ir_say_number(m, "Gain", (uint64_t)saved);
  else
    lin_ir_say(m, "%.0f", -saved);
  lin_ir_say(m, "%% %s there", saved >= 0 ? "less" : "more");
  if (is_brief)
    lin_ir_begin_details(m);
  lin_ir_say(m, ", with ");
  say_active(m, gain->active_after);
  lin_ir_say(m, " threads active instead of ");
  say_active(m, gain->active_before);
  lin_ir_say(m, " (blocks of %u threads)", gain->threads);
}

// About the branch at the end of a block, with its line.
static void send(linearize_report *report, const lin_ir_function *f, const lin_ir_values *all,
                 lin_block branch, linearize_remark_kind kind, const char *name,
                 const lin_ir_message *m) {
  lin_ir_send(report, f, kind, name, all->order->origin[branch], m);
  LLVMValueRef end = all->llvm[all->values->first_value[branch + 1] - 1];
  if (LLVMGetDebugLocLine(end) > 0)
    report->remarks[report->num_remarks - 1].instruction = end;
}

static void tell_done(linearize_report *report, const lin_ir_function *f, const lin_ir_values *all,
                      const lin_permutation *p) {
  lin_ir_message m = {.used = 0};
  lin_ir_say(&m, "gave the threads of a block other indices for this branch: ");
  say_saved(&m, &p->gain, true);
  send(report, f, all, p->branch, LINEARIZE_PASSED, "IndicesPermuted", &m);
}

static unsigned line_of(LLVMValueRef instruction) {
  return LLVMIsAInstruction(instruction) == NULL ? 0 : LLVMGetDebugLocLine(instruction);
}

static void tell_missed(linearize_report *report, const lin_ir_function *f,
                        const lin_ir_values *all, const lin_missed *missed) {
  lin_ir_message m = {.used = 0};
  const lin_obstacle *o = &missed->obstacle;
  lin_ir_say(&m, "threads that go the same way here could stand side by side, but ");
  if (o->reason == NULL) {
    lin_ir_say(&m, "thread 0 does more without a __syncthreads() in between: put one there");
  } else {
    unsigned line = line_of(all->llvm[o->value]);
    if (line > 0)
      lin_ir_say(&m, "what is in line %u ", line);
    else
      lin_ir_say(&m, "what is in block '%s' ", f->graph->name[block_of(all, o->value)]);
    lin_ir_say(&m, "%s", o->reason);
  }
  lin_ir_begin_details(&m);
  lin_ir_say(&m, ": ");
  say_saved(&m, &missed->gain, false);
  lin_ir_send(report, f, LINEARIZE_MISSED, "IndicesNotPermuted", all->order->origin[missed->branch],
              &m);
}

// Finds what pays, and makes it. `*changed`: there was any. Returns whether there may be more.
static bool permute_once(const lin_ir_permute_job *job, const lin_ir_function *f, bool *changed) {
  lin_ir_values *all = lin_ir_express(job->arena, f);
  const lin_permutations *found =
      lin_permutations_find(job->arena, all->values,
                            (lin_permute_options){job->options->regardless, job->options->force});
  bool more = found->num_found > 0 && !found->is_whole, tells = !job->options->quiet;
  for (uint32_t i = 0; tells && i < found->num_found; i++)
    tell_done(job->report, f, all, &found->found[i]);
  for (uint32_t i = 0; tells && !more && i < found->num_missed; i++)
    tell_missed(job->report, f, all, &found->missed[i]);
  if (found->num_found > 0)
    job->changing(job->context);
  for (uint32_t i = 0; i < found->num_found; i++)
    lin_ir_permute_section(job->arena, all, &found->found[i]);
  *changed |= found->num_found > 0;
  return more;
}

bool lin_ir_permute(const lin_ir_permute_job *job) {
  const linearize_options *options = job->options;
  lin_ir_read_options read = {.force = options->force};
  bool changed = false, more = true;
  if (!lin_ir_is_kernel(job->kernel) || lin_ir_unwanted(job->kernel, options->except) != NULL)
    return false;
  for (uint32_t round = 0; more && round < MOST_ROUNDS; round++) {
    lin_ir_function *f = lin_ir_read(job->arena, job->kernel, &read);
    if (f->refused != NULL)
      break;
    if (options->most_trips != NULL)
      lin_ir_read_trips(f, options->most_trips, options->context);
    more = permute_once(job, f, &changed);
  }
  return changed;
}
