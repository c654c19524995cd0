// permute_property [first_seed] [count]
//
// lib/permute by brute force: permute_formulas.c, permute_values.c and permute_together.c say what.
// The last line is `N inputs, F failed`.
#include "permute_property.h"

#include <stdlib.h>

uint64_t state;

int main(int argc, char **argv) {
  uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
  uint32_t failed = 0, inputs = 0;
  state = first;
  inputs += test_formulas(&failed);
  for (uint64_t seed = first; seed < first + count; seed++) {
    state = seed;
    bool good = test_loop() && test_together(seed);
    for (unsigned i = 0; good && i < 20; i++)
      good = test_condition();
    if (!good)
      printf("seed %llu\n", (unsigned long long)seed);
    failed += !good;
    inputs++;
  }
  printf(
      "classes: %u runs, %u masks, %u rests, %u signed rests, %u bits; %u narrow ranges; %.0f%% of "
      "blocks together\n",
      forms[0], forms[1], forms[2], forms[3], forms[4], narrow_ranges,
      100.0 * (double)num_come / (double)(num_blocks == 0 ? 1 : num_blocks));
  for (unsigned form = 0; form < 5; form++)
    if (count >= 100 && forms[form] == 0) {
      printf("a form of classes was never found\n");
      failed++;
    }
  printf("%u inputs, %u failed\n", inputs, failed);
  return failed != 0;
}
