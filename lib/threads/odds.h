// How often a warp passes over a block if it is chance which of its threads do so at the same time.
//
// Of a loop that is entered twice, by threads that go around it 6, 6 and 3 times in all:
//
//     pass of the warp    1 2 3 4 5 | 6 7 8 9      a thread is there as often as it has divided
//     thread 0            x x . . . | x x x x      its entries among the two times: each way is as
//            1            x x x x x | x . . .      likely, with one entry each time at least
//            2            x . . . . | x x . .
//                        `-- 5 ---'  `- 4 --'      the warp, as often as the last one: 9
//
// So a thread is there once more than `again` times before in
//
//     (1 - again / (entries - 1)) ^ (times - 1)      of the times
//
// and of the warp one thread at least: 1 less the product of what is left for each. The sum of that
// over `again` is a pass over what is around the loop.
#ifndef LIN_THREADS_ODDS_H
#define LIN_THREADS_ODDS_H

#include "kinds.h"

// Each of `again` up to this is looked at, above four for each power of two up to 2^32; what is in
// between is taken to be straight.
enum { LIN_ODDS_EACH = 4, LIN_ODDS_POINTS = 32 * LIN_ODDS_EACH };

// Of a block, and of a warp, whose threads' kinds are [kinds->count].
typedef struct lin_odds {
  double enters[LIN_WARP]; // in how many of the warp's passes over what is around it
  double part[LIN_WARP];   // in how many of its own
  size_t count;
  double again[LIN_ODDS_POINTS];  // [count] 0, and up to where hardly a thread is left
  double weight[LIN_ODDS_POINTS]; // [count] in a sum over all
  double stays[LIN_ODDS_POINTS]
              [LIN_WARP]; // [count] of those who entered, in how many it is there so often
} lin_odds;

// `block` is entered from `around`, UINT32_MAX: from the program, once; over which the warp passes
// `passes` times. O(kinds * points * log entries); a block that is entered once at a time has one
// point.
void lin_odds_find(const lin_kinds *kinds, uint32_t block, uint32_t around, double passes,
                   lin_odds *odds);

// Passes of the warp over the block, for each over what is around it, of which nothing is known but
// how often threads are there. O(points * kinds).
double lin_odds_expect(const lin_kinds *kinds, const lin_odds *odds);

// The same, if it is known who is there when: `around` are the odds of what is around it, of which
// lin_odds_expect is `passes`. O(points * kinds) times 16 of around's points, or all, if the block
// has one.
double lin_odds_expect_within(const lin_kinds *kinds, const lin_odds *odds, const lin_odds *around,
                              double passes);

#endif
