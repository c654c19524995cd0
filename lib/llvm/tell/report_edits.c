// Remarks on edits that were made before regions were planned.
#include "message.h"
#include "report.h"

// The number that people know the region by in which `block` was, LIN_NONE if it was in none.
static uint32_t number_at(const lin_former *former, lin_block block) {
  uint32_t region = former->minimal->regions->owner[former->order->number[block]];
  return region == LIN_NONE || former->again ? LIN_NONE : former->minimal->number[region];
}

static const char *say_exits(lin_ir_message *m, const lin_edit *edit) {
  lin_ir_say(m, "rerouted ");
  lin_ir_say_count(m, "Exits", edit->count, "exit");
  lin_ir_say(m, " of a loop past the flag that is tested here");
  lin_ir_begin_details(m);
  lin_ir_say(m, ", where threads waited for each other in every iteration");
  return "ExitsFreed";
}

static const char *say_tests(lin_ir_message *m, const lin_edit *edit) {
  lin_ir_say(m, "combined ");
  lin_ir_say_count(m, "Tests", edit->count, "exit test");
  lin_ir_say(m, " of this loop: an iteration takes one branch instead of %u", edit->count);
  return "ExitsFolded";
}

static const char *say_entry(lin_ir_message *m, const lin_edit *edit, uint32_t region) {
  lin_ir_say(m, "copied this entry of an irreducible loop in front of it: one entry less");
  if (region != LIN_NONE) {
    lin_ir_say(m, " (region ");
    lin_ir_say_number(m, "Region", region);
    lin_ir_say(m, ")");
  }
  lin_ir_begin_details(m);
  lin_ir_say(m, "; the copy has ");
  lin_ir_say_count(m, "Instructions", edit->cost, "instruction");
  return "EntryCopied";
}

static const char *say_vote(lin_ir_message *m, const lin_edit *edit, uint32_t region) {
  lin_ir_say(m, "kept the plain form");
  if (region != LIN_NONE) {
    lin_ir_say(m, " of region ");
    lin_ir_say_number(m, "Region", region);
  }
  lin_ir_say(m, ", ");
  lin_ir_say_count(m, "Instructions", edit->cost, "instruction");
  lin_ir_say(m, ", beside the linearized one");
  lin_ir_begin_details(m);
  lin_ir_say(m, ": warps whose threads agree at this branch run it");
  return "PlainKept";
}

void lin_ir_report_edits(linearize_report *report, const lin_ir_function *f,
                         const lin_former *former, const lin_edits *edits) {
  for (uint32_t i = 0; i < edits->count; i++) {
    const lin_edit *edit = &edits->edit[i];
    lin_ir_message m = {.used = 0};
    const char *name = NULL;
    if (edit->kind == LIN_EDIT_COPY)
      name = edit->to != LIN_NONE ? say_exits(&m, edit)
                                  : say_entry(&m, edit, number_at(former, edit->block));
    else if (edit->kind == LIN_EDIT_FOLD)
      name = say_tests(&m, edit);
    else if (edit->kind == LIN_EDIT_VOTE)
      name = say_vote(&m, edit, number_at(former, edit->from[0]));
    if (name != NULL)
      lin_ir_send(report, f, LINEARIZE_PASSED, name, edit->block, &m);
  }
}

static lin_block first_block(const lin_former *former, uint32_t region) {
  lin_block block = 0;
  while (!lin_region_contains(former->minimal->regions, region, block))
    block++;
  return former->order->origin[block];
}

void lin_ir_report_settled(lin_arena *arena, linearize_report *report, const lin_ir_function *f,
                           const lin_former *former, const lin_edits *edits, const uint32_t *names,
                           uint32_t num_names) {
  uint32_t count = former->again ? 0 : former->minimal->regions->num_regions;
  bool *told = LIN_ARRAY(arena, bool, count);
  for (uint32_t i = 0; i < edits->count; i++)
    if (number_at(former, edits->edit[i].block) != LIN_NONE)
      told[number_at(former, edits->edit[i].block)] = true;
  for (uint32_t i = 0; i < num_names; i++)
    if (names[i] < count)
      told[names[i]] = true;
  for (uint32_t number = 0; number < count; number++) {
    if (told[number])
      continue;
    lin_ir_message m = {.used = 0};
    lin_ir_say(&m, "with that, nothing is left to do in region ");
    lin_ir_say_number(&m, "Region", number);
    lin_ir_send(report, f, LINEARIZE_PASSED, "LinearizedWithin",
                first_block(former, former->minimal->region[number]), &m);
  }
}
