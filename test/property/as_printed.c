#include "as_printed.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void *have(size_t count, size_t size) {
  void *result = calloc(count + 1, size);
  if (result == NULL)
    abort();
  return result;
}

static double bbv(const printed *p, size_t thread, size_t b) {
  return p->vectors[thread * p->num_blocks + b];
}

// ---- metrics

static double thread_block_latency(const printed *p, const uint32_t *order, size_t begin,
                                   size_t end) {
  double result = 0;
  for (size_t warp = begin; warp < end; warp += 32)
    for (size_t b = 0; b < p->num_blocks; b++) {
      double most = 0;
      for (size_t i = warp; i < warp + 32 && i < end; i++)
        most = fmax(most, bbv(p, order == NULL ? i : order[i], b));
      result += p->latency[b] * most;
    }
  return result;
}

static size_t end_of(const printed *p, size_t begin, size_t threads_per_block) {
  return p->num_threads - begin < threads_per_block ? p->num_threads : begin + threads_per_block;
}

double printed_weighted(const printed *p, const uint32_t *order, size_t threads_per_block,
                        unsigned num_sms) {
  double total = 0;
  for (size_t begin = 0, end; begin < p->num_threads; begin = end) {
    end = end_of(p, begin, threads_per_block);
    total += thread_block_latency(p, order, begin, end);
  }
  return total / num_sms;
}

double printed_scheduled(const printed *p, const uint32_t *order, size_t threads_per_block,
                         unsigned slots) {
  double *free_at = have(slots, sizeof *free_at), last = 0;
  for (size_t begin = 0, end; begin < p->num_threads; begin = end) {
    end = end_of(p, begin, threads_per_block);
    unsigned slot = 0;
    for (unsigned other = 1; other < slots; other++)
      if (free_at[other] < free_at[slot])
        slot = other;
    free_at[slot] += thread_block_latency(p, order, begin, end);
    last = fmax(last, free_at[slot]);
  }
  free(free_at);
  return last;
}

// ---- Algorithm 1

typedef struct group {
  uint32_t *thread; // [size], room for twice the group size
  size_t size;
  double *least, *most; // [num_blocks] (6), (7)
} group;

static void measure(const printed *p, group *g) {
  for (size_t b = 0; b < p->num_blocks; b++) {
    g->least[b] = INFINITY, g->most[b] = 0;
    for (size_t i = 0; i < g->size; i++) {
      g->least[b] = fmin(g->least[b], bbv(p, g->thread[i], b));
      g->most[b] = fmax(g->most[b], bbv(p, g->thread[i], b));
    }
  }
}

// (8) to (10).
static double gain(const printed *p, const group *g1, const group *g2) {
  double benefit = 0, cost = 0;
  for (size_t b = 0; b < p->num_blocks; b++) {
    double least = fmin(g1->least[b], g2->least[b]), most = fmax(g1->most[b], g2->most[b]);
    benefit += p->latency[b] * least;
    cost += p->latency[b] * (most - least);
  }
  return benefit - cost;
}

static group new_group(const printed *p, size_t room) {
  return (group){have(room, sizeof(uint32_t)), 0, have(p->num_blocks, sizeof(double)),
                 have(p->num_blocks, sizeof(double))};
}

static void free_group(group *g) {
  free(g->thread);
  free(g->least);
  free(g->most);
}

// Whether edge a-b is the one to take instead of c-d, of the same gain: by their first threads.
static bool comes_first(const group *a, const group *b, const group *c, const group *d) {
  uint32_t left = a->thread[0] < b->thread[0] ? a->thread[0] : b->thread[0];
  uint32_t left2 = a->thread[0] < b->thread[0] ? b->thread[0] : a->thread[0];
  uint32_t right = c->thread[0] < d->thread[0] ? c->thread[0] : d->thread[0];
  uint32_t right2 = c->thread[0] < d->thread[0] ? d->thread[0] : c->thread[0];
  return left != right ? left < right : left2 < right2;
}

