// lib/threads by what its header says, on examples small enough to count by hand; its refusals;
// what it does when memory runs out at any point. With the figures of the paper that its text
// describes.
#include "expect.h"
#include "linearize/threads.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

// ---- memory that runs out (-Wl,--wrap=calloc)

static unsigned long calls, calls_left = ULONG_MAX;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
  calls++;
  return calls_left-- > 0 ? __real_calloc(count, size) : NULL;
}

// ---- metrics

// "if one thread in warp 1 executes basic block b two times, and another thread in the same warp
// executes basic block b five times, then the maximum execution count is five" (section IV.B), with
// the 610 cycles of Listing 2.
static void test_most_of_a_warp(void) {
  uint32_t vectors[64] = {[3] = 2, [31] = 5, [32] = 1};
  double latency = 610;
  EXPECT(linearize_bbv_weighted(vectors, 32, 1, &latency, NULL, 32, 1) == 5 * 610);
  EXPECT(linearize_bbv_weighted(vectors, 64, 1, &latency, NULL, 64, 1) == 6 * 610);
  EXPECT(linearize_bbv_weighted(vectors, 64, 1, &latency, NULL, 64, 4) == 6 * 610 / 4.0);
  // Warps don't reach over thread blocks, 3 of 20, 20 and 24 threads; nor over 32 threads of one.
  EXPECT(linearize_bbv_weighted(vectors, 64, 1, &latency, NULL, 20, 1) == (2 + 5 + 0) * 610);
  EXPECT(linearize_bbv_weighted(vectors, 33, 1, &latency, NULL, 1000, 1) == (5 + 1) * 610);
}

// Blocks A, B, C of 1, 10 and 100 cycles; each block's most is another thread's.
static void test_blocks_add_up(void) {
  static const uint32_t vectors[] = {1, 60, 0, 1, 20, 3, 1, 6, 7};
  static const double latency[] = {1, 10, 100};
  static const uint32_t order[] = {2, 0, 1};
  EXPECT(linearize_bbv_weighted(vectors, 3, 3, latency, NULL, 3, 1) == 1 + 600 + 700);
  EXPECT(linearize_bbv_weighted(vectors, 3, 3, latency, NULL, 2, 1) == 901 + 761);
  EXPECT(linearize_bbv_weighted(vectors, 3, 3, latency, order, 2, 1) == 1301 + 1 + 200 + 300);
  static const uint32_t twice[] = {1, 1, 2}; // any threads will do
  EXPECT(linearize_bbv_weighted(vectors, 3, 3, latency, twice, 2, 1) == 501 + 761);
}

// Fig. 4: thread block 2 waits for SM 0 in a static schedule, and goes to SM 1 in a dynamic one.
//
//     SM 0 |0--------|         SM 1 |1---|2-----|3--|
static void test_first_free_slot(void) {
  static const uint32_t vectors[] = {9, 4, 6, 3};
  double latency = 1;
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 4, 1, &latency, NULL, 1, 2, 1) == 12);
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 4, 1, &latency, NULL, 1, 1, 2) == 12);
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 4, 1, &latency, NULL, 1, 1, 1) == 22);
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 4, 1, &latency, NULL, 1, 3, 1) == 9);
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 4, 1, &latency, NULL, 1, UINT32_MAX,
                                          UINT32_MAX) == 9);
}

// Fig. 5: the same thread blocks, those that take longest first, end earlier.
static void test_longest_first(void) {
  static const uint32_t vectors[] = {4, 1, 2, 3, 3, 8};
  static const uint32_t falling[] = {5, 0, 3, 4, 2, 1};
  double latency = 2;
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 6, 1, &latency, NULL, 1, 3, 1) == 24);
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 6, 1, &latency, falling, 1, 3, 1) == 16);
}

// ---- the older metrics

