// How a kernel's rounds are done: by which algorithm, and how many words at a time, so that a
// multiprocessor has as many warps as before.
//
// Algorithms are those of linearize/reorder.h: HoT (Lin, Wang and others, ACM TACO 15(3), 2018,
// Algorithm 1), DGI (Algorithm 2), and votes. Unless one is asked for it is the one that takes
// least (gpu/rounds.h). All rounds of a kernel share one buffer:
//
//     votes: two tables, told │ HoT │ DGI │ words of the work that moves
//     counts, of those algorithms that there are     of all threads, so many at a time
//
// If there isn't room for a word of each thread, it is made as that paper has it (section 3.4), at
// the round that takes most: another algorithm, larger neighbourhoods, fewer keys, no round.
#ifndef LIN_REGROUP_ROUNDS_H
#define LIN_REGROUP_ROUNDS_H

#include "gpu/target.h"
#include "graph/arena.h"

typedef enum lin_algorithm {
  LIN_BEST,
  LIN_VOTES,
  LIN_HOT,
  LIN_DGI,
  LIN_NUM_ALGORITHMS
} lin_algorithm;

// Of one station: what is wanted.
typedef struct lin_wish {
  const uint32_t *key_bits; // [num_points]
  uint32_t num_points;
  bool waits;     // some threads have no key, and come behind all others
  uint32_t words; // that move
  lin_algorithm algorithm;
  uint32_t neighbours; // for DGI; 0: 16, as the paper has it
} lin_wish;

typedef struct lin_round {
  lin_algorithm algorithm; // LIN_BEST: there is no room for a round
  uint32_t dropped;        // the lowest bits of keys, that nobody looks at
  uint32_t keys;           // of all points
  uint32_t neighbours;
  uint32_t at_once;              // words that move at a time
  uint32_t small, at_once_small; // in blocks of at most `small` threads; 0: no difference
  bool is_other;                 // another algorithm than the one that was asked for
} lin_round;

typedef struct lin_rounds {
  lin_round *round; // [stations]
  uint32_t told_at, hot_at, dgi_at, words_at,
      bytes; // where the buffer's parts begin, from 0, and its size
} lin_rounds;

// What a kernel has, and may have.
typedef struct lin_room {
  const lin_target *target;
  uint32_t threads;   // of a block, at most; 0: nobody knows
  uint32_t shared;    // bytes of shared memory that it has anyway
  bool is_dynamic;    // and an amount that is known at the launch alone
  uint32_t registers; // that a thread has, at least
} lin_room;

// The bytes of shared memory that leave a multiprocessor as many blocks as it has without, of as
// many threads as they have, or, if nobody knows, of LIN_USUAL_BLOCK or more. O(1).
uint32_t lin_room_left(const lin_room *room);

// The bytes of shared memory that each thread may have for itself, so that LIN_AT_ONCE words of
// each can move at a time: another turn of these takes two barriers, and each word that needn't
// move saves a store and a load. O(1).
uint32_t lin_room_of_homes(const lin_room *room);

// Words that move at a time, if there is room: one store and one load of a thread. More gain
// nothing, and what shared memory they take is gone from the first-level cache: on an H200 kernels
// whose 14 or 15 words moved all at once were 0.89 to 1.03 times as fast
// (bench/results/h200-2026-11-25-points-room.txt, cur beside mid).
enum { LIN_USUAL_BLOCK = 128, LIN_SMALL_BLOCK = 256, LIN_AT_ONCE = 4 };

// Decides for all stations of a kernel, in the arena. A `LIN_HOT` that can't be (three sorts of
// threads), or DGI with too many keys, becomes votes. O(stations^2).
lin_rounds lin_rounds_choose(lin_arena *arena, const lin_room *room, const lin_wish *wish,
                             uint32_t count);

// How many keys the points have together, if their lowest `dropped` bits don't count; more than
// 2^31: 2^31. O(points).
uint32_t lin_count_keys(const lin_wish *wish, uint32_t dropped);

// Bytes of counts: of votes the two tables, and all, with what warp 0 tells the last one; of DGI.
// O(1).
uint32_t lin_votes_tables(uint32_t keys, uint32_t threads);
uint32_t lin_votes_bytes(uint32_t keys, uint32_t threads);
uint32_t lin_dgi_bytes(uint32_t groups, uint32_t threads, uint32_t neighbours);
enum { LIN_HOT_BYTES = 16 };

// The bytes between rows of counts of votes. O(1).
uint32_t lin_votes_row(uint32_t threads);

// The least number of bits that count to `count`: 2^bits >= count. O(1).
uint32_t lin_bits_for(uint32_t count);

// Words that each pass of votes moves beside, if keys need several: a key and a thread's number.
// O(1).
uint32_t lin_words_of_pass(uint32_t keys);

#endif
