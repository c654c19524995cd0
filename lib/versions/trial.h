// Which version of a kernel to launch: found out while the program runs, without ever costing it
// much.
//
// A trial is of one kernel and launch shape. Who launches asks which version is next; some launches
// are timed, and their times are told when they are known, which may be many launches later.
//
//     launch   1  2 ... 8 ... 17 18 19 20 21 22 23 24 25 26 27 28 ... 44 ... 60 61 62
//     plain    t  t     t        t     t     t     t     t                             t: timed
//     needed                   t     t     t     t     t     t  t     t      t  t  t
//                              └────────── duel ───────────┘ needed is faster: the best one
//                                                its time has changed: ──────┘ all that was found
//                                                                      is forgotten, tried anew
//
// - The best version so far is launched; at first that is the plain one, or the best one that
//   earlier runs measured. What these found to be slower waits as if this run had found it. What
//   these say a launch takes counts where no time of this run is known: a program that queues all
//   that it launches tries one version a run.
//   Others are tried against it, one at a time. The two take turns by the sequence of Thue and
//   Morse, so that what drifts (clocks, caches, data) or recurs is the same for both. Nothing is
//   tried while the first time of another try isn't known; then up to 5 are.
// - A shape that had at most LIN_FIRST launches in every run is too short for that. It learns by
//   one version a run: the first launch takes the first version that never had it, of those that
//   need nothing made. So do the next launches, as long as pairs with the best one's times of the
//   same launches agree that it is faster (first.h). All others take the best one; all are timed.
//   So with 4 versions the fifth run begins with the best.
// - Where launches are of two kinds, one 10 times as long as the other, to and fro, the long kind
//   alone is looked at.
// - Trying costs what a launch takes longer than the best version would have. All trials of a
//   program share a ledger: nothing is tried unless what was spent, and what the launch will
//   probably cost, is at most 2% of the time that kernels took by then. What a version costs that
//   was never launched is a guess, 32% of what the best one's long launches take (200% for the
//   plain one, where another is preferred); so no kernel is tried before its 16th launch unless
//   others have paid for it. A launch may cost more than the guess; then nothing is tried until
//   that is made good. So, at any time, spent <= 2% of the time + what one launch cost. The time of
//   up to 64 launches of earlier runs counts, as far as their tries left of it.
// - A version whose first launch takes 2.5 times as long as the best one isn't launched again. One
//   that is slower than all that the best one showed is given up after one launch or two. Else,
//   from 5 pairs on, Mann and Whitney's test of ranks decides. 12 pairs that don't differ are too
//   close to tell: such versions are compared further, one launch in 32 (64 of short kernels), by
//   the sign of each difference.
// - What was slower is launched once more after 64 launches, 128, 256, ..., where that costs at
//   most 0.2% of the time: so neither a launch that happened to be slow, nor data that changed
//   without a trace, decides for ever.
// - A version may need something that is made before a launch and kept for LIN_KEPT launches:
//   an order of threads. What it takes is shared out over these in the version's times, which are
//   compared; the ledger pays all of it at once, by a guess before it is known, and twice the first
//   time. The kernel has run for ten times as long by then. So a version that is faster, but not by
//   enough for what has to be made, isn't taken, and what turns out so isn't tried again soon.
// - Where the best version's time changes, all that was found is forgotten: if three times in a row
//   are more than 15% off and far out of what was seen, or eight times more than 25% off.
//
// Only integers: equal times make equal choices. One thread at a time for a trial, and for a
// ledger.
#ifndef LIN_VERSIONS_TRIAL_H
#define LIN_VERSIONS_TRIAL_H

#include "first.h"
#include "times.h"

// Of all trials of a program, in nanoseconds.
typedef struct lin_ledger {
  uint64_t time;     // that kernels took
  uint64_t spent;    // of these, on trying
  uint64_t reserved; // for tries whose times aren't known yet
} lin_ledger;

