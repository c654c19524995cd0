// The tests of a short loop, made one: what the registers are that later tests set.
//
//     $H: ...                              $H: ...
//       setp.ge.s32 %p1, ...;                setp.ge.s32 %p1, ...;
//       @%p1 bra $X;                         add.s32 %m1, %r1, 1;          moved
//       add.s32 %r1, %r1, 1;         ==>     setp.eq.s32 %p2, %m1, %r2;
//       setp.eq.s32 %p2, %r1, %r2;           or.pred %t1, %p2, %p1;
//       @%p2 bra $Y;                         @%t1 bra $T;
//       bra.uni $H;                          mov.b32 %r1, %m1;
//                                            bra.uni $H;
//                                          $T: @%p1 bra $X;
//                                            mov.b32 %r1, %m1;             $X needs %r1 as it was
//                                            bra.uni $Y;
//
// A counter, to which each iteration adds a number, needs no other register: those who leave take
// that back, and add it again if they leave by the test behind it. What a test sets for those alone
// who leave (compilers put there what is joined with something else behind the loop), they set.
#ifndef LIN_PTX_FOLDS_H
#define LIN_PTX_FOLDS_H

#include "live.h"
#include "places.h"

// A register that a test sets, of which those who leave by an earlier one need what it was.
typedef struct lin_ptx_kept {
  uint32_t test; // its number
  uint32_t reg;
  uint32_t number; // of the new register
  uint32_t adds;   // the instruction that does nothing else, of a counter; or LIN_NONE
} lin_ptx_kept;

typedef struct lin_ptx_fold {
  const lin_block *test; // [count] blocks, the loop's header first
  uint32_t count;
  lin_ptx_kept *kept;              // [num_kept] by rising tests
  uint32_t num_kept, num_counters; // all of them, and counters among them
  uint32_t *sunk;                  // [num_sunk] instructions that only those run who leave
  uint32_t num_sunk;
} lin_ptx_fold;

// Plans to fold such tests, each of which leads to the next one and out of their loop. Lives in the
// arena. O(instructions of the tests * lin_ptx_is_needed).
lin_ptx_fold *lin_ptx_fold_plan(lin_arena *arena, const lin_ptx_function *f, lin_ptx_needs *needs,
                                const lin_block *test, uint32_t count);

// The edge by which test `i` leaves.
lin_edge lin_ptx_fold_exit(const lin_ptx_function *f, const lin_ptx_fold *fold, uint32_t i);

// Names for what is new, which the caller counts through the function.
typedef struct lin_ptx_fold_names {
  const char *prefix;
  uint32_t num_flags;    // %prefix_t1 ...
  uint32_t num_kept;     // %prefix_m1 ...
  const char **flag;     // [tests] what says that one leaves by this test, or by one before
  lin_ptx_lines *header; // behind which the registers are declared
} lin_ptx_fold_names;

// Says what comes in place of the header's branch, up to the branch itself: lines of later tests,
// and whether one leaves. Declares registers. O(text of the tests + registers of the function).
void lin_ptx_fold_say_tests(const lin_ptx_function *f, lin_ptx_fold *fold,
                            lin_ptx_fold_names *names, lin_ptx_lines *lines);

// Says what registers become for those who stay. O(kept registers).
void lin_ptx_fold_say_around(const lin_ptx_function *f, const lin_ptx_fold *fold,
                             const lin_ptx_fold_names *names, lin_ptx_lines *lines);

// Says what they become in front of test `i`, of those who leave. O(kept registers).
void lin_ptx_fold_say_leaving(const lin_ptx_function *f, const lin_ptx_fold *fold,
                              const lin_ptx_fold_names *names, uint32_t i, lin_ptx_lines *lines);

#endif
