// What the public linearize_profile is.
#ifndef LIN_IR_PROFILE_H
#define LIN_IR_PROFILE_H

#include "linearize/linearize.h"
#include "linearize/profile.h"

struct linearize_profile {
  lin_arena arena;
  const lin_profile *blocks;
};

#endif
