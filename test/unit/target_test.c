// Unit tests of the table of GPUs. A failure prints its line; the last line is `N passed, M
// failed`.
#include "gpu/target.h"

#include "expect.h"

#include <string.h>

static uint32_t number(const char *name) { return lin_target_number(name, strlen(name)); }

static void test_names(void) {
  EXPECT(number("sm_90") == 90);
  EXPECT(number("sm_90a") == 90);
  EXPECT(number("sm_103f") == 103);
  EXPECT(number("sm_") == 0);
  EXPECT(number("sm_x") == 0);
  EXPECT(number("gfx90a") == 0);
  EXPECT(number("") == 0);
  EXPECT(lin_target_number("sm_90", 4) == 9); // no further than its length
  EXPECT(number("sm_99999999999999999999") >= 1000);
}

// The newest row that is not newer; a GPU that is newer than all has the last one.
static void test_rows(void) {
  EXPECT(lin_target_find(90)->sm == 90);
  EXPECT(lin_target_find(35)->sm == 32);
  EXPECT(lin_target_find(121)->sm == 120);
  EXPECT(lin_target_find(UINT32_MAX)->sm == 120);
  EXPECT(lin_target_find(0)->sm == 0);
  EXPECT(lin_target_find(10)->sm == 0);
}

static void test_lock_step(void) {
  EXPECT(lin_target_find(0)->lock_step);
  EXPECT(lin_target_find(62)->lock_step);
  EXPECT(!lin_target_find(70)->lock_step);
}

// Every row has room for a thread block of the largest size, and for a warp's registers.
static void test_room(void) {
  for (uint32_t sm = 0; sm < 200; sm++) {
    const lin_target *target = lin_target_find(sm);
    EXPECT(target->warps >= LIN_LARGEST_BLOCK / LIN_WARP && target->warps <= LIN_MOST_WARPS);
    EXPECT(target->registers / LIN_WARP / target->warps >= 16);
    EXPECT(target->shared >= 48 * 1024);
  }
}

int main(void) {
  test_names();
  test_rows();
  test_lock_step();
  test_room();
  return expect_end();
}
