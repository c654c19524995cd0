// Backwards, from what has an effect to what its operands are computed of.
#include "awaited.h"

#include <string.h>

enum { MOST_ROUNDS = 8 }; // values that go back around that many loops, one in the other, are rare

static bool is_word_of(const lin_ptx_body *body, lin_ptx_token word, uint32_t reg) {
  const lin_ptx_register *r = &body->reg[reg];
  const char *text = body->module->text;
  return word.kind == LIN_PTX_WORD && r->end - r->start == word.end - word.start &&
         memcmp(text + r->start, text + word.start, word.end - word.start) == 0;
}

// Whether an operand is an address, [%rd1+4], and nothing else names the register.
static bool is_address_alone(const lin_ptx_body *body, uint32_t at, uint32_t reg) {
  const lin_ptx_instruction *i = &body->instruction[at];
  lin_ptx_scan scan = {body->module->text, i->end, i->operands};
  bool is_address = false, is_other = false, is_open = false;
  while (scan.at < i->end) {
    lin_ptx_token token = lin_ptx_next(&scan);
    if (is_word_of(body, token, reg))
      *(is_open ? &is_address : &is_other) = true;
    is_open = token.first == '[' && token.kind == LIN_PTX_PUNCTUATION;
  }
  return is_address && !is_other;
}

// Others see it, it goes to memory or a call (st.param), or where the thread goes depends on it.
static bool has_effect(const lin_ptx_opcode *opcode) {
  return opcode->flow != LIN_PTX_ON || !opcode->is_known || !opcode->has_result ||
         (opcode->effects & ~(uint32_t)LIN_MEMORY) != 0;
}

static bool sets_deciding(const lin_ptx_body *body, const bool *deciding, uint32_t at) {
  for (LIN_PTX_ACCESSES(body, at, i))
    if (body->access[i].kind != LIN_PTX_READ && deciding[body->access[i].reg])
      return true;
  return false;
}

// Whether what an instruction reads in a register decides something.
static bool decides(const lin_ptx_body *body, bool result_decides, uint32_t at, uint32_t reg) {
  const lin_ptx_instruction *i = &body->instruction[at];
  const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
  if (result_decides || i->predicate == reg)
    return true;
  return has_effect(opcode) &&
         (opcode->flow != LIN_PTX_ON || !opcode->is_known || !is_address_alone(body, at, reg));
}

static bool go_backwards(const lin_ptx_body *body, bool *deciding) {
  bool changed = false;
  for (uint32_t at = body->count; at-- > 0;) {
    bool result_decides = sets_deciding(body, deciding, at);
    for (LIN_PTX_ACCESSES(body, at, i)) {
      uint32_t reg = body->access[i].reg;
      if (body->access[i].kind != LIN_PTX_READ || deciding[reg] ||
          !decides(body, result_decides, at, reg))
        continue;
      deciding[reg] = changed = true;
    }
  }
  return changed;
}

bool *lin_ptx_find_deciding(lin_arena *arena, const lin_ptx_body *body) {
  bool *deciding = LIN_ARRAY(arena, bool, body->num_regs);
  for (uint32_t reg = 0; reg < body->num_regs; reg++)
    deciding[reg] = body->reg[reg].is_parameter; // who calls may ask
  for (uint32_t round = 0; go_backwards(body, deciding); round++)
    if (round == MOST_ROUNDS) {
      memset(deciding, true, body->num_regs * sizeof *deciding);
      break;
    }
  return deciding;
}

uint32_t lin_ptx_effects(const lin_ptx_body *body, const bool *deciding, uint32_t at) {
  const lin_ptx_opcode *opcode = lin_ptx_meaning(body, at);
  bool polls = (opcode->effects & LIN_POLLS) != 0;
  if (!polls || !opcode->has_result || !opcode->is_known || sets_deciding(body, deciding, at))
    return opcode->effects;
  return (opcode->effects & ~(uint32_t)LIN_POLLS) | LIN_OBSERVES;
}
