#include "decode_parts.h"

#include <stdio.h>
#include <string.h>

void simt_decode_fail(simt_decoder *d, const char *reason) {
  if (d->error != NULL)
    return;
  char *text = d->at != NULL ? LLVMPrintValueToString(d->at) : NULL;
  const char *what = text == NULL ? "" : text + strspn(text, " ");
  size_t length = strcspn(what, "\n");
  const char *function = d->f == NULL ? "" : d->f->title;
  const char *form = "function %s: %s: %.*s";
  int size = snprintf(NULL, 0, form, function, reason, (int)length, what);
  char *message = lin_arena_bytes(d->arena, (size_t)size + 1);
  snprintf(message, (size_t)size + 1, form, function, reason, (int)length, what);
  d->error = message;
  LLVMDisposeMessage(text);
}

void simt_decode_emit(simt_decoder *d, simt_instruction instruction) {
  simt_function *f = d->f;
  f->code = LIN_ROOM(d->arena, f->code, f->num_code, &d->capacity_code);
  instruction.line = d->at != NULL && LLVMIsAInstruction(d->at) ? LLVMGetDebugLocLine(d->at) : 0;
  f->code[f->num_code++] = instruction;
}

uint32_t simt_decode_operands(simt_decoder *d, const simt_register *reg, uint32_t count) {
  uint32_t first = d->num_operands;
  for (uint32_t i = 0; i < count; i++) {
    d->f->operand = LIN_ROOM(d->arena, d->f->operand, d->num_operands, &d->capacity_operand);
    d->f->operand[d->num_operands++] = reg[i];
  }
  return first;
}

uint32_t simt_decode_function(simt_decoder *d, LLVMValueRef function) {
  uint32_t number = lin_numbers_find(&d->functions, function);
  if (number != LIN_NONE)
    return number;
  lin_numbers_add(d->arena, &d->functions, function, d->num_functions);
  d->function = LIN_ROOM(d->arena, d->function, d->num_functions, &d->capacity_functions);
  d->function[d->num_functions] = function;
  return d->num_functions++;
}
