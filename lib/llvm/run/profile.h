// What the public linearize_profile is.
#ifndef LIN_LLVM_RUN_PROFILE_H
#define LIN_LLVM_RUN_PROFILE_H

#include "choose/profile.h"
#include "linearize/linearize.h"

struct linearize_profile {
  lin_arena arena;
  const lin_profile *blocks;
};

#endif
