// Versions of the kernels of a PTX module, behind its last function, and what the module says of
// them (versions/format.h):
//
//     .func f__linearize_paper(...);
//     .visible .entry walk(...) { ... call f ... }      as it was
//     .func f__linearize_paper(...) { ... }             what a version calls that isn't the same
//     .visible .entry walk__linearize_paper(...) { ... call f__linearize_paper ... }
//     .visible .global .align 1 .b8 __linearize_versions_walk[90] = {108, 105, ...};
//
// A copy has parameters, registers, labels and variables of its own names, for they are the
// function's own. As llvm/versions does it with LLVM's IR.
#ifndef LIN_PTX_VERSIONS_H
#define LIN_PTX_VERSIONS_H

#include "steps.h"

// Adds to `patch` the versions that job->options name, and does to all functions what is done to
// the plain version. Kernels that have versions already, and versions, get none. Returns whether
// anything changes. O(versions * what lin_ptx_run_steps takes, and versions^2 * calls).
bool lin_ptx_make_versions(const lin_ptx_job *job, lin_ptx_patch *patch);

#endif
