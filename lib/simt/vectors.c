#include "vectors.h"

#include "csv.h"

#include <inttypes.h>
#include <string.h>

simt_vectors *simt_vectors_new(lin_arena *arena, const simt_program *program,
                               uint32_t num_threads) {
  simt_vectors *v = LIN_NEW(arena, simt_vectors);
  v->program = program;
  v->num_threads = num_threads;
  v->first = LIN_ARRAY(arena, uint32_t, program->num_functions);
  for (uint32_t i = 0; i < program->num_functions; i++) {
    v->first[i] = v->num_blocks;
    v->num_blocks += program->function[i].graph->num_blocks;
  }
  v->count = LIN_ARRAY(arena, uint64_t, (size_t)num_threads * v->num_blocks);
  return v;
}

void simt_vectors_enter(simt_vectors *v, uint32_t number, lin_block block, uint32_t thread,
                        uint32_t mask) {
  for (uint32_t left = mask; left != 0; left &= left - 1) {
    size_t row = thread + (uint32_t)__builtin_ctz(left);
    v->count[row * v->num_blocks + v->first[number] + block]++;
  }
}

static void write_line(FILE *file, uint64_t thread, const char *function, const char *block,
                       uint64_t entries) {
  fprintf(file, "%" PRIu64 ",", thread);
  simt_csv_field(file, function);
  fputc(',', file);
  simt_csv_field(file, block);
  fprintf(file, ",%" PRIu64 "\n", entries);
}

static void write_thread(const simt_vectors *v, FILE *file, uint32_t thread, uint64_t number) {
  const uint64_t *row = v->count + (size_t)thread * v->num_blocks;
  for (uint32_t i = 0; i < v->program->num_functions; i++) {
    const simt_function *f = &v->program->function[i];
    for (lin_block b = 0; b < f->graph->num_blocks; b++)
      if (row[v->first[i] + b] != 0)
        write_line(file, number, f->name, f->graph->name[b], row[v->first[i] + b]);
  }
}

void simt_vectors_write(const simt_vectors *v, FILE *file, uint64_t first_thread) {
  for (uint32_t thread = 0; thread < v->num_threads; thread++)
    write_thread(v, file, thread, first_thread + thread);
}

void simt_vectors_clear(simt_vectors *v) {
  memset(v->count, 0, (size_t)v->num_threads * v->num_blocks * sizeof *v->count);
}
