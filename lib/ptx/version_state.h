// What is known while versions are made of a module's kernels.
#ifndef LIN_PTX_VERSION_STATE_H
#define LIN_PTX_VERSION_STATE_H

#include "names.h"
#include "steps.h"

#include "choose/chosen.h"
#include "versions/winners.h"

_Static_assert((int)LIN_CHOSEN_MOST >= (int)LIN_VERSIONS_MOST, "there is room for all");

typedef struct lin_ptx_versioned {
  uint64_t hash;
  lin_winners winners; // none: it is as the options have it
  lin_chosen chosen;   // of functions by their numbers in the module
} lin_ptx_versioned;

typedef struct lin_ptx_build {
  const char *name;
  lin_ptx_options options;
} lin_ptx_build;

typedef struct lin_ptx_versions {
  lin_arena *arena;
  const lin_ptx_job *job;
  const lin_ptx_module *module;
  const lin_ptx_names *callable; // functions that may be called, by their numbers, in scope 0
  const lin_ptx_names *taken;    // all names with `__linearize_` in them, in scope 0
  lin_ptx_build *build;          // [num_builds] 0: what is done to all other functions, too
  lin_ptx_versioned *versioned;  // [num_versioned]
  uint32_t num_builds, num_versioned, build_room;
  const uint32_t *first_call; // [functions + 1] into callee
  const uint32_t *callee;

  // As in choose/copies.h: of function f in build b, the element b * functions + f.
  bool *is_wanted;   // some kernel needs it
  const char **code; // as the build makes it; NULL: as in the input
  uint32_t *own;
  lin_copies *copies;
} lin_ptx_versions;

static inline uint32_t lin_ptx_at(const lin_ptx_versions *v, uint32_t build, uint32_t function) {
  return build * v->module->num_functions + function;
}

// What a function is called as a build makes it. In the arena. O(length).
const char *lin_ptx_symbol(const lin_ptx_versions *v, uint32_t build, uint32_t function);

// The variable that tells of a kernel's versions. In the arena. O(length).
const char *lin_ptx_variable(const lin_ptx_versions *v, uint32_t function);

#endif