static void test_divergent_warps(void) {
  uint32_t vectors[2 * 96] = {0};
  vectors[2 * 40 + 1] = 1;
  EXPECT(linearize_divergent_warps(vectors, 96, 2, NULL, 96) == 1 / 3.0);
  EXPECT(linearize_divergent_warps(vectors, 96, 2, NULL, 48) == 1 / 4.0);
  EXPECT(linearize_divergent_warps(vectors, 41, 2, NULL, 96) == 1 / 2.0);
  EXPECT(linearize_divergent_warps(vectors, 40, 2, NULL, 96) == 0);
  EXPECT(linearize_divergent_warps(vectors, 0, 2, NULL, 96) == 0);
  EXPECT(linearize_divergent_warps(vectors, 96, 0, NULL, 96) == 0);
}

// A branch A with the ways B and C; D comes after both.
static double parted(const uint32_t *vectors, size_t threads, const uint32_t *order) {
  static const uint32_t branch_of[] = {UINT32_MAX, 0, 0, UINT32_MAX};
  return linearize_divergent_branches(vectors, threads, 4, branch_of, order, 32);
}

static void test_divergent_branches(void) {
  static const uint32_t both[] = {1, 1, 0, 1, 1, 0, 1, 1};
  EXPECT(parted(both, 1, NULL) == 0);
  EXPECT(parted(both, 2, NULL) == 1);
  // In a loop: two of five passes at least on which they part.
  static const uint32_t passes[] = {5, 4, 1, 5, 5, 2, 3, 5};
  EXPECT(parted(passes, 2, NULL) == 2);
  // C leaves the loop at A, after 0, 2, 2 and 7 iterations: with 0 and with 2 some stay.
  static const uint32_t leaving[] = {1, 0, 1, 1, 3, 2, 1, 1, 3, 2, 1, 1, 8, 7, 1, 1};
  EXPECT(parted(leaving, 4, NULL) == 2);
  // Who doesn't come to the branch doesn't part there.
  static const uint32_t absent[] = {0, 0, 0, 1, 3, 2, 1, 1};
  EXPECT(parted(absent, 2, NULL) == 0);
  static const uint32_t same[] = {1, 1, 1, 1};
  EXPECT(parted(leaving, 4, same) == 0);
  // One way is no branch; three ways may take three passes.
  static const uint32_t one[] = {UINT32_MAX, 0, UINT32_MAX, UINT32_MAX};
  EXPECT(linearize_divergent_branches(both, 2, 4, one, NULL, 32) == 0);
  static const uint32_t three[] = {UINT32_MAX, 0, 0, 0};
  static const uint32_t ways[] = {1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1};
  EXPECT(linearize_divergent_branches(ways, 3, 4, three, NULL, 32) == 2);
  // Of two branches each has its own ways, whichever block comes first.
  static const uint32_t two[] = {3, 1, 3, 1};
  static const uint32_t crossed[] = {1, 1, 1, 0, 0, 1, 1, 1};
  EXPECT(linearize_divergent_branches(crossed, 2, 4, two, NULL, 32) == 2);
}

// ---- regrouping

// {1, 20, 10, 20, 1} is less than {1, 30, 20, 30, 1} (section V.A).
static void test_sorting(void) {
  static const uint32_t vectors[] = {1,  30, 20, 30, 1,  1,  20, 10, 20, 1,  0,  99, 99,
                                     99, 99, 1,  20, 10, 20, 1,  1,  20, 10, 20, 0};
  static const double latency[5] = {0};
  static const uint32_t sorted[] = {2, 4, 1, 3, 0};
  uint32_t order[5];
  EXPECT(linearize_regroup(LINEARIZE_SORTING, vectors, 5, 5, latency, 32, order) == 0);
  EXPECT(memcmp(order, sorted, sizeof sorted) == 0);
}

enum { THREADS = 64 };