enum {
  LIN_NO_VERSION = LIN_VERSIONS_MOST,
  // Launches for which what is made for a version is kept. To make an order takes 0.03 to 2.1 times
  // as long as the kernel (bench/device/redirect: inspect and sort), so a launch's part of it is at
  // most 3% of that; and data that change are followed as soon as a change of times is (above).
  LIN_KEPT = 64,
  LIN_SHARE = 50,       // 1/50 of the time may go into trying
  LIN_SLOWER_WAIT = 64, // launches until what was slower is launched again
};

typedef enum lin_standing {
  LIN_UNTRIED,
  LIN_OPEN,   // in a duel with the best one; and the best one
  LIN_CLOSE,  // too close to tell
  LIN_SLOWER, // may be launched again, seldom
  LIN_FAR,    // 2.5 times as slow, or more
  LIN_BANNED, // can't be launched
} lin_standing;

typedef struct lin_contender {
  lin_standing rank;
  bool was_far;      // before all was forgotten
  lin_times times;   // of launches since all was forgotten
  uint32_t since;    // launches of the kernel since this version was tried
  uint32_t wait;     // launches until it may be tried again
  uint32_t compared; // of a close one: so many times
  int32_t lead;      // by how many more of these it was faster
  bool is_made_for;  // it needs something that is made before a launch
  uint64_t once;     // what was made for it took, the last time; 0: nothing, or it isn't known
  uint32_t age;      // launches of the kernel since then
  uint64_t known;    // ns that a launch took in earlier runs; 0: nobody knows
  uint32_t earlier;  // launches that were timed by then
  uint32_t measured; // times that were taken in this run
  lin_first first;   // of earlier runs, and of this one
} lin_contender;

typedef struct lin_trial {
  uint32_t versions, best;
  bool is_decided;     // nothing is tried or timed any more
  bool is_rotating;    // every version has its turn
  bool is_few;         // launches in every run before, and by now in this one
  uint32_t challenger; // that the first of these takes, or LIN_NO_VERSION
  uint32_t number;     // of the newest launch that was asked for, from 1
  uint32_t from;       // launches before the best one was that
  uint32_t phase;      // how often all was forgotten
  uint32_t launches;   // in this phase, whose time isn't in the ledger yet
  uint64_t cold;       // the time of the very first launch
  uint64_t usual;      // the best one's when it became that, or a little later; 0: not known
  uint32_t hurry;      // launches to be timed one after the other: the time may have changed
  uint32_t lost;       // times in a row
  bool is_told;        // the last launch was timed
  // A version that is tried, so many times, which aren't known yet; or LIN_NO_VERSION.
  uint32_t pending, in_flight, asked; // asked so often while it was
  uint64_t reserved;
  uint64_t ran;   // what launches took, in all phases
  uint64_t floor; // launches that take less are of another kind, and tell nothing; 0: one kind
  uint32_t below; // such launches in a row
  uint32_t shorts, longs; // launches of both kinds
  uint64_t heard;         // times, of any version
  // Who is in a duel with the best version, with the times of both; or LIN_NO_VERSION.
  uint32_t rival;
  uint32_t turns; // that both had
  lin_times rivals, bests;
  lin_contender version[LIN_VERSIONS_MOST]; // [versions]; memory for more needn't be there
} lin_trial;

typedef struct lin_turn {
  uint32_t version; // to be launched
  bool is_timed;    // then lin_trial_took or lin_trial_lost is to be called, some time
  bool is_try;      // it isn't the best one
  uint32_t quiet;   // so many launches after this one take trial->best, and nobody is asked
  uint32_t phase;   // the trial's
  bool is_of_duel;
  uint64_t reserved; // of the ledger
  uint32_t number;   // of the launch in this run
  bool is_of_few;
} lin_turn;

// Bytes of a trial of so many versions, the plain one too, at most LIN_VERSIONS_MOST. O(1).
size_t lin_trial_size(uint32_t versions);

