#include "vectors.h"

#include "csv.h"

#include <inttypes.h>
#include <string.h>

simt_vectors *simt_vectors_new(lin_arena *arena, const simt_program *program, uint32_t num_rows) {
  simt_vectors *v = LIN_NEW(arena, simt_vectors);
  v->program = program;
  v->num_rows = num_rows;
  v->first = LIN_ARRAY(arena, uint32_t, program->num_functions);
  for (uint32_t i = 0; i < program->num_functions; i++) {
    v->first[i] = v->num_blocks;
    v->num_blocks += program->function[i].graph->num_blocks;
  }
  v->count = LIN_ARRAY(arena, uint64_t, (size_t)num_rows * v->num_blocks);
  return v;
}

void simt_vectors_enter(simt_vectors *v, uint32_t number, lin_block block, uint32_t thread,
                        uint32_t mask) {
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    size_t row = thread + (uint32_t)__builtin_ctz(left);
    v->count[row * v->num_blocks + v->first[number] + block]++;
  }
}

void simt_vectors_enter_warp(simt_vectors *v, uint32_t number, lin_block block, uint32_t warp) {
  v->count[(size_t)warp * v->num_blocks + v->first[number] + block]++;
}

static void write_line(FILE *file, uint64_t row, const char *function, const char *block,
                       uint64_t entries) {
  fprintf(file, "%" PRIu64 ",", row);
  simt_csv_field(file, function);
  fputc(',', file);
  simt_csv_field(file, block);
  fprintf(file, ",%" PRIu64 "\n", entries);
}

static void write_row(const simt_vectors *v, FILE *file, uint32_t at, uint64_t number) {
  const uint64_t *row = v->count + (size_t)at * v->num_blocks;
  for (uint32_t i = 0; i < v->program->num_functions; i++) {
    const simt_function *f = &v->program->function[i];
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      if (row[v->first[i] + b] != 0)
        write_line(file, number, f->name, f->graph->name[b], row[v->first[i] + b]);
  }
}

void simt_vectors_write(const simt_vectors *v, FILE *file, uint64_t first_row) {
  for (uint32_t row = 0; row < v->num_rows; row++)
    write_row(v, file, row, first_row + row);
}

void simt_vectors_clear(simt_vectors *v) {
  memset(v->count, 0, (size_t)v->num_rows * v->num_blocks * sizeof *v->count);
}