// Threads of 100, 97, 60 and 10 cycles: 20, 12, 12 and 20 of them, dealt in turn.
//
// Greedy and Greedy-Max: 100 and 97 are one group, 60 and 10 the other, for 100 with 97 gain
// 2 * 97 - 100 = 94, 97 with 60 only 23.
static void test_greedy(void) {
  static const uint32_t cycles[] = {100, 97, 60, 10};
  uint32_t vectors[THREADS], order[THREADS];
  double latency = 1;
  for (uint32_t t = 0; t < THREADS; t++)
    vectors[t] = cycles[t < 48 ? t % 4 : t % 2 * 3];
  for (int how = LINEARIZE_GREEDY; how <= LINEARIZE_GREEDY_MAX; how++) {
    EXPECT(linearize_regroup((linearize_regrouping)how, vectors, THREADS, 1, &latency, 32, order) ==
           0);
    for (uint32_t place = 0; place < THREADS; place++) {
      uint32_t is = vectors[order[place]];
      EXPECT(is == cycles[place < 20 ? 0 : place < 32 ? 1 : place < 44 ? 2 : 3]);
    }
    EXPECT(linearize_bbv_weighted(vectors, THREADS, 1, &latency, NULL, 64, 1) == 200);
    EXPECT(linearize_bbv_weighted(vectors, THREADS, 1, &latency, order, 64, 1) == 160);
  }
}

// "if one group executes basic block b once and the other group executes basic block b twice, we
// estimate that the first time they can execute together as benefit, but the second execution as
// cost": the gain is 1 - 1 = 0. That of B and C is 5 - 6 < 0. So 31 of A, which is longest, take
// one of B, not of C, though C takes longer than B. Latencies count: B and C differ in the block
// that costs more.
static void test_gain(void) {
  static const uint32_t kinds[][2] = {{10, 1}, {10, 2}, {16, 1}};
  uint32_t vectors[2 * THREADS], order[THREADS];
  const double latency[] = {100, 1};
  for (uint32_t t = 0; t < THREADS; t++)
    memcpy(vectors + 2 * t, kinds[t == 5 ? 0 : t % 2 == 0 ? 1 : 2], sizeof kinds[0]);
  EXPECT(linearize_regroup(LINEARIZE_GREEDY, vectors, THREADS, 2, latency, 32, order) == 0);
  bool together = false; // A, with those of B
  for (uint32_t place = 0; place < THREADS; place++)
    together = together || (order[place] == 5 && place >= 32);
  EXPECT(together);
  EXPECT(linearize_regroup(LINEARIZE_GREEDY_MAX, vectors, THREADS, 2, latency, 32, order) == 0);
  EXPECT(vectors[2 * order[0]] == 16);
}

// A group is 64 threads; of 100 threads the last has 36.
static void test_last_group_is_smaller(void) {
  enum { ALL = 100 };
  uint32_t vectors[ALL], order[ALL];
  double latency = 1;
  for (uint32_t t = 0; t < ALL; t++)
    vectors[t] = t < 36 ? 100 + t : 50;
  EXPECT(linearize_regroup(LINEARIZE_GREEDY_MAX, vectors, ALL, 1, &latency, 64, order) == 0);
  EXPECT(order[0] == 35 && order[35] == 0 && vectors[order[64]] == 50);
  EXPECT(linearize_regroup(LINEARIZE_GREEDY, vectors, ALL, 1, &latency, 64, order) == 0);
  EXPECT(vectors[order[0]] == 50 || order[0] == 34);
  EXPECT(linearize_regroup(LINEARIZE_GREEDY, vectors, ALL, 1, &latency, SIZE_MAX - 31, order) == 0);
  EXPECT(linearize_regroup(LINEARIZE_GREEDY_MAX, NULL, ALL, 0, NULL, 32, order) == 0);
  for (uint32_t t = 0; t < ALL; t++)
    EXPECT(order[t] == t); // all are equal
  EXPECT(linearize_regroup(LINEARIZE_SORTING, NULL, 0, 0, NULL, 32, NULL) == 0);
}

