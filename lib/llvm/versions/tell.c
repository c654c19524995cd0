#include "tell.h"

#include "names.h"
#include "llvm/tell/message.h"

#include <string.h>

// `where` is an instruction of the kernel, or NULL: it is about all of it.
static void tell_of(const lin_ir_versions *v, LLVMValueRef kernel, LLVMValueRef where,
                    linearize_remark_kind kind, const char *name, lin_ir_message *m) {
  const char *function = lin_ir_symbol(kernel);
  const char *block = where == NULL ? "" : LLVMGetBasicBlockName(LLVMGetInstructionParent(where));
  linearize_remark remark = {.kind = kind,
                             .name = name,
                             .instruction = where,
                             .function = lin_arena_text(v->arena, function, strlen(function)),
                             .block = lin_arena_text(v->arena, block, strlen(block)),
                             .message = m->text,
                             .brief = m->brief > 0 ? m->brief : m->used,
                             .num_arguments = m->num_arguments};
  memcpy(remark.argument, m->argument, sizeof m->argument);
  v->maker->tell(v->maker->context, kernel, &remark);
}

static void tell(const lin_ir_versions *v, LLVMValueRef kernel, linearize_remark_kind kind,
                 const char *name, lin_ir_message *m) {
  tell_of(v, kernel, NULL, kind, name, m);
}

void lin_ir_tell_too_large(const lin_ir_versions *v, LLVMValueRef kernel, uint32_t instructions,
                           uint32_t most) {
  lin_ir_message m = {0};
  lin_ir_say(&m, "no versions of it are made: with all that it calls it has ");
  lin_ir_say_count(&m, "Instructions", instructions, "instruction");
  lin_ir_say(&m, ", over max-kernel, %u", most);
  tell(v, kernel, LINEARIZE_MISSED, "NoVersions", &m);
}

void lin_ir_tell_taken(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                       const char *symbol) {
  lin_ir_message m = {0};
  lin_ir_say(&m,
             "its version '%s' would be called '%s', as something else in the module is: rename "
             "that, or leave the version out",
             version, symbol);
  tell(v, kernel, LINEARIZE_ERROR, "WrongOption", &m);
}

void lin_ir_tell_useless(const lin_ir_versions *v, LLVMValueRef kernel, const char *unknown) {
  lin_ir_message m = {0};
  if (unknown != NULL)
    lin_ir_say(&m, "the tuned file has a version '%s' of it, which is not known here", unknown);
  else
    lin_ir_say(&m, "the tuned file is of other code of it: run linearize-tune again");
  lin_ir_say(&m, "; it is compiled as if there was no such file");
  tell(v, kernel, LINEARIZE_MISSED, "TunedOtherwise", &m);
}

void lin_ir_tell_not_redirected(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                                const char *why, LLVMValueRef where) {
  lin_ir_message m = {0};
  const unsigned line = where == NULL ? 0 : LLVMGetDebugLocLine(where);
  lin_ir_say(&m, "its threads can't do each other's work, as version %s would have them: %s",
             version, why);
  if (line > 0)
    lin_ir_say(&m, " (line %u)", line);
  tell(v, kernel, LINEARIZE_MISSED, "NotRedirected", &m);
}

// "; by the profile warps execute about 60% less"
static void say_saved(lin_ir_message *m, const lin_refill_prediction *p) {
  const double saved = 100 * (1 - p->after / p->before);
  lin_ir_say(m, "; by the profile warps execute about %.0f%% %s", saved < 0 ? -saved : saved,
             saved < 0 ? "more" : "less");
}

// ": about 1.40 times as fast, bound by memory"
static void say_gain(lin_ir_message *m, const lin_refill_prediction *p) {
  lin_ir_say(m, ": about %.2f times as fast%s", p->gain,
             p->is_bound_by_memory ? ", bound by memory" : "");
}

// An instruction of the loop's header, or NULL: a copy's blocks are called as the kernel's.
static LLVMValueRef find_loop(LLVMValueRef kernel, const char *header) {
  LLVMBasicBlockRef block = *header == '\0' ? NULL : LLVMGetFirstBasicBlock(kernel);
  while (block != NULL && strcmp(LLVMGetBasicBlockName(block), header) != 0)
    block = LLVMGetNextBasicBlock(block);
  if (block == NULL)
    return NULL;
  LLVMValueRef own = lin_ir_own_instruction(block);
  return own == NULL ? LLVMGetFirstInstruction(block) : own;
}

