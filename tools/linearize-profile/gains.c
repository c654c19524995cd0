#include "gains.h"

#include <math.h>

const char *const profile_version_names[PROFILE_NUM_VERSIONS] = {
    "linearizing", "merging loops", "melding arms", "refilling", "regrouping", "redirecting"};

static double cost_of(const profile_estimate *e, profile_kind kind, bool inner_alone) {
  double cost = 0;
  for (uint32_t i = 0; i < e->causes.count; i++) {
    const profile_cause *c = &e->causes.cause[i];
    cost += c->kind == kind && (c->is_inner || !inner_alone) ? c->cost : 0;
  }
  return cost;
}

double profile_bound_of(const profile_estimate *e, int version) {
  const double early = cost_of(e, PROFILE_TRIPS, false) + cost_of(e, PROFILE_RETURNS, false);
  switch (version) {
  case PROFILE_LINEARIZED:
    return e->has_passes ? cost_of(e, PROFILE_AGAIN, false) : e->now - e->none;
  case PROFILE_MERGED:
    return cost_of(e, PROFILE_TRIPS, true);
  case PROFILE_MELDED:
    return cost_of(e, PROFILE_ARMS, false);
  case PROFILE_REFILLED:
    return early;
  default:
    return early + cost_of(e, PROFILE_ARMS, false);
  }
}

// Of the counts alone.
static profile_version find(const profile_estimate *e, int version) {
  static const char *const without[PROFILE_NUM_VERSIONS] = {
      "no warp runs code twice",
      "no loop in a loop has trip counts that differ",
      "no arms of a branch take turns",
      "no thread is done before others of its warp",
      "threads do the same",
      "threads do the same"};
  const double refilled = e->cycles[PROFILE_REFILLING];
  const bool is_refilled = version == PROFILE_REFILLED;
  profile_version v = {.gain = is_refilled ? e->now - refilled : NAN,
                       .bound = profile_bound_of(e, version)};
  if (v.bound <= 0)
    v.reason = without[version];
  else if (is_refilled && isnan(refilled))
    v.reason = "no loop, or the kernel calls functions";
  else if (version >= PROFILE_REGROUPED || version == PROFILE_MELDED)
    v.reason = "the compiler wasn't asked";
  return v;
}

profile_version profile_version_of(const profile_estimate *e, int version) {
  const profile_decision *d = &e->decided[version];
  profile_version v = find(e, version);
  if (d->says != NULL) {
    v.gain = d->is_made ? d->saved : NAN;
    v.reason = d->is_made ? NULL : d->says;
  }
  if (v.reason == NULL && v.gain < 0)
    v.reason = d->says != NULL ? d->says : "to take the next item takes longer than it gains";
  if (!isnan(v.gain) && version != PROFILE_REFILLED) // whose bound is of another count
    v.gain = fmin(v.gain, v.bound);
  return v;
}