// Counts of 2^32 - 1 times many cycles, and sums of many warps, lose nothing that a double holds.
static void test_large_numbers(void) {
  static const uint32_t vectors[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
  const double latency[] = {1024, 2048};
  EXPECT(linearize_bbv_weighted(vectors, 2, 2, latency, NULL, 1, 1) == 2 * 3072 * 4294967295.0);
  static const uint32_t branch_of[] = {UINT32_MAX, 0, 0};
  static const uint32_t ways[] = {0, UINT32_MAX, 0, 0, 0, UINT32_MAX};
  EXPECT(linearize_divergent_branches(ways, 2, 3, branch_of, NULL, 2) == 4294967295.0);
  const double huge[] = {1e308, 1e308};
  errno = 0;
  EXPECT(linearize_bbv_weighted(vectors, 2, 2, huge, NULL, 1, 1) == -1 && errno == ERANGE);
  errno = 0;
  EXPECT(linearize_bbv_weighted_scheduled(vectors, 2, 2, huge, NULL, 1, 1, 1) == -1 &&
         errno == ERANGE);
}

// Two warps, of 4 threads and of 2.
//
//     block   A B C      mean 1  most 1 (A)
//     0       1 5 0           3       5 (B)
//     1       1 2 0           1       4 (C)
//     2       1 5 0
//     3       1 0 4
//     4, 5    3 0 0           3       3 (A)
static void test_passes(void) {
  static const uint32_t vectors[] = {1, 5, 0, 1, 2, 0, 1, 5, 0, 1, 0, 4, 3, 0, 0, 3, 0, 0};
  double mean[3], most[3], passes[3];
  EXPECT(linearize_bbv_passes(vectors, 6, 3, NULL, NULL, NULL, 4, mean, most, passes) == 0);
  EXPECT(mean[0] == 1 + 3 && most[0] == 1 + 3 && passes[0] == 1 + 3);
  EXPECT(mean[1] == 3 && most[1] == 5 && passes[1] == 5);
  EXPECT(mean[2] == 1 && most[2] == 4 && passes[2] == 4);
  static const uint32_t order[] = {0, 2, 4, 5, 1, 3};
  EXPECT(linearize_bbv_passes(vectors, 6, 3, NULL, NULL, order, 2, mean, most, passes) == 0);
  EXPECT(mean[1] == 5 + 0 + 1 && most[1] == 5 + 0 + 2);
  EXPECT(linearize_bbv_passes(vectors, 0, 3, NULL, NULL, NULL, 4, mean, most, passes) == 0);
  EXPECT(mean[1] == 0 && passes[1] == 0);
}

// chance.h: block 1 is a loop that all of three threads go around 8 times, 2 an arm in it that two
// of them take in 4 of the 8. By chance warps come to it 8 * (1 - 1/2 * 1/2) times.
//
//     0 ─▶ 1 ⟲
//          └ 2
static void test_chance(void) {
  static const uint32_t vectors[] = {1, 8, 4, 1, 8, 4, 1, 8, 0}, around[] = {UINT32_MAX, 0, 1};
  double mean[3], most[3], passes[3], counted[] = {1, 8, 5}, learned[3] = {7, 7, 7};
  const double all[] = {1, 1, 1}, twice[] = {0, 0, 2};
  EXPECT(linearize_bbv_passes(vectors, 3, 3, around, all, NULL, 3, mean, most, passes) == 0);
  EXPECT(passes[0] == 1 && passes[1] == 8 && passes[2] == 6 && most[2] == 4);
  EXPECT(linearize_bbv_correction(vectors, 3, 3, around, counted, NULL, 3, learned) == 0);
  EXPECT(learned[0] == 0 && learned[1] == 0 && learned[2] == 0.5);
  EXPECT(linearize_bbv_passes(vectors, 3, 3, around, learned, NULL, 3, mean, most, passes) == 0);
  EXPECT(passes[2] == 5);
  counted[2] = 7; // more often than by chance: control flow has them come apart
  EXPECT(linearize_bbv_correction(vectors, 3, 3, around, counted, NULL, 3, learned) == 0);
  EXPECT(learned[2] > 1 && learned[2] < 1.17);
  EXPECT(linearize_bbv_passes(vectors, 3, 3, around, twice, NULL, 3, mean, most, passes) == 0);
  EXPECT(passes[2] == 12);
  counted[2] = 3; // less than (2) is another launch's: nothing is learned
  EXPECT(linearize_bbv_correction(vectors, 3, 3, around, counted, NULL, 3, learned) == 0);
  EXPECT(learned[2] == 0);
}

// Three threads go around a loop 8, 4 and 4 times, and the last two take an arm in 2 of these 4. If
// it is known that they leave the loop together, the arm is taken in 4 passes of the loop, else in
// any of 8.
static void test_chance_of_arms(void) {
  static const uint32_t vectors[] = {1, 8, 0, 1, 4, 2, 1, 4, 2}, around[] = {UINT32_MAX, 0, 1};
  double mean[3], most[3], passes[3];
  const double all[] = {1, 1, 1}, arm[] = {0, 0, 1};
  EXPECT(linearize_bbv_passes(vectors, 3, 3, around, all, NULL, 3, mean, most, passes) == 0);
  EXPECT(passes[1] == 8 && passes[2] == 4 * (1 - 0.5 * 0.5));
  EXPECT(linearize_bbv_passes(vectors, 3, 3, around, arm, NULL, 3, mean, most, passes) == 0);
  EXPECT(passes[1] == 8 && passes[2] == 8 * (1 - 0.75 * 0.75));
}

// A loop in a loop: two times around the outer one, 5 in all around the inner one, 1 and 4, 2 and
// 3, 3 and 2 or 4 and 1; so a warp of two such threads takes 5 to 8, each of 16 ways as likely:
// 6.25.
static void test_chance_of_loops(void) {
  static const uint32_t vectors[] = {1, 2, 5, 1, 2, 5}, around[] = {UINT32_MAX, 0, 1};
  double mean[3], most[3], passes[3];
  const double all[] = {1, 1, 1};
  EXPECT(linearize_bbv_passes(vectors, 2, 3, around, all, NULL, 2, mean, most, passes) == 0);
  EXPECT(passes[1] == 2 && most[2] == 5 && passes[2] == 6.25);
}

// The same with 10 times and 1000 entries, whose ways are not looked at one by one.
static void test_chance_of_long_loops(void) {
  static const uint32_t vectors[] = {1, 10, 1000, 1, 10, 1000}, around[] = {UINT32_MAX, 0, 1};
  double mean[3], most[3], passes[3], sum = 0;
  const double all[] = {1, 1, 1};
  EXPECT(linearize_bbv_passes(vectors, 2, 3, around, all, NULL, 2, mean, most, passes) == 0);
  for (int again = 0; again <= 990; again++) {
    double stays = 1;
    for (int i = 0; i < 9; i++)
      stays *= 1 - again / 999.0;
    sum += 1 - (1 - stays) * (1 - stays);
  }
  EXPECT(passes[2] > 0.98 * 10 * sum && passes[2] < 1.02 * 10 * sum);
}

// ---- refusals

// Figure 5 with segments of 4, and six elements of each class: those in the first segment that are
// not of class 0 change with those in the second that are not of class 1.
static void test_lam(void) {
  static const uint32_t class_of[] = {0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1};
  static const uint32_t expected[] = {0, 1, 5, 3, 4, 2, 6, 7, 8, 9, 10, 11};
  uint32_t destination[12];
  EXPECT(linearize_lam(class_of, 12, 2, 4, destination) == 0);
  EXPECT(memcmp(destination, expected, sizeof expected) == 0);
  EXPECT(linearize_lam(class_of, 12, 2, 100, destination) == 0); // one segment, of any
  for (uint32_t i = 0; i < 12; i++)
    EXPECT(destination[i] == i);
  EXPECT(linearize_lam(NULL, 0, 0, 32, NULL) == 0);
}

#define REFUSED(call, why) (errno = 0, (call) == -1 && errno == (why))

static void test_bad_arguments(void) {
  static const uint32_t v[64] = {1}, bad_order[] = {0, 2}, bad_branch[] = {2};
  uint32_t order[64] = {7};
  const double one = 1, less = -1, none = NAN, all = INFINITY;
  size_t many = (size_t)1 << 32;
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, &one, NULL, 0, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, &one, NULL, 1, 0), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, &less, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, &none, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, &all, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, NULL, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(NULL, 2, 1, &one, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, many, 1, &one, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 1, many, &one, NULL, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted(v, 2, 1, &one, bad_order, 1, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted_scheduled(v, 2, 1, &one, NULL, 1, 1, 0), EINVAL));
  EXPECT(REFUSED(linearize_bbv_weighted_scheduled(v, 2, 1, &one, NULL, 1, 0, 1), EINVAL));
  EXPECT(REFUSED(linearize_divergent_warps(v, 2, 1, NULL, 0), EINVAL));
  EXPECT(REFUSED(linearize_divergent_warps(v, 2, 1, bad_order, 1), EINVAL));
  static const uint32_t itself[] = {0}, far_away[] = {1}, each_other[] = {1, 0};
  double mean = 7, most = 7, passes = 7;
  const double two[] = {1, 1};
#define PASSES(around, correction, order, size)                                                    \
  linearize_bbv_passes(v, 2, 1, around, correction, order, size, &mean, &most, &passes)
  EXPECT(REFUSED(PASSES(NULL, NULL, NULL, 0), EINVAL));
  EXPECT(REFUSED(PASSES(NULL, NULL, bad_order, 1), EINVAL));
  EXPECT(REFUSED(PASSES(itself, NULL, NULL, 1), EINVAL));
  EXPECT(REFUSED(PASSES(far_away, NULL, NULL, 1), EINVAL));
  EXPECT(REFUSED(PASSES(NULL, &less, NULL, 1), EINVAL));
  EXPECT(REFUSED(PASSES(NULL, &all, NULL, 1), EINVAL));
  EXPECT(REFUSED(linearize_bbv_passes(v, 2, 1, NULL, NULL, NULL, 1, NULL, &most, &passes), EINVAL));
  EXPECT(REFUSED(linearize_bbv_passes(v, 2, 1, NULL, NULL, NULL, 1, &mean, NULL, &passes), EINVAL));
  EXPECT(REFUSED(linearize_bbv_passes(v, 2, 1, NULL, NULL, NULL, 1, &mean, &most, NULL), EINVAL));
  EXPECT(REFUSED(linearize_bbv_correction(v, 2, 1, NULL, NULL, NULL, 1, &mean), EINVAL));
  EXPECT(REFUSED(linearize_bbv_correction(v, 2, 1, NULL, &one, NULL, 1, NULL), EINVAL));
  EXPECT(REFUSED(linearize_bbv_correction(v, 2, 1, NULL, &less, NULL, 1, &mean), EINVAL));
  EXPECT(REFUSED(linearize_bbv_correction(v, 2, 1, NULL, &none, NULL, 1, &mean), EINVAL));
  EXPECT(REFUSED(linearize_bbv_correction(v, 2, 1, itself, &one, NULL, 1, &mean), EINVAL));
  EXPECT(REFUSED(linearize_bbv_correction(v, 1, 2, each_other, two, NULL, 1, &mean), EINVAL));
  EXPECT(mean == 7 && most == 7 && passes == 7);
  EXPECT(REFUSED(linearize_divergent_branches(v, 2, 1, NULL, NULL, 1), EINVAL));
  EXPECT(REFUSED(linearize_divergent_branches(v, 2, 1, bad_branch, NULL, 1), EINVAL));
  linearize_regrouping how = LINEARIZE_GREEDY;
  EXPECT(REFUSED(linearize_regroup(how, v, 2, 1, &one, 0, order), EINVAL));
  EXPECT(REFUSED(linearize_regroup(how, v, 2, 1, &one, 33, order), EINVAL));
  EXPECT(REFUSED(linearize_regroup(how, v, 2, 1, &less, 32, order), EINVAL));
  EXPECT(REFUSED(linearize_regroup(how, NULL, 2, 1, &one, 32, order), EINVAL));
  EXPECT(REFUSED(linearize_regroup(how, v, 2, 1, &one, 32, NULL), EINVAL));
  EXPECT(REFUSED(linearize_regroup((linearize_regrouping)3, v, 2, 1, &one, 32, order), EINVAL));
  EXPECT(REFUSED(linearize_lam(v, 2, 2, 0, order), EINVAL));
  EXPECT(REFUSED(linearize_lam(v, 2, 1, 32, order), EINVAL));
  EXPECT(REFUSED(linearize_lam(v, many, 2, 32, order), EINVAL));
  EXPECT(REFUSED(linearize_lam(NULL, 2, 2, 32, order), EINVAL));
  EXPECT(REFUSED(linearize_lam(v, 2, 2, 32, NULL), EINVAL));
  EXPECT(order[0] == 7);
}

