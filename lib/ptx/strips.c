#include "strips.h"

#include <inttypes.h>

lin_ptx_strip *lin_ptx_strip_plan(lin_arena *arena, const lin_ptx_function *f, const lin_edit *edit,
                                  const char *prefix, uint32_t number) {
  const lin_ptx_body *body = f->body;
  const lin_ptx_instruction *branch = &body->instruction[f->block[edit->to].branch];
  const lin_ptx_register *reg = &body->reg[branch->predicate];
  lin_ptx_strip *strip = LIN_NEW(arena, lin_ptx_strip);
  *strip = (lin_ptx_strip){
      .prefix = prefix,
      .number = number,
      .length = edit->length,
      .stays_first = f->graph->destination[f->graph->first_edge[edit->to]] == edit->block,
      .condition = lin_arena_text(arena, body->module->text + reg->start, reg->end - reg->start),
      .is_negated = branch->is_negated};
  return strip;
}

void lin_ptx_strip_declare(const lin_ptx_strip *strip, lin_ptx_lines *lines) {
  lin_ptx_say(lines,
              "\t.reg .b32 \t%%%s_k%" PRIu32 ";\n"
              "\t.reg .pred \t%%%s_s%" PRIu32 ";\n",
              strip->prefix, strip->number, strip->prefix, strip->number);
}

void lin_ptx_strip_say_entry(const lin_ptx_strip *strip, lin_ptx_lines *lines) {
  lin_ptx_say(lines, "\tmov.u32 \t%%%s_k%" PRIu32 ", 0;\n", strip->prefix, strip->number);
}

// The new predicate says whether one stays where the old one did, and whether one leaves where that
// did: one instruction joins it with `k` either way.
const char *lin_ptx_strip_say_end(const lin_ptx_strip *strip, lin_ptx_lines *lines) {
  bool stays_if_set = strip->stays_first != strip->is_negated;
  const char *prefix = strip->prefix;
  uint32_t number = strip->number;
  lin_ptx_say(lines, "\tadd.u32 \t%%%s_k%" PRIu32 ", %%%s_k%" PRIu32 ", 1;\n", prefix, number,
              prefix, number);
  lin_ptx_say(lines, "\tsetp.%s.u32 \t%%%s_s%" PRIu32 ", %%%s_k%" PRIu32 ", %" PRIu32 ";\n",
              stays_if_set ? "ne" : "eq", prefix, number, prefix, number, strip->length);
  lin_ptx_say(lines, "\t%s.pred \t%%%s_s%" PRIu32 ", %%%s_s%" PRIu32 ", %s;\n",
              stays_if_set ? "and" : "or", prefix, number, prefix, number, strip->condition);
  lin_ptx_lines predicate = {.arena = lines->arena};
  lin_ptx_say(&predicate, "@%s%%%s_s%" PRIu32 " ", strip->is_negated ? "!" : "", prefix, number);
  return predicate.text;
}
