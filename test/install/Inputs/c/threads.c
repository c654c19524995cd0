// linearize/threads.h, without LLVM.
#include <linearize/threads.h>

#include <stdio.h>

int main(void) {
  const uint32_t vectors[] = {1, 2, 3};
  const double latency = 10;
  printf("%.0f cycles\n", linearize_bbv_weighted(vectors, 3, 1, &latency, NULL, 32, 1));
  return 0;
}
