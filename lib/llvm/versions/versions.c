#include "versions.h"

#include "kernels.h"
#include "make.h"
#include "settle.h"
#include "llvm/run/version_names.h"

#include <string.h>

// Where there are versions, nothing is told of build 0: each of them says the same, and more.
static lin_ir_versions start(lin_arena *arena, LLVMModuleRef module,
                             const linearize_options *options, const lin_winners_file *file,
                             const lin_ir_maker *maker) {
  lin_ir_versions v = {
      .arena = arena, .module = module, .given = options, .file = file, .maker = maker};
  v.build = LIN_ROOM(arena, v.build, v.num_builds, &v.build_room);
  v.build[0] = (lin_ir_build){"", *options};
  if (options->versions != NULL) {
    v.build[0].name = LIN_VERSIONS_PLAIN;
    lin_ir_version_options(LIN_VERSIONS_PLAIN, options, &v.build[0].options);
    v.build[0].options.quiet = true;
  }
  v.num_builds = 1;
  return v;
}

static bool is_of_gpu(LLVMModuleRef module) {
  return strncmp(LLVMGetTarget(module), "nvptx", 5) == 0;
}

void lin_ir_make_versions(LLVMModuleRef module, const linearize_options *options,
                          const lin_winners_file *file, const lin_ir_maker *maker) {
  lin_arena arena = {0};
  lin_ir_versions v = start(&arena, module, options, file, maker);
  if (is_of_gpu(module))
    lin_ir_find_kernels(&v);
  lin_ir_find_functions(&v);
  lin_ir_make_builds(&v);
  lin_ir_settle(&v);
  lin_arena_release(&arena);
}

bool lin_ir_copy_nests(LLVMModuleRef module, const linearize_options *options,
                       const lin_winners_file *file, const lin_ir_maker *maker) {
  lin_arena arena = {0};
  lin_ir_versions v = start(&arena, module, options, file, maker);
  if (is_of_gpu(module))
    lin_ir_guess_kernels(&v);
  const bool changed = lin_ir_make_nests(&v);
  lin_arena_release(&arena);
  return changed;
}
