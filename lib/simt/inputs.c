#include "inputs.h"

#include <inttypes.h>
#include <string.h>

static bool is_input(const simt_instruction *in) { return (in->flags & SIMT_IS_INPUT) != 0; }

simt_inputs *simt_inputs_new(lin_arena *arena, const simt_function *kernel, uint32_t num_threads) {
  simt_inputs *inputs = LIN_NEW(arena, simt_inputs);
  *inputs = (simt_inputs){.kernel = kernel, .num_threads = num_threads};
  inputs->number = LIN_ARRAY(arena, uint32_t, kernel->num_code + 1);
  for (uint32_t pc = 0; pc < kernel->num_code; pc++) {
    inputs->number[pc] = is_input(&kernel->code[pc]) ? inputs->count : LIN_NONE;
    inputs->count += is_input(&kernel->code[pc]) ? kernel->code[pc].count : 0;
  }
  inputs->value = LIN_ARRAY(arena, uint64_t, (size_t)num_threads * inputs->count + 1);
  inputs->is_read = LIN_ARRAY(arena, bool, (size_t)num_threads * inputs->count + 1);
  return inputs;
}

void simt_inputs_take(simt_inputs *inputs, const simt_instruction *in, const simt_lanes *registers,
                      uint32_t thread, uint32_t mask) {
  uint32_t number = inputs->number[in - inputs->kernel->code];
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    unsigned lane = simt_first_lane(left);
    size_t at = (size_t)(thread + lane) * inputs->count + number;
    if (inputs->is_read[at])
      continue;
    for (uint32_t i = 0; i < in->count; i++) {
      inputs->value[at + i] = registers[in->dst + i][lane];
      inputs->is_read[at + i] = true;
    }
  }
}

static void write_value(FILE *file, const simt_instruction *in, uint64_t bits) {
  if (in->width == 32 && in->c != 0) {
    uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    fprintf(file, "%.9g\n", (double)value);
  } else if (in->width == 64 && in->c != 0) {
    double value;
    memcpy(&value, &bits, sizeof value);
    fprintf(file, "%.17g\n", value);
  } else {
    fprintf(file, "%" PRId64 "\n", (int64_t)(bits << (64 - in->width)) >> (64 - in->width));
  }
}

void simt_inputs_write(simt_inputs *inputs, FILE *file, uint64_t first_thread) {
  for (uint32_t thread = 0; thread < inputs->num_threads; thread++)
    for (uint32_t pc = 0; pc < inputs->kernel->num_code; pc++) {
      const simt_instruction *in = &inputs->kernel->code[pc];
      for (uint32_t i = 0; is_input(in) && i < in->count; i++) {
        size_t at = (size_t)thread * inputs->count + inputs->number[pc] + i;
        if (!inputs->is_read[at])
          continue;
        fprintf(file, "%" PRIu64 ",%u,%u,", first_thread + thread, inputs->number[pc] + i,
                in->line);
        write_value(file, in, inputs->value[at]);
      }
    }
  memset(inputs->is_read, 0, (size_t)inputs->num_threads * inputs->count);
}
