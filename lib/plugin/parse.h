// The passes by name, as opt is given them.
//
// Passes, for -passes=...
//   linearize<MODE;LEVEL;any-target;force;threshold=N;...>   any may be left out, in any order
//   linearize-merge-loops, linearize-interleave<warps=N>, linearize-limit-depth<N>
//                                            mode none, and one of the passes of docs/algorithm.md
//   linearize-versions<NAME:NAME:...;...>    versions of kernels beside them (docs/versions.md)
//   linearize-tuned<FILE;...>                the versions that are the fastest by a file
//   linearize-count                          kernels count what their threads do
//   linearize-count-passes                   and how often warps enter blocks
//   linearize-reorder-mark                   keeps calls of linearize/reorder.h from vanishing
//   linearize-reorder                        threads are regrouped there
//   linearize-regroup<OPTION;...>            and where it pays, points or none
//   linearize-pipeline<OPTION;...>           all that the options ask for, as in clang's pipeline
//   print<unstructured>                      prints the unstructured edges of each function
//   print<linearize-passes>                  prints the passes that linearize consists of
//   verify<linearized>                       an error if a function has any, or an irreducible loop
//   mark<uniform>                            writes down what is known of divergence, see there
#ifndef LIN_PLUGIN_PARSE_H
#define LIN_PLUGIN_PARSE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Passes/PassBuilder.h"

namespace linearize {

// A wrong parameter ends opt with one line, as LLVM's own options do.
[[noreturn]] void die(const llvm::Twine &Message);

// False if they are known already: whoever loads a file twice, as clang does that is told of it
// twice, registers it twice.
bool registerNames(llvm::PassBuilder &PB);

} // namespace linearize

#endif
