#include "versions.h"

#include "kernels.h"
#include "make.h"
#include "settle.h"
#include "llvm/run/version_names.h"

#include <string.h>

// Of build 0 nothing is told: each version says the same, and more.
static lin_ir_versions start(lin_arena *arena, LLVMModuleRef module,
                             const linearize_options *options, const lin_ir_maker *maker) {
  lin_ir_versions v = {.arena = arena, .module = module, .given = options, .maker = maker};
  v.build = LIN_ROOM(arena, v.build, v.num_builds, &v.build_room);
  v.build[v.num_builds++].name = LIN_VERSIONS_PLAIN;
  lin_ir_version_options(LIN_VERSIONS_PLAIN, options, &v.build[0].options);
  v.build[0].options.quiet = true;
  if (strncmp(LLVMGetTarget(module), "nvptx", 5) == 0)
    lin_ir_find_kernels(&v);
  return v;
}

void lin_ir_make_versions(LLVMModuleRef module, const linearize_options *options,
                          const lin_ir_maker *maker) {
  lin_arena arena = {0};
  lin_ir_versions v = start(&arena, module, options, maker);
  lin_ir_find_functions(&v);
  lin_ir_make_builds(&v);
  lin_ir_settle(&v);
  lin_arena_release(&arena);
}

bool lin_ir_copy_nests(LLVMModuleRef module, const linearize_options *options,
                       const lin_ir_maker *maker) {
  lin_arena arena = {0};
  lin_ir_versions v = start(&arena, module, options, maker);
  const bool changed = lin_ir_make_nests(&v);
  lin_arena_release(&arena);
  return changed;
}
