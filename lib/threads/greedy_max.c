// Greedy-Max, the paper's Algorithm 2: each group begins with the thread that takes longest of
// those left, and takes in the one that gains most with it until it is full, first of all those of
// equal vectors. So the groups that take longest come first, and no thread block that takes long
// begins late.
//
// A class is taken as a whole as far as there is room. Candidates stand in a list, the longest
// first: no thread there takes longer than the first of the group, so that the gain of what comes
// is at most that of a group that differs in nothing but how long it takes, and the search ends
// where that is less than the best so far; at the latest after as many as lin_candidates says.
//
//     group   90 88          limit = 2 * (the least of both) - 90
//     list    87 86 70 66    gain  81  -   -      limits  84 82 50: ends at 70
#include "points.h"
#include "queue.h"
#include "regroup.h"
#include "spans.h"

#include <string.h>

typedef struct greedy_max {
  const lin_problem *problem;
  lin_points points;
  lin_spans spans;         // of each class, and last the group's
  lin_queue queue;         // of classes, the longest first
  uint32_t *begin;         // [classes] the first thread that is left
  uint32_t *next, *before; // [classes and 1] the list; the last is both ends
  size_t candidates;
  uint32_t *order; // what comes next of it
} greedy_max;

static uint32_t left_of(const greedy_max *g, uint32_t c) {
  return g->points.classes.begin[c + 1] - g->begin[c];
}

static uint32_t first_thread(const greedy_max *g, uint32_t c) {
  return g->points.classes.thread[g->begin[c]];
}

static void put_into_queue(greedy_max *g, uint32_t c) {
  lin_rank rank = {g->points.latency[c], false, first_thread(g, c), 0};
  lin_queue_put(&g->queue, c, rank);
}

// Takes threads of a class, at most `room`, and returns how many.
static uint32_t take(greedy_max *g, uint32_t c, uint32_t room) {
  uint32_t left = left_of(g, c), some = left < room ? left : room;
  memcpy(g->order, g->points.classes.thread + g->begin[c], some * sizeof *g->order);
  g->order += some;
  g->begin[c] += some;
  if (some < left) {
    put_into_queue(g, c);
  } else {
    lin_queue_remove(&g->queue, c);
    g->next[g->before[c]] = g->next[c];
    g->before[g->next[c]] = g->before[c];
  }
  return some;
}

// The class that gains most with the group; there is one.
static uint32_t find_best(const greedy_max *g, uint32_t group) {
  uint32_t end = g->points.classes.count, best = g->next[end];
  double gain = lin_spans_gain(&g->spans, group, best);
  size_t left = g->candidates - 1;
  for (uint32_t c = g->next[best]; c != end && left > 0; c = g->next[c], left--) {
    if (lin_spans_limit(&g->spans, group, c) < gain)
      break;
    double other = lin_spans_gain(&g->spans, group, c);
    if (other > gain || (other == gain && first_thread(g, c) < first_thread(g, best))) {
      gain = other;
      best = c;
    }
  }
  return best;
}

static bool begin(greedy_max *g, lin_memory *memory) {
  if (!lin_points_find(&g->points, memory, &g->problem->vectors, g->problem->latency))
    return false;
  uint32_t count = g->points.classes.count;
  // Each class looks for others once, where Greedy's do so some four times.
  g->candidates = 4 * lin_candidates(g->problem, count);
  g->begin = LIN_HAVE(memory, uint32_t, count);
  g->next = LIN_HAVE(memory, uint32_t, count + (size_t)1);
  g->before = LIN_HAVE(memory, uint32_t, count + (size_t)1);
  uint32_t *rank = LIN_HAVE(memory, uint32_t, count), *other = LIN_HAVE(memory, uint32_t, count);
  if (!lin_spans_new(&g->spans, memory, count + 1, g->points.num_axes) ||
      !lin_queue_new(&g->queue, memory, count))
    return false;
  lin_points_rank(&g->points, rank, other);
  uint32_t last = count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t c = rank[i];
    g->begin[c] = g->points.classes.begin[c];
    lin_spans_set(&g->spans, c, lin_point(&g->points, c));
    put_into_queue(g, c);
    g->next[last] = c;
    g->before[c] = last;
    last = c;
  }
  g->next[last] = count;
  g->before[count] = last;
  return true;
}

bool lin_greedy_max(const lin_problem *problem, lin_memory *memory, uint32_t *order) {
  greedy_max g = {.problem = problem, .order = order};
  if (!begin(&g, memory))
    return false;
  uint32_t group = g.points.classes.count;
  while (g.queue.count > 0) {
    uint32_t longest = g.queue.heap[0];
    lin_spans_set(&g.spans, group, lin_point(&g.points, longest));
    uint32_t size = take(&g, longest, problem->group);
    while (size < problem->group && g.queue.count > 0) {
      uint32_t c = find_best(&g, group);
      lin_spans_add(&g.spans, group, lin_point(&g.points, c));
      size += take(&g, c, problem->group - size);
    }
  }
  return true;
}