void lin_ir_tell_refilled(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                          const lin_ir_refilling *how, const lin_refill_prediction *predicted) {
  lin_ir_message m = {0};
  lin_ir_say(&m, "in version %s a lane that leaves the loop", version);
  if (how->line > 0)
    lin_ir_say(&m, " of line %u", how->line);
  lin_ir_say(&m, " takes the next item of the launch");
  if (predicted->before > 0)
    say_gain(&m, predicted);
  lin_ir_begin_details(&m);
  lin_ir_say(&m, ", once ");
  lin_ir_say_count(&m, "IdleLanes", how->idle_lanes, "lane");
  lin_ir_say(&m, " of a warp can; the warp looks every ");
  lin_ir_say_count(&m, "Steps", how->steps, "step");
  if (predicted->before > 0)
    say_saved(&m, predicted);
  else
    lin_ir_say(&m, "; what it gains is not known without a profile");
  tell_of(v, kernel, find_loop(kernel, how->block), LINEARIZE_PASSED, "Refilled", &m);
}

void lin_ir_tell_not_refilled(const lin_ir_versions *v, LLVMValueRef kernel, const char *version,
                              const char *why, LLVMValueRef where, const lin_ir_refilling *how,
                              const lin_refill_prediction *predicted) {
  lin_ir_message m = {0};
  const unsigned line = where == NULL ? how->line : LLVMGetDebugLocLine(where);
  lin_ir_say(&m, "its lanes can't take the next item, as version %s would have them: %s", version,
             why);
  if (line > 0)
    lin_ir_say(&m, " (line %u)", line);
  if (predicted->before > 0) {
    say_saved(&m, predicted);
    say_gain(&m, predicted);
  }
  tell_of(v, kernel, where == NULL ? find_loop(kernel, how->block) : where, LINEARIZE_MISSED,
          "NotRefilled", &m);
}

void lin_ir_tell_no_inspector(const lin_ir_versions *v, LLVMValueRef kernel, const char *why,
                              unsigned line) {
  lin_ir_message m = {0};
  lin_ir_say(&m, "no kernel is made that tells ahead what its threads do: %s", why);
  if (line > 0)
    lin_ir_say(&m, " (line %u)", line);
  lin_ir_begin_details(&m);
  lin_ir_say(&m, "; an order of its threads has to come from elsewhere");
  tell(v, kernel, LINEARIZE_MISSED, "NoInspector", &m);
}

// Which of several versions is the fastest, by how it was launched.
static void tell_winner(const lin_ir_versions *v, const lin_ir_versioned *k) {
  lin_ir_message m = {0};
  char names[400];
  lin_winners_list(names, sizeof names, &k->winners);
  if (k->winners.count > 1) {
    lin_ir_say(&m, "which version is the fastest depends on the launch");
    lin_ir_begin_details(&m);
    lin_ir_say(&m, ": %s; the program chooses when it is run by linearize's library", names);
  } else if (k->chosen.count > 0) {
    lin_ir_say(&m, "version %s, the fastest one, takes %s and so stands beside the plain one",
               names,
               v->build[k->chosen.build[0]].options.refilled ? "a counter" : "an order of threads");
    lin_ir_begin_details(&m);
    lin_ir_say(&m, "; the program launches it when it is run by linearize's library");
  } else {
    lin_ir_say(&m, "it is compiled as version %s, the fastest one in ", names);
    lin_ir_say_count(&m, "Launches", k->winners.lines, "kind");
    lin_ir_say(&m, " of launches");
  }
  tell(v, k->kernel, LINEARIZE_PASSED, "Tuned", &m);
}

// "2 versions beside the plain one: needed, paper; plain is also interleave; left out, for
// max-versions: merge-loops"
void lin_ir_tell_versions(const lin_ir_versions *v, const lin_ir_versioned *k) {
  lin_ir_message m = {0};
  char list[400];
  const uint32_t kept = k->chosen.kept;
  if (k->winners.count > 0)
    tell_winner(v, k);
  if (k->chosen.count == 0)
    return;
  if (kept == 0)
    lin_ir_say(&m, "no version differs from the plain one");
  else
    lin_ir_say_count(&m, "Versions", kept, "version");
  lin_chosen_list(list, sizeof list, &k->chosen, LIN_VERSIONS_PLAIN);
  lin_ir_say(&m, "%s", kept == 0 ? "" : " beside the plain one");
  if (m.used + strlen(list) > LIN_IR_BRIEF)
    lin_ir_begin_details(&m);
  lin_ir_say(&m, "%s", list);
  tell(v, k->kernel, kept == 0 ? LINEARIZE_ANALYSIS : LINEARIZE_PASSED,
       kept == 0 ? "NoVersions" : "Versions", &m);
}