enum { MANY = 3000 };

// Each call fails as long as one of its requests does, and has then written nothing.
static void test_memory_runs_out(void) {
  static uint32_t vectors[2 * MANY], order[MANY];
  const double latency[] = {1, 3};
  static const uint32_t branch_of[] = {UINT32_MAX, 0};
  double sum[3][2];
  for (uint32_t i = 0; i < 2 * MANY; i++)
    vectors[i] = i * i % 1031;
  for (int what = 0; what < 9; what++) {
    double result = -1;
    unsigned long allowed = 0;
    for (; result == -1 && allowed < 1000; allowed++) {
      memset(order, 0xff, sizeof order);
      calls_left = allowed;
      calls = 0;
      errno = 0;
      if (what < 3)
        result =
            linearize_regroup((linearize_regrouping)what, vectors, MANY, 2, latency, 32, order);
      else if (what == 3)
        result = linearize_bbv_weighted(vectors, MANY, 2, latency, NULL, 64, 1);
      else if (what == 4)
        result = linearize_bbv_weighted_scheduled(vectors, MANY, 2, latency, NULL, 64, 1, 1);
      else if (what == 5)
        result = linearize_divergent_branches(vectors, MANY, 2, branch_of, NULL, 64);
      else if (what == 6)
        result = linearize_bbv_passes(vectors, MANY, 2, branch_of, latency, NULL, 64, sum[0],
                                      sum[1], sum[2]);
      else if (what == 7)
        result = linearize_bbv_correction(vectors, MANY, 2, branch_of, latency, NULL, 64, sum[0]);
      else
        result = linearize_lam(vectors, MANY, 1031, 32, order);
      calls_left = ULONG_MAX;
      if (result == -1 && !EXPECT(errno == ENOMEM && order[0] == UINT32_MAX))
        break;
    }
    EXPECT(result >= 0 && allowed == calls + 1);
  }
}

int main(void) {
  test_most_of_a_warp();
  test_blocks_add_up();
  test_first_free_slot();
  test_longest_first();
  test_divergent_warps();
  test_divergent_branches();
  test_sorting();
  test_greedy();
  test_gain();
  test_last_group_is_smaller();
  test_large_numbers();
  test_passes();
  test_chance();
  test_chance_of_arms();
  test_chance_of_loops();
  test_chance_of_long_loops();
  test_lam();
  test_bad_arguments();
  test_memory_runs_out();
  return expect_end();
}
