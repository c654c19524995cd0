// Greedy, the paper's Algorithm 1: of all pairs of groups those two are merged that gain most,
// until the threads are in groups of the size wanted. As printed it looks at all pairs of threads.
// Here:
//
// 1. Threads of equal vectors gain more with each other than with others, so that they come
//    together first: a class is one group from the start, which is cut into full ones when its turn
//    comes, that is, when no pair gains more than its threads among themselves.
//
//        class of 75 threads:  [32] [32] 11       what is left over is merged with others
//
// 2. A pair gains at most what either group gains with itself, so that short ones needn't look for
//    others as long as there are longer ones. The queue has for each group the gain with the best
//    other one, as far as it has looked for it, else a limit.
//
//        90 <= limit       looks for its best: gains 71 with c
//        85    with b      merged: all that had one of them for their best have a limit again
//        80 <= limit
//
//    Who looks for another finds all groups of that time. A group that comes later looks itself.
// 3. It looks at groups that take nearly as long as itself first (shelves.h), down and up, and
//    stops where no other can gain more than the best so far; at the latest after as many as
//    lin_candidates says.
#include "points.h"
#include "queue.h"
#include "regroup.h"
#include "shelves.h"
#include "spans.h"

#include <math.h>
#include <string.h>

// A group is a list of runs of threads, each of a class: the threads of the class from `begin` on
// that are in no full group yet. A class is in one group only, so runs have the class's number.
//
//     group    first ──▶ run ──next──▶ run ◀── last
//                         └ thread[begin...], `left` of them
typedef struct group {
  uint32_t first, last; // runs
  uint32_t size;        // threads
  bool is_class;        // a class whose turn hasn't come: of two threads or more
  uint32_t age;         // counts what has become of it: who knows it by another age doesn't know it
  uint32_t partner, partner_age; // the best one found
} group;

typedef struct greedy {
  const lin_problem *problem;
  lin_points points;
  lin_spans spans;
  lin_queue queue;
  lin_shelves shelves;
  size_t candidates;
  group *group;                  // [classes]
  uint32_t *begin, *left, *next; // [classes] of runs
  uint32_t *order;               // what comes next of it
} greedy;

static uint32_t first_thread(const greedy *g, uint32_t which) {
  return g->points.classes.thread[g->begin[g->group[which].first]];
}

// ---- looking for the best other group

static lin_rank rank_of_pair(const greedy *g, double gain, uint32_t a, uint32_t b) {
  uint32_t one = first_thread(g, a), other = first_thread(g, b);
  return (lin_rank){gain, false, one < other ? one : other, one < other ? other : one};
}

static double double_min(double a, double b) { return a < b ? a : b; }
static double double_max(double a, double b) { return a > b ? a : b; }

// What a group gains at most with those on a shelf and beyond.
static double limit_down(const greedy *g, uint32_t which, uint32_t shelf) {
  double above = shelf == 0 ? INFINITY : g->shelves.floor[shelf - 1];
  return 2 * double_min(g->spans.least[which], above) - g->spans.most[which];
}

static double limit_up(const greedy *g, uint32_t which, uint32_t shelf) {
  return 2 * g->spans.least[which] - double_max(g->spans.most[which], g->shelves.floor[shelf]);
}

typedef struct best {
  double gain;
  uint32_t partner;
  size_t left; // candidates to look at
} best;

static void look_on_shelf(const greedy *g, uint32_t which, uint32_t shelf, best *b) {
  for (uint32_t other = g->shelves.first[shelf]; other != LIN_NO_GROUP && b->left > 0;
       other = g->shelves.next[other]) {
    if (other == which)
      continue;
    b->left--;
    if (b->partner != LIN_NO_GROUP && lin_spans_limit(&g->spans, which, other) < b->gain)
      continue;
    double gain = lin_spans_gain(&g->spans, which, other);
    if (b->partner == LIN_NO_GROUP || gain > b->gain ||
        (gain == b->gain && first_thread(g, other) < first_thread(g, b->partner))) {
      b->gain = gain;
      b->partner = other;
    }
  }
}

// Ranks a group by the best partner for it. False if it is the only one left.
static bool find_partner(greedy *g, uint32_t which) {
  best b = {-INFINITY, LIN_NO_GROUP, g->candidates};
  uint32_t down = g->shelves.shelf[which], up = lin_shelves_up(&g->shelves, down);
  while (b.left > 0 && (down != LIN_NO_SHELF || up != LIN_NO_SHELF)) {
    double below = down != LIN_NO_SHELF ? limit_down(g, which, down) : -INFINITY;
    double above = up != LIN_NO_SHELF ? limit_up(g, which, up) : -INFINITY;
    if (b.partner != LIN_NO_GROUP && double_max(below, above) < b.gain)
      break;
    if (up == LIN_NO_SHELF || (down != LIN_NO_SHELF && below >= above)) {
      look_on_shelf(g, which, down, &b);
      down = lin_shelves_down(&g->shelves, down);
    } else {
      look_on_shelf(g, which, up, &b);
      up = lin_shelves_up(&g->shelves, up);
    }
  }
  if (b.partner == LIN_NO_GROUP)
    return false;
  g->group[which].partner = b.partner;
  g->group[which].partner_age = g->group[b.partner].age;
  lin_queue_put(&g->queue, which, rank_of_pair(g, b.gain, which, b.partner));
  return true;
}

// ---- groups

