#include "queue.h"

bool lin_queue_new(lin_queue *queue, lin_memory *memory, uint32_t num_groups) {
  queue->count = 0;
  queue->heap = LIN_HAVE(memory, uint32_t, num_groups);
  queue->place = LIN_HAVE(memory, uint32_t, num_groups);
  queue->rank = LIN_HAVE(memory, lin_rank, num_groups);
  return !memory->is_out;
}

static bool goes_before(const lin_queue *queue, uint32_t a, uint32_t b) {
  const lin_rank *left = &queue->rank[a], *right = &queue->rank[b];
  if (left->gain != right->gain)
    return left->gain > right->gain;
  if (left->is_limit != right->is_limit)
    return left->is_limit;
  if (left->first != right->first)
    return left->first < right->first;
  return left->second < right->second;
}

static void stand(lin_queue *queue, uint32_t group, uint32_t at) {
  queue->heap[at] = group;
  queue->place[group] = at + 1;
}

// Brings a group to its place, from `at`, where there is a gap.
static void settle(lin_queue *queue, uint32_t group, uint32_t at) {
  while (at > 0 && goes_before(queue, group, queue->heap[(at - 1) / 2])) {
    stand(queue, queue->heap[(at - 1) / 2], at);
    at = (at - 1) / 2;
  }
  for (uint64_t child; (child = 2 * (uint64_t)at + 1) < queue->count;) {
    if (child + 1 < queue->count && goes_before(queue, queue->heap[child + 1], queue->heap[child]))
      child++;
    if (!goes_before(queue, queue->heap[child], group))
      break;
    stand(queue, queue->heap[child], at);
    at = (uint32_t)child;
  }
  stand(queue, group, at);
}

void lin_queue_put(lin_queue *queue, uint32_t group, lin_rank rank) {
  queue->rank[group] = rank;
  settle(queue, group, queue->place[group] > 0 ? queue->place[group] - 1 : queue->count++);
}

void lin_queue_remove(lin_queue *queue, uint32_t group) {
  uint32_t at = queue->place[group] - 1;
  uint32_t last = queue->heap[--queue->count];
  queue->place[group] = 0;
  if (last != group)
    settle(queue, last, at);
}
