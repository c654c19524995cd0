// Inline assembly of several threads. The mask of members stands last.
//
//     shfl.sync.down.b32 d|p, value, lane, clamp, members;   elect.sync d|p, members;
//     vote.sync.ballot.b32 d, predicate, members;            bar.warp.sync members;
#include "decode_asm.h"

#include "gpu/nvptx.h"
#include "graph/graph.h"

#include <string.h>

static bool is_barrier(const char *opcode) {
  const uint32_t number = lin_nvptx_find('\0', opcode, strlen(opcode), NULL);
  const lin_nvptx *row = number == LIN_NONE ? NULL : lin_nvptx_row(number);
  return lin_nvptx_is(row, LIN_NVPTX_BARRIER) || lin_nvptx_is(row, LIN_NVPTX_TOLD) ||
         lin_nvptx_is(row, LIN_NVPTX_PART);
}

static void decode_collective(simt_assembly *a, const simt_statement *s, uint32_t kind) {
  bool is_shuffle = kind >= SIMT_SHUFFLE_IDX && kind <= SIMT_SHUFFLE_BFLY;
  bool is_sync = kind == SIMT_WARP_SYNC, has_value = !is_sync && kind != SIMT_ELECT;
  if (s->num_operands != (is_shuffle ? 5u : 1u + !is_sync + has_value)) {
    a->failed = true;
    return;
  }
  const simt_asm_operand *to = &s->operand[0];
  simt_instruction made = {
      .opcode = SIMT_COLLECTIVE, .width = simt_asm_bits(s->opcode) == 64 ? 64 : 32, .extra = kind};
  made.flags = (uint8_t)(SIMT_IS_SYNC | (to->num_words > 1 ? SIMT_WITH_PREDICATE : 0));
  made.a = simt_asm_value(a, s->operand[s->num_operands - 1].word[0], 32);
  made.b = has_value ? simt_asm_value(a, s->operand[1].word[0], made.width) : made.a;
  if (is_shuffle) {
    made.c = simt_asm_value(a, s->operand[2].word[0], 32);
    made.offset = simt_asm_value(a, s->operand[3].word[0], 32);
  }
  made.dst = simt_decode_fresh(a->d, 2);
  simt_decode_emit(a->d, made);
  for (unsigned word = 0; word < to->num_words && word < 2 && !is_sync; word++)
    simt_asm_set(a, to->word[word], made.dst + word);
}

// bar.sync number, count; barrier.red.popc.aligned.u32 d, number, count, predicate.
static void decode_barrier(simt_assembly *a, const simt_statement *s) {
  const char *last = strrchr(s->opcode, '.');
  bool arrives = simt_asm_has(s->opcode, "arrive"), reduces = simt_asm_has(s->opcode, "red");
  bool is_known = last != NULL && strstr(reduces ? ".u32.pred" : ".sync.arrive.aligned", last);
  unsigned most = 2u + 2u * reduces, least = 1u + arrives + 2u * reduces;
  if (!is_known || s->num_operands < least || s->num_operands > most ||
      !simt_asm_has_only(s->opcode, "cta sync arrive red popc and or aligned")) {
    a->failed = true;
    return;
  }
  simt_register none = simt_decode_constant(a->d, 0);
  const simt_asm_operand *number = &s->operand[reduces], *end = &s->operand[s->num_operands];
  simt_instruction made = {.opcode = SIMT_BARRIER, .count = s->num_operands == most};
  made.extra = arrives                           ? SIMT_BARRIER_ARRIVE
               : !reduces                        ? SIMT_BARRIER_SYNC
               : simt_asm_has(s->opcode, "popc") ? SIMT_BARRIER_POPC
               : simt_asm_has(s->opcode, "and")  ? SIMT_BARRIER_AND
                                                 : SIMT_BARRIER_OR;
  made.a = simt_asm_value(a, number->word[0], 32);
  made.b = made.count ? simt_asm_value(a, number[1].word[0], 32) : none;
  made.c = reduces ? simt_asm_value(a, end[-1].word[0], 1) : none;
  made.dst = simt_decode_fresh(a->d, 1);
  simt_decode_emit(a->d, made);
  if (reduces)
    simt_asm_set(a, s->operand[0].word[0], made.dst);
}

bool simt_asm_threads(simt_assembly *a, const simt_statement *s) {
  const char *rest = "";
  const simt_intrinsic *which = simt_find_ptx('\0', s->opcode, &rest);
  switch (which == NULL ? SIMT_INTRINSIC_NONE : (simt_intrinsic_kind)which->kind) {
  case SIMT_INTRINSIC_ACTIVEMASK: {
    simt_register dst = simt_decode_fresh(a->d, 1);
    simt_decode_emit(a->d, (simt_instruction){.opcode = SIMT_ACTIVEMASK, .dst = dst});
    a->failed |= s->num_operands != 1;
    simt_asm_set(a, s->operand[0].word[0], dst);
    return true;
  }
  case SIMT_INTRINSIC_COLLECTIVE:
  case SIMT_INTRINSIC_REDUCE:
    a->failed |= *rest != '\0' && strcmp(rest, ".pred") != 0 &&
                 (strrchr(rest, '.') != rest || simt_asm_bits(rest) < 32 || rest[1] == 'f');
    decode_collective(a, s, which->opcode);
    return true;
  default:
    if (!is_barrier(s->opcode))
      return false;
    decode_barrier(a, s);
    return true;
  }
}
