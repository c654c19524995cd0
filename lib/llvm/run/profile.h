// What the public linearize_profile is.
#ifndef LIN_LLVM_RUN_PROFILE_H
#define LIN_LLVM_RUN_PROFILE_H

#include "choose/profile.h"
#include "linearize/linearize.h"
#include "threads/counts_file.h"

struct linearize_profile {
  lin_arena arena;
  const lin_profile *blocks;
  lin_memory memory;
  const lin_counts *counts; // NULL: it is no file of counts
};

#endif
