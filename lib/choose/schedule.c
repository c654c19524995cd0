// The arms are taken to be run by one warp, and to begin with nothing under way. With some cuts
// given, one walk along the turns says how long it all takes: a wait that ends before the other arm
// has done its piece costs nothing. Which arm the warp runs first in a turn is the GPU's choice, so
// what counts is the worst one.
#include "schedule.h"

static uint64_t wait_after(const lin_row *row, uint32_t piece, const lin_setting *setting) {
  uint64_t wait = row->piece[piece].wait;
  return wait > setting->hidden ? wait - setting->hidden : 0;
}

// Cycles of the pieces from `first` to `last`, with the waits between them.
static uint64_t cycles(const lin_row *row, uint32_t first, uint32_t last,
                       const lin_setting *setting) {
  uint64_t sum = row->piece[first].work;
  for (uint32_t i = first; i < last; i++)
    sum += wait_after(row, i, setting) + row->piece[i + 1].work;
  return sum;
}

// Bit `turn` of `order` says which arm is first in it.
static uint64_t cycles_in_order(const lin_row row[2], const lin_cuts *turns,
                                const lin_setting *setting, uint32_t order) {
  uint64_t now = 0, ready[2] = {0, 0};
  for (uint32_t turn = 0; turn <= turns->num_cuts; turn++)
    for (uint32_t i = 0; i < 2; i++) {
      uint32_t arm = (order >> turn & 1) ^ i;
      bool ends = turn == turns->num_cuts;
      uint32_t first = turn == 0 ? 0 : turns->after[arm][turn - 1] + 1;
      uint32_t last = ends ? row[arm].count - 1 : turns->after[arm][turn];
      if (now < ready[arm])
        now = ready[arm];
      now += cycles(&row[arm], first, last, setting);
      ready[arm] = ends ? now : now + wait_after(&row[arm], last, setting);
    }
  return now + (uint64_t)setting->parting * turns->num_cuts;
}

static uint64_t cycles_in_turns(const lin_row row[2], const lin_cuts *turns,
                                const lin_setting *setting) {
  uint64_t most = 0;
  for (uint32_t order = 0; order < 2u << turns->num_cuts; order++) {
    uint64_t taken = cycles_in_order(row, turns, setting, order);
    most = taken > most ? taken : most;
  }
  return most;
}

// While one arm runs, the other one keeps what is live at its cuts.
static bool fits(const lin_row row[2], const lin_cuts *turns, const lin_setting *setting) {
  for (uint32_t arm = 0; arm < 2; arm++)
    for (uint32_t i = 0; i < turns->num_cuts; i++)
      if (row[arm].piece[turns->after[arm][i]].live + row[1 - arm].registers > setting->registers)
        return false;
  return true;
}

// Goes on to the next choice of `count` of the first `pieces` - 1 pieces, in ascending order.
static bool next_choice(uint32_t *choice, uint32_t count, uint32_t pieces) {
  for (uint32_t i = count; i-- > 0;) {
    if (choice[i] + (count - i) >= pieces - 1)
      continue;
    choice[i]++;
    for (uint32_t j = i + 1; j < count; j++)
      choice[j] = choice[j - 1] + 1;
    return true;
  }
  return false;
}

static void first_choice(uint32_t *choice, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    choice[i] = i;
}

bool lin_schedule(const lin_row row[2], const lin_setting *setting, lin_cuts *turns) {
  bool found = false;
  uint64_t serial =
      cycles(&row[0], 0, row[0].count - 1, setting) + cycles(&row[1], 0, row[1].count - 1, setting);
  for (uint32_t cuts = 1; cuts <= LIN_MOST_CUTS; cuts++) {
    if (cuts >= row[0].count || cuts >= row[1].count)
      break;
    lin_cuts tried = {.num_cuts = cuts};
    first_choice(tried.after[0], cuts);
    do {
      first_choice(tried.after[1], cuts);
      do {
        tried.gain = (int64_t)serial - (int64_t)cycles_in_turns(row, &tried, setting);
        if (!fits(row, &tried, setting) || (found && tried.gain <= turns->gain))
          continue;
        *turns = tried;
        found = true;
      } while (next_choice(tried.after[1], cuts, row[1].count));
    } while (next_choice(tried.after[0], cuts, row[0].count));
  }
  return found;
}
