// What LLVM's analyses know of a GPU function's branches and loops.
#ifndef LIN_PLUGIN_DIVERGENCE_H
#define LIN_PLUGIN_DIVERGENCE_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace linearize {

// The analysis is made when the first branch is asked about. It takes a kernel's pointer parameters
// for pointers to global memory, which they are, although clang gives them a generic type: what is
// loaded through a generic pointer may differ from thread to thread, for it may be local memory. So
// it looks at a copy of the function.
//
// Blocks are taken to have a multiple of 32 threads along x, as nearly all do: then threadIdx.x /
// 32 is the same for all threads of a warp, and so is a comparison with a multiple of 32. Where it
// is not so, nothing but time is lost; where more may be, in a function with an irreducible loop,
// which must not stay if it diverges, or where threads of a warp may wait for each other in lock
// step (below sm_70), nothing is taken for granted.
class Divergence {
public:
  // `FAM` and `F` have to live as long as it.
  Divergence(llvm::Function &F, llvm::FunctionAnalysisManager &FAM) : F(F), FAM(FAM) {}

  // Whether the target says anything about divergence: else every branch may diverge.
  bool isKnown();

  // Whether all threads of a warp that run `Terminator` together go one way. O(instructions) the
  // first time, then O(1).
  bool isUniform(const llvm::Instruction &Terminator);

  // How often the loop of `Header` goes around at most, if `Header` has one, or 0. `Counted`
  // becomes true if that is clear before the loop begins, though it may differ from thread to
  // thread.
  unsigned mostTrips(llvm::BasicBlock &Header, bool &Counted);

  // `F` is going to change: what is known of it won't be known any more.
  void forget() {
    IsAnalysed = false;
    Divergent.clear();
    FAM.invalidate(F, llvm::PreservedAnalyses::none());
  }

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  bool IsAnalysed = false;
  llvm::DenseSet<const llvm::BasicBlock *> Divergent; // blocks that end with such a branch

  void analyse();
};

} // namespace linearize

#endif