static void forget(greedy *g, uint32_t which) {
  g->group[which].age++;
  lin_shelves_remove(&g->shelves, which);
  lin_queue_remove(&g->queue, which);
}

// The group's rank, of which no pair is known: what it gains with itself.
static void rank_by_limit(greedy *g, uint32_t which) {
  lin_rank rank = {2 * g->spans.least[which] - g->spans.most[which], true, 0, 0};
  if (g->group[which].is_class) {
    const uint32_t *thread = g->points.classes.thread + g->begin[which];
    rank = (lin_rank){rank.gain, false, thread[0], thread[1]};
  }
  lin_queue_put(&g->queue, which, rank);
}

// The next `count` threads of a group go into the order.
static void place_threads(greedy *g, uint32_t which, uint32_t count) {
  group *from = &g->group[which];
  from->size -= count;
  while (count > 0) {
    uint32_t run = from->first, some = g->left[run] < count ? g->left[run] : count;
    memcpy(g->order, g->points.classes.thread + g->begin[run], some * sizeof *g->order);
    g->order += some;
    g->begin[run] += some;
    g->left[run] -= some;
    count -= some;
    if (g->left[run] == 0 && run != from->last)
      from->first = g->next[run];
  }
}

// Threads of a class among themselves: a full group of them, or all that are left are one group.
static void take_turn(greedy *g, uint32_t which) {
  group *of = &g->group[which];
  if (of->size >= g->problem->group)
    place_threads(g, which, g->problem->group);
  else
    of->is_class = false;
  if (of->size < 2)
    of->is_class = false;
  if (!of->is_class)
    of->age++; // its first thread is another than who knows it thinks
  if (of->size == 0)
    forget(g, which);
  else
    rank_by_limit(g, which);
}

static void measure(greedy *g, uint32_t which) {
  const group *of = &g->group[which];
  lin_spans_set(&g->spans, which, lin_point(&g->points, of->first));
  for (uint32_t run = of->first; run != of->last;) {
    run = g->next[run];
    lin_spans_add(&g->spans, which, lin_point(&g->points, run));
  }
}

// Merge: `into` gets the threads of `other` behind its own. If that is a full group or more, the
// first of them are one, and the rest stays.
static void merge(greedy *g, uint32_t into, uint32_t other) {
  group *of = &g->group[into];
  uint32_t near = g->shelves.shelf[into] > g->shelves.shelf[other] ? g->shelves.shelf[into]
                                                                   : g->shelves.shelf[other];
  forget(g, into);
  forget(g, other);
  g->next[of->last] = g->group[other].first;
  of->last = g->group[other].last;
  of->size += g->group[other].size;
  lin_spans_unite(&g->spans, into, other);
  if (of->size >= g->problem->group) {
    place_threads(g, into, g->problem->group);
    if (of->size == 0)
      return;
    measure(g, into);
  }
  lin_shelves_put(&g->shelves, into, lin_shelves_for(&g->shelves, g->spans.least[into], near));
  rank_by_limit(g, into);
}

// ---- the algorithm

static bool begin(greedy *g, lin_memory *memory) {
  if (!lin_points_find(&g->points, memory, &g->problem->vectors, g->problem->latency))
    return false;
  const lin_classes *classes = &g->points.classes;
  uint32_t count = classes->count;
  g->candidates = lin_candidates(g->problem, count);
  g->group = LIN_HAVE(memory, group, count);
  g->begin = LIN_HAVE(memory, uint32_t, count);
  g->left = LIN_HAVE(memory, uint32_t, count);
  g->next = LIN_HAVE(memory, uint32_t, count);
  uint32_t *rank = LIN_HAVE(memory, uint32_t, count), *other = LIN_HAVE(memory, uint32_t, count);
  if (!lin_spans_new(&g->spans, memory, count, g->points.num_axes) ||
      !lin_queue_new(&g->queue, memory, count) ||
      !lin_shelves_new(&g->shelves, memory, count + 1, count))
    return false;
  lin_points_rank(&g->points, rank, other);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t c = rank[i], size = classes->begin[c + 1] - classes->begin[c];
    g->group[c] = (group){.first = c, .last = c, .size = size, .is_class = size >= 2};
    g->begin[c] = classes->begin[c];
    g->left[c] = size;
    lin_spans_set(&g->spans, c, lin_point(&g->points, c));
    g->shelves.floor[i] = g->spans.least[c];
    lin_shelves_put(&g->shelves, c, i);
    rank_by_limit(g, c);
  }
  return true;
}

bool lin_greedy(const lin_problem *problem, lin_memory *memory, uint32_t *order) {
  greedy g = {.problem = problem, .order = order};
  if (!begin(&g, memory))
    return false;
  while (g.queue.count > 0) {
    uint32_t which = g.queue.heap[0];
    const group *of = &g.group[which];
    if (of->is_class) {
      take_turn(&g, which);
    } else if (g.queue.rank[which].is_limit || of->partner_age != g.group[of->partner].age) {
      if (!find_partner(&g, which)) { // the last group, which may be smaller
        place_threads(&g, which, of->size);
        forget(&g, which);
      }
    } else if (g.group[of->partner].is_class) {
      take_turn(&g, of->partner); // only where rounding has made the same of what isn't
    } else if (first_thread(&g, which) < first_thread(&g, of->partner)) {
      merge(&g, which, of->partner);
    } else {
      merge(&g, of->partner, which);
    }
  }
  return true;
}
