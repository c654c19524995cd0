// What the driver is asked for, and what it knows of the function at hand.
#ifndef LIN_DRIVER_STATE_H
#define LIN_DRIVER_STATE_H

#include "counts/carried.h"
#include "front_end.h"

enum { LIN_MOST_MODES = 4 };

// What is asked for.
typedef struct lin_asked {
  lin_mode mode[LIN_MOST_MODES]; // [num_modes] one after the other
  uint32_t num_modes;
  int level;
  lin_policy policy;          // but for mode, divergence_known, many_registers
  const lin_profile *profile; // or NULL
} lin_asked;

// What is known while the list runs: passes and the front end read it.
struct lin_driver {
  lin_arena *arena;
  const lin_front_end *end;
  const lin_asked *asked;
  lin_code code;             // as it was read last
  lin_shape shape;           // of the code, once somebody has asked for it (driver.c)
  lin_options options;       // of the mode at hand
  lin_result result;         // of the code
  lin_carried_counts counts; // of the code
  const char *ignored;       // why the profile is, a clause; or NULL
  const uint32_t *names;     // of minimal regions, for those who know them as they were, or NULL
  bool over_budget;          // where its threads part is too dear to find out
  bool again;                // a round before has changed the function
};

// Whether the function at hand may be changed. O(1).
static inline bool lin_driver_may_change(const lin_driver *driver) {
  return driver->code.refused == NULL && !driver->code.is_unwanted;
}

#endif
