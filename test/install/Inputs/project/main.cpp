// The host's side: prints how many steps a few numbers take.
#include <cstdio>

int count_steps(const unsigned *start, unsigned *steps, unsigned count); // steps.cu

// Unstructured as well, but none of the GPU's business.
static unsigned on_host(unsigned x, unsigned limit) {
  unsigned steps = 0;
  for (; x != 1; steps++) {
    if ((x & 1 || steps > limit) && x % 5 != 3)
      x = 3 * x + 1;
    else
      x = x / 2 + steps % 3;
    if (x > 100000 || steps > 10 * limit)
      break;
  }
  return steps;
}

int main(int argc, char **argv) {
  const unsigned start[] = {3, 7, 27, 97};
  unsigned steps[4] = {0};
  if (count_steps(start, steps, 4)) {
    std::printf("%s: no GPU; on the host: %u\n", argv[0], on_host(argc + 26u, 100));
    return 0;
  }
  for (int i = 0; i < 4; i++)
    std::printf("%u takes %u steps\n", start[i], steps[i]);
  return 0;
}
