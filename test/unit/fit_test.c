// lib/fit: what is linear is told exactly, whatever its inputs look like; what isn't, isn't.
#include "expect.h"
#include "fit/fit.h"

#include <math.h>

enum { THREADS = 512, LEARNED = 64, FIRST = 128 };

static uint32_t entries[THREADS * 4];
static double input[THREADS * 3];

static uint32_t random_below(uint32_t limit) {
  static uint64_t state = 88172645463325252;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (uint32_t)((state >> 16) % limit);
}

static lin_fit_data data_of(size_t blocks, size_t inputs) {
  return (lin_fit_data){entries, input, THREADS, blocks, inputs};
}

// A loop as long as an input says, one that is as long as the thread's number says, and what both
// do, beside an address-sized input; and a table look-up.
static void test_linear(void) {
  for (size_t t = 0; t < THREADS; t++) {
    uint32_t length = random_below(40);
    input[3 * t] = length;
    input[3 * t + 1] = 7e9 + random_below(1000);
    input[3 * t + 2] = random_below(2);
    entries[4 * t] = 1 + length;
    entries[4 * t + 1] = (uint32_t)t / 2 * 2;
    entries[4 * t + 2] = 3 * length + 5 * (uint32_t)t + (uint32_t)input[3 * t + 2];
    entries[4 * t + 3] = length * length % 17;
  }
  lin_memory memory = {0};
  lin_fit_data data = data_of(4, 3);
  lin_fit fit = lin_fit_learn(&memory, &data, FIRST, LEARNED);
  double error[4];
  EXPECT(fit != NULL);
  lin_fit_errors(fit, &data, FIRST, LEARNED, error);
  EXPECT(error[0] == 0 && error[2] == 0);
  EXPECT(error[1] > 0 && error[1] < LIN_FIT_INSPECT); // half an entry off, now and then
  EXPECT(error[3] > LIN_FIT_INSPECT);
  EXPECT(fabs(lin_fit_tell(fit, &data, 500, 2) - entries[4 * 500 + 2]) < 1e-6);
  EXPECT(fabs(fit[1] - 1) < 1e-6); // of block 0: its length
  lin_memory_release(&memory);
}

// Inputs that depend on each other, one that is always 0, more of them than threads, none, and one
// thread: there is a solution, and it is right of those learned from.
static void test_degenerate(void) {
  for (size_t t = 0; t < THREADS; t++) {
    input[3 * t] = (double)t;
    input[3 * t + 1] = 2 * (double)t;
    input[3 * t + 2] = 0;
    entries[t] = 10 + 4 * (uint32_t)t;
  }
  lin_memory memory = {0};
  double error;
  lin_fit_data data = data_of(1, 3);
  lin_fit fit = lin_fit_learn(&memory, &data, 0, LEARNED);
  lin_fit_errors(fit, &data, 0, LEARNED, &error);
  EXPECT(error == 0);
  fit = lin_fit_learn(&memory, &data, 3, 2);
  EXPECT(fabs(lin_fit_tell(fit, &data, 4, 0) - 26) < 1e-6);
  data.num_inputs = 0;
  fit = lin_fit_learn(&memory, &data, FIRST, LEARNED);
  lin_fit_errors(fit, &data, FIRST, LEARNED, &error);
  EXPECT(error == 0);
  fit = lin_fit_learn(&memory, &data, 7, 1);
  EXPECT(fabs(lin_fit_tell(fit, &data, 7, 0) - 38) < 1e-6);
  lin_fit_errors(fit, &data, 0, THREADS, &error); // nobody is left to be told
  EXPECT(error == 0);
  data.num_blocks = 0;
  EXPECT(lin_fit_learn(&memory, &data, 0, LEARNED) != NULL);
  lin_memory_release(&memory);
}

// Nobody of those told enters, but the fit says so.
static void test_never_entered(void) {
  for (size_t t = 0; t < THREADS; t++)
    entries[t] = t < LEARNED ? 1 : 0;
  lin_memory memory = {0};
  lin_fit_data data = data_of(1, 0);
  double error;
  lin_fit_errors(lin_fit_learn(&memory, &data, 0, LEARNED), &data, 0, LEARNED, &error);
  EXPECT(isinf(error));
  lin_memory_release(&memory);
}

int main(void) {
  test_linear();
  test_degenerate();
  test_never_entered();
  return expect_end();
}
