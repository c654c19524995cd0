#include "gains.h"

#include <math.h>

const char *const profile_version_names[PROFILE_NUM_VERSIONS] = {"linearizing", "merging loops",
                                                                 "refilling"};

static double cost_of(const profile_estimate *e, profile_kind kind, bool inner_alone) {
  double cost = 0;
  for (uint32_t i = 0; i < e->causes.count; i++) {
    const profile_cause *c = &e->causes.cause[i];
    cost += c->kind == kind && (c->is_inner || !inner_alone) ? c->cost : 0;
  }
  return cost;
}

static profile_version refilled(const profile_estimate *e) {
  const double cycles = e->cycles[PROFILE_REFILLING];
  profile_version v = {.gain = e->now - cycles};
  v.bound = cost_of(e, PROFILE_TRIPS, false) + cost_of(e, PROFILE_RETURNS, false);
  if (v.bound <= 0)
    v.reason = "no thread is done before others of its warp";
  else if (isnan(cycles))
    v.reason = "no loop, or the kernel calls functions";
  else if (cycles > e->now)
    v.reason = "to take the next item takes longer than it gains";
  return v;
}

profile_version profile_version_of(const profile_estimate *e, int version) {
  if (version == PROFILE_REFILLED)
    return refilled(e);
  profile_version v = {.gain = NAN};
  if (version == PROFILE_MERGED) {
    v.bound = cost_of(e, PROFILE_TRIPS, true);
    if (v.bound <= 0)
      v.reason = "no loop in a loop has trip counts that differ";
  } else {
    v.bound = e->has_passes ? cost_of(e, PROFILE_AGAIN, false) : e->now - e->none;
    if (v.bound <= 0)
      v.reason = "no warp runs code twice";
  }
  return v;
}
