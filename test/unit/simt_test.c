// lib/simt, piece by piece: memory, sectors, narrow floats, arithmetic on some of the lanes,
// which blocks may run at once.
#include "expect.h"
#include "simt/jobs.h"
#include "simt/lanes.h"
#include "simt/memory.h"
#include "simt/metrics.h"

#include <math.h>
#include <string.h>

static void test_memory(void) {
  lin_arena arena = {0};
  simt_memory memory = {0};
  EXPECT(simt_memory_find(&memory, 0, 1) == NULL);
  EXPECT(simt_memory_near(&memory, 100) == NULL);
  for (uint64_t i = 0; i < 50; i++)
    simt_memory_add(&arena, &memory, "some", 1000 + 100 * i, 10 + i);
  for (uint64_t i = 0; i < 50; i++) {
    uint64_t begin = 1000 + 100 * i, size = 10 + i;
    simt_object *object = &memory.object[i];
    EXPECT(simt_memory_find(&memory, begin, size) == object);
    EXPECT(simt_memory_find(&memory, begin + size - 1, 1) == object);
    EXPECT(simt_memory_find(&memory, begin, size + 1) == NULL);
    EXPECT(simt_memory_find(&memory, begin - 1, 1) == NULL);
    EXPECT(simt_memory_find(&memory, begin + size, 1) == NULL);
    EXPECT(simt_memory_find(&memory, begin + 1, UINT64_MAX) == NULL);
    EXPECT(simt_memory_near(&memory, begin + size + 3) == object);
    EXPECT(memchr(object->written, 1, size) == NULL);
  }
  EXPECT(simt_memory_near(&memory, 999) == NULL);
  uint8_t bytes[8];
  simt_bytes_write(bytes, 8, 0x0102030405060708);
  EXPECT(bytes[0] == 8 && bytes[7] == 1);
  EXPECT(simt_bytes_read(bytes, 3) == 0x060708);
  lin_arena_release(&arena);
}

static void test_sectors(void) {
  uint64_t address[SIMT_LANES];
  for (unsigned i = 0; i < SIMT_LANES; i++)
    address[i] = 4096 + UINT64_C(4) * i;
  EXPECT(simt_count_sectors(address, SIMT_ALL_LANES, 4) == 4);
  EXPECT(simt_count_sectors(address, 0xff, 4) == 1);
  EXPECT(simt_count_sectors(address, 0x1ff, 4) == 2);
  EXPECT(simt_count_sectors(address, 1, 16) == 1);
  EXPECT(simt_count_sectors(address, 0x80, 8) == 2); // over the end of a sector
  for (unsigned i = 0; i < SIMT_LANES; i++)
    address[i] = UINT64_C(1000) * (i % 16);
  EXPECT(simt_count_sectors(address, SIMT_ALL_LANES, 1) == 16);
}

// Every half to a float and back; and numbers between two halves go to the nearest, ties to even.
static void test_halves(void) {
  for (unsigned i = 0; i < 0x10000; i++) {
    uint16_t half = (uint16_t)i;
    float value = simt_half_to_float(half);
    EXPECT(isnan(value) || simt_half_from_float(value) == half);
    if ((half & 0x7fff) >= 0x7bff)
      continue;
    float next = simt_half_to_float((uint16_t)(half + 1)), middle = (value + next) / 2;
    EXPECT(simt_half_from_float(middle) == half + (half & 1));
    EXPECT(simt_half_from_float(nextafterf(middle, value)) == half);
    EXPECT(simt_half_from_float(nextafterf(middle, next)) == half + 1);
  }
  EXPECT(simt_half_from_float(65519.0f) == 0x7bff);
  EXPECT(simt_half_from_float(65520.0f) == 0x7c00);
  EXPECT(isnan(simt_half_to_float(simt_half_from_float(NAN))));
}

// Lanes that are not active keep what they have; all lanes take another path through the code.
static void test_masks(void) {
  enum { A, B, DST };
  simt_instruction add = {.opcode = SIMT_ADD, .width = 8, .a = A, .b = B, .dst = DST};
  static simt_lanes registers[3];
  const uint32_t masks[] = {1, 0x80000001, 0x0ff0f00f, SIMT_ALL_LANES};
  for (unsigned m = 0; m < sizeof masks / sizeof *masks; m++) {
    for (unsigned i = 0; i < SIMT_LANES; i++) {
      registers[A][i] = 250 + i % 6;
      registers[B][i] = i;
      registers[DST][i] = 77777;
    }
    unsigned lane;
    EXPECT(simt_lanes_execute(&add, registers, masks[m], &lane) == NULL);
    for (unsigned i = 0; i < SIMT_LANES; i++)
      EXPECT(registers[DST][i] == (masks[m] >> i & 1 ? (250 + i % 6 + i) % 256 : 77777));
  }
}

static void test_division_by_zero(void) {
  simt_instruction divide = {.opcode = SIMT_UREM, .width = 32, .a = 0, .b = 1, .dst = 2};
  static simt_lanes registers[3];
  for (unsigned i = 0; i < SIMT_LANES; i++)
    registers[1][i] = i == 9 ? 0 : 3;
  unsigned lane = 0;
  EXPECT(simt_lanes_execute(&divide, registers, 0x1ff, &lane) == NULL);
  EXPECT(simt_lanes_execute(&divide, registers, 0x3ff, &lane) != NULL);
  EXPECT(lane == 9);
}

// A program of two functions, of which the second one has `in` between other instructions.
static bool may_overlap(simt_instruction in) {
  simt_instruction load = {.opcode = SIMT_LOAD}, end = {.opcode = SIMT_RETURN};
  simt_instruction first[] = {load, end}, second[] = {load, in, end};
  simt_function function[] = {{.code = first, .num_code = 2}, {.code = second, .num_code = 3}};
  simt_program program = {.function = function, .num_functions = 2};
  return simt_jobs_may_overlap(&program);
}

// Blocks may run at once unless one can see what another does.
static void test_overlap(void) {
  const uint8_t spaces[] = {SIMT_GENERIC, SIMT_SHARED, SIMT_LOCAL};
  const simt_opcode opcodes[] = {SIMT_LOAD, SIMT_STORE, SIMT_ATOMIC, SIMT_CMPXCHG, SIMT_MEMSET};
  for (unsigned i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
    for (unsigned j = 0; j < 3; j++) {
      simt_instruction in = {.opcode = (uint16_t)opcodes[i], .from = spaces[j]};
      EXPECT(may_overlap(in));
      in.flags = SIMT_POLLS;
      EXPECT(may_overlap(in) == (spaces[j] != SIMT_GENERIC));
    }
  simt_instruction copy = {
      .opcode = SIMT_MEMCPY, .flags = SIMT_POLLS, .from = SIMT_SHARED, .offset = SIMT_SHARED};
  EXPECT(may_overlap(copy));
  copy.offset = SIMT_GENERIC;
  EXPECT(!may_overlap(copy));
  EXPECT(may_overlap((simt_instruction){.opcode = SIMT_COLLECTIVE, .flags = SIMT_POLLS}));
  EXPECT(may_overlap((simt_instruction){.opcode = SIMT_BARRIER}));
  EXPECT(!may_overlap((simt_instruction){.opcode = SIMT_PRINTF}));
}

int main(void) {
  test_memory();
  test_sectors();
  test_halves();
  test_masks();
  test_division_by_zero();
  test_overlap();
  return expect_end();
}