// Begins a trial: version 0 is the plain one. O(versions).
void lin_trial_begin(lin_trial *trial, uint32_t versions);

// Version `best` it is, and nothing is tried. O(1).
void lin_trial_decide(lin_trial *trial, uint32_t best);

// Earlier runs timed so many launches of the version, at `time` ns; its first launches are known,
// too. Behind lin_trial_begin. O(1).
void lin_trial_remember(lin_trial *trial, uint32_t version, uint64_t time, uint32_t launches,
                        const lin_first *first);

// Begins with version `best`, and with what was remembered. Of a shape of few launches, by one
// version a run. Before the first launch. O(versions * LIN_FIRST).
void lin_trial_resume(lin_trial *trial, lin_ledger *ledger, uint32_t best, bool is_few);

// Whether the ledger has that much for trying, in ns. O(1).
bool lin_ledger_allows(const lin_ledger *ledger, uint64_t cost);

// What a launch of the best version takes, alone on the GPU; 0: nobody knows. ns. O(LIN_TIMES^2).
uint64_t lin_trial_usual(const lin_trial *trial);

// The version needs something that is made before a launch. Before the first launch. O(1).
void lin_trial_is_made_for(lin_trial *trial, uint32_t version);

// Every version in its turn, all of them timed, but for those that are 2.5 times as slow as the
// plain one, or slower: to find out how long each takes, whatever that costs. Rounds are in an
// order of their own each, so that work that recurs falls to all versions; the first one begins
// with number `first`, modulo the versions. The very first time doesn't count where there are
// others. O(1).
void lin_trial_rotate(lin_trial *trial, uint32_t first);

// The times of a version that may be compared with those of others: all that are kept, or, where
// the launches of a rotation are of two kinds, those of the long kind. O(LIN_TIMES^2).
lin_times lin_trial_times(const lin_trial *trial, uint32_t version);

// The trial goes on for one that had the plain version alone, of the same shape: launches are
// counted on, with those since somebody asked last, and the plain one's times are known. Behind
// lin_trial_resume, before the first launch. O(1).
void lin_trial_follow(lin_trial *trial, const lin_trial *before, uint32_t launches);

// What all launches took, by their mean time as far as that is known, or by the first one's. ns.
// O(LIN_TIMES).
uint64_t lin_trial_time(const lin_trial *trial);

// What the launches of the best version took less than the plain one would have taken, by what a
// launch of both takes; 0: the plain one is the best, or its time isn't known. ns; below 0: more.
// O(LIN_FIRST).
int64_t lin_trial_saved(const lin_trial *trial);

// The version can't be launched: it never will be again. Not for the plain one. If it was the best
// one, the plain one is. O(versions).
void lin_trial_ban(lin_trial *trial, lin_ledger *ledger, uint32_t version);

// Of a shape of few launches: the version of the launch that is asked for. O(LIN_FIRST).
uint32_t lin_trial_of_few(const lin_trial *trial);

// What to launch now. `launches`: how many there were since the last question, this one included.
// O(versions + LIN_TIMES).
lin_turn lin_trial_next(lin_trial *trial, lin_ledger *ledger, uint32_t launches);

// A timed launch took so many nanoseconds: with its part of what was made for it. `once`: all of
// that, if it was made for this launch; else 0. O(versions + LIN_TIMES^2).
void lin_trial_took(lin_trial *trial, lin_ledger *ledger, lin_turn turn, uint64_t time,
                    uint64_t once);

// How long the launch took can't be told from what else was under way. O(1).
void lin_trial_disturbed(lin_trial *trial, lin_ledger *ledger, lin_turn turn);

// Nobody will know how long it took. After 64 of these in a row nothing is tried or timed any more.
// O(1).
void lin_trial_lost(lin_trial *trial, lin_ledger *ledger, lin_turn turn);

#endif