static int by_number(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

void printed_greedy(const printed *p, size_t group_size, uint32_t *order) {
  size_t n = p->num_threads, num_groups = (n + group_size - 1) / group_size, groups = 0, out = 0;
  group *g = have(n, sizeof *g);            // G, those of size 0 are not in it
  double *edge = have(n * n, sizeof *edge); // E
  for (size_t i = 0; i < n; i++) {
    g[i] = new_group(p, 2 * group_size);
    g[i].thread[g[i].size++] = (uint32_t)i;
    measure(p, &g[i]);
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      edge[i * n + j] = edge[j * n + i] = gain(p, &g[i], &g[j]);
  while (groups + 1 < num_groups) {
    size_t m = n, k = n;
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; g[i].size > 0 && j < i; j++)
        if (g[j].size > 0 &&
            (m == n || edge[i * n + j] > edge[m * n + k] ||
             (edge[i * n + j] == edge[m * n + k] && comes_first(&g[i], &g[j], &g[m], &g[k]))))
          m = i, k = j;
    if (g[k].thread[0] < g[m].thread[0]) {
      size_t other = m;
      m = k;
      k = other;
    }
    // Function: Merge
    memcpy(g[m].thread + g[m].size, g[k].thread, g[k].size * sizeof *g[k].thread);
    g[m].size += g[k].size;
    g[k].size = 0;
    if (g[m].size >= group_size) {
      memcpy(order + out, g[m].thread, group_size * sizeof *order);
      out += group_size;
      g[m].size -= group_size;
      memmove(g[m].thread, g[m].thread + group_size, g[m].size * sizeof *order);
      groups++;
    }
    measure(p, &g[m]);
    for (size_t i = 0; i < n; i++)
      if (i != m && g[i].size > 0)
        edge[i * n + m] = edge[m * n + i] = gain(p, &g[i], &g[m]);
  }
  size_t begin = out;
  for (size_t i = 0; i < n; i++) {
    memcpy(order + out, g[i].thread, g[i].size * sizeof *order);
    out += g[i].size;
    free_group(&g[i]);
  }
  qsort(order + begin, out - begin, sizeof *order, by_number);
  free(g);
  free(edge);
}

// ---- Algorithm 2

// In what costs anything.
static bool match(const printed *p, size_t one, size_t other) {
  for (size_t b = 0; b < p->num_blocks; b++)
    if (p->latency[b] > 0 && bbv(p, one, b) != bbv(p, other, b))
      return false;
  return true;
}

void printed_greedy_max(const printed *p, size_t group_size, uint32_t *order) {
  size_t n = p->num_threads, out = 0;
  bool *taken = have(n, sizeof *taken); // not in T
  group g = new_group(p, group_size), one = new_group(p, 1);
  one.size = 1;
  while (out < n) {
    double longest = -1;
    size_t t = n;
    for (size_t i = 0; i < n; i++) {
      double latency = 0; // (11)
      for (size_t b = 0; b < p->num_blocks; b++)
        latency += p->latency[b] * bbv(p, i, b);
      if (!taken[i] && latency > longest)
        longest = latency, t = i;
    }
    taken[t] = true;
    g.size = 0;
    g.thread[g.size++] = (uint32_t)t;
    while (g.size < group_size && out + g.size < n) {
      double max_gain = -INFINITY;
      bool identical = false;
      size_t max_t = n;
      measure(p, &g);
      for (size_t i = 0; i < n && !identical; i++) {
        if (taken[i])
          continue;
        for (size_t j = 0; j < g.size; j++)
          identical = identical || match(p, i, g.thread[j]);
        if (identical) {
          max_t = i;
        } else {
          one.thread[0] = (uint32_t)i;
          measure(p, &one);
          double cur_gain = gain(p, &g, &one);
          if (cur_gain > max_gain)
            max_gain = cur_gain, max_t = i;
        }
      }
      g.thread[g.size++] = (uint32_t)max_t;
      taken[max_t] = true;
    }
    memcpy(order + out, g.thread, g.size * sizeof *order);
    out += g.size;
  }
  free_group(&g);
  free_group(&one);
  free(taken);
}
