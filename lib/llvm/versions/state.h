// What is known while versions are made of a module's kernels.
#ifndef LIN_LLVM_VERSIONS_STATE_H
#define LIN_LLVM_VERSIONS_STATE_H

#include "versions.h"

#include "choose/chosen.h"
#include "versions/winners.h"
#include "llvm/ask/numbers.h"

_Static_assert((int)LIN_CHOSEN_MOST >= (int)LIN_VERSIONS_MOST, "there is room for all");

// What is done to functions.
typedef struct lin_ir_build {
  const char *name;
  linearize_options options;
} lin_ir_build;

typedef struct lin_ir_versioned {
  LLVMValueRef kernel;
  uint64_t hash;
  lin_winners winners; // none: it is as the options have it
  lin_chosen chosen;
} lin_ir_versioned;

// What a kernel is to redirected and refilled versions, found before a build changes it in place.
typedef struct lin_ir_redirection {
  bool is_line;           // llvm/ask/alone.h, if there is such a version
  bool is_made;           // there is a redirected one, and it was looked for
  LLVMValueRef inspector; // or NULL, with
  const char *why;
  unsigned line;
} lin_ir_redirection;

typedef struct lin_ir_versions {
  lin_arena *arena;
  LLVMModuleRef module;
  const linearize_options *given;
  const lin_winners_file *file; // or NULL
  const lin_ir_maker *maker;
  lin_ir_build *build;         // [num_builds] 0: what is done to all other functions, too
  lin_ir_versioned *versioned; // [num_versioned]
  LLVMValueRef *function;      // [num_functions] those kernels, and what they call
  lin_numbers number;          // of each function
  uint32_t num_builds, num_versioned, num_functions;
  uint32_t build_room, versioned_room, function_room;

  lin_ir_redirection *redirection; // [num_functions]

  // As in choose/copies.h: of function f in build b, the element b * num_functions + f.
  bool *is_wanted;    // some kernel needs it
  LLVMValueRef *code; // a copy of the function, as the build made it; NULL: it is as in `own`
  uint32_t *own;
} lin_ir_versions;

static inline uint32_t lin_ir_at(const lin_ir_versions *v, uint32_t build, uint32_t function) {
  return build * v->num_functions + function;
}

#endif
