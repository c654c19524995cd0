// Versions of kernels side by side in one module, for whoever chooses among them at launch
// (versions/format.h), or the one that was found to be the fastest.
//
//     walk ──▶ f          walk                     plain, as it was
//                  ──▶    walk__linearize_needed ──▶ f__linearize_needed
//                         walk__linearize_paper  ──▶ f          paper changes nothing of f
//
// A version is a copy of the kernel to which the pass does what its name says
// (run/version_names.h); functions that kernels call and that aren't inlined are shared as far as
// they are the same (choose/copies.h). What comes out like the kernel, or like another version, is
// left out.
//
// Of a kernel of which a file knows the fastest version (versions/winners.h) that one stands in its
// place, and no other is needed; where it depends on the launch which one is, these stand beside
// the plain one.
#ifndef LIN_LLVM_VERSIONS_VERSIONS_H
#define LIN_LLVM_VERSIONS_VERSIONS_H

#include "linearize/linearize.h"
#include "versions/winners.h"

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif

// Who has the analyses that the pass asks for.
typedef struct lin_ir_maker {
  void *context;

  // Does to a function what the options say (linearize_function), and tells what was done. Returns
  // whether it changed.
  bool (*linearize)(void *context, LLVMValueRef function, const linearize_options *options);

  // Whether the function has loop nests that would be merged (linearize_find_nests).
  bool (*has_nests)(void *context, LLVMValueRef function, const linearize_options *options);

  // The function will be erased, or its code by another's replaced: nothing is known of it any
  // more.
  void (*forget)(void *context, LLVMValueRef function);

  // What became of a kernel's versions. The remark lives until it returns.
  void (*tell)(void *context, LLVMValueRef function, const linearize_remark *remark);
} lin_ir_maker;

// Makes the versions that `options` name, or the winners of kernels that `file`, which may be NULL,
// knows; one of the two is given. Does to every other function what is done to the plain version,
// or, if `options` name no versions, what they say. Kernels that have versions already, and
// versions, are left alone. To be called where linearize_function is. O(versions * what
// linearize_function takes, and versions^2 * calls).
void lin_ir_make_versions(LLVMModuleRef module, const linearize_options *options,
                          const lin_winners_file *file, const lin_ir_maker *maker);

// Before loops are unrolled: copies kernels whose loop nests a version will merge, since what comes
// between would take them apart. lin_ir_make_versions goes on with these copies, or drops them.
// Returns whether there are any.
bool lin_ir_copy_nests(LLVMModuleRef module, const linearize_options *options,
                       const lin_winners_file *file, const lin_ir_maker *maker);

// Whether `function` is such a copy; `*options` is then what will be done to it, in all else
// `given`. O(1).
bool lin_ir_find_nest(LLVMValueRef function, const linearize_options *given,
                      linearize_options *options);

#ifdef __cplusplus
}
#endif

#endif
