// What each build makes of each function.
#ifndef LIN_LLVM_VERSIONS_MAKE_H
#define LIN_LLVM_VERSIONS_MAKE_H

#include "state.h"

// Has every build make copies of the functions that are wanted of it, and build 0 change all
// functions of the module in place, but for those that are versions already, or belong to some. The
// copies call what the functions called before; those that come out alike are one (v->own,
// v->code). O(builds * what linearize_function takes).
void lin_ir_make_builds(lin_ir_versions *v);

// Copies kernels whose loop nests a build will merge (lin_ir_copy_nests). Returns whether there are
// any. O(what linearize_find_nests takes).
bool lin_ir_make_nests(lin_ir_versions *v);

// Takes a copy out of the module.
void lin_ir_drop(const lin_ir_versions *v, LLVMValueRef copy);

#endif
