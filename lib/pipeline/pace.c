#include "pace.h"

enum {
  MOST_LATE = 16,    // in a row at the greatest depth: it will never be in time
  MOST_ARRIVED = 16, // in a row: what all of them were too early the depth is too large
  LEAST_TIMES = 6,   // of each kind, to be compared
  PLAIN_PERIOD = 32  // chunks, of which one runs as it is
};

void lin_pace_begin(lin_pace *pace, size_t chunks, uint32_t most_depth) {
  *pace = (lin_pace){.chunks = chunks, .depth = 1, .most_depth = most_depth};
}

static void set_depth(lin_pace *pace, uint32_t depth) {
  pace->depth = depth;
  pace->settled = pace->asked;
  pace->late = pace->arrived = 0;
}

// What is asked for at a greater depth leaves a chunk out, which couldn't be in time either.
static void deepen(lin_pace *pace) {
  if (pace->depth < pace->most_depth)
    set_depth(pace, pace->depth + 1);
  else if (++pace->late == MOST_LATE)
    pace->is_over = true;
}

static void arrive(lin_pace *pace, size_t before) {
  pace->late = 0;
  if (pace->arrived == 0 || before < pace->least_before)
    pace->least_before = before;
  if (++pace->arrived < MOST_ARRIVED)
    return;
  pace->arrived = 0;
  if (pace->least_before >= 2)
    set_depth(pace, pace->depth - (uint32_t)(pace->least_before - 1));
}

void lin_pace_turn(lin_pace *pace, size_t chunk, lin_arrival arrival, size_t before) {
  if (arrival == LIN_LATE)
    deepen(pace);
  else if (arrival == LIN_ARRIVED && chunk > pace->settled)
    arrive(pace, before);
}

// Only where somebody tells how long chunks take.
static bool is_to_be_compared(const lin_pace *pace, size_t chunk) {
  if (pace->plain.count + pace->remapped.count == 0)
    return false;
  return chunk % (pace->plain.count < LEAST_TIMES ? 2 : PLAIN_PERIOD) == 0;
}

size_t lin_pace_ask(lin_pace *pace, size_t chunk) {
  const size_t wanted = chunk + pace->depth;
  if (pace->is_over || wanted >= pace->chunks || wanted <= pace->asked)
    return SIZE_MAX;
  pace->asked = wanted;
  return is_to_be_compared(pace, wanted) ? SIZE_MAX : wanted;
}

// Where as many as are kept of both show no gain there is none worth the CPU's time.
void lin_pace_took(lin_pace *pace, bool was_remapped, uint64_t time) {
  lin_times_add(was_remapped ? &pace->remapped : &pace->plain, time);
  if (pace->plain.count < LEAST_TIMES || pace->remapped.count < LEAST_TIMES)
    return;
  const int order = lin_times_compare(&pace->remapped, &pace->plain);
  const bool are_many = pace->remapped.count >= LIN_TIMES;
  pace->is_over |= order > 0 || (order == 0 && are_many);
}
