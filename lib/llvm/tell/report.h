// What a run did, as counts and remarks.
//
//   passed    a region was linearized: blocks, guards, what is gained
//   missed    a region should have been linearized, and was not: refused, or over budget; or a
//             profile should have been used, and was not
//   warning   the same, and ptxas may miscompile what is left
//   analysis  a region was left alone, for it isn't worth it or nobody asked
//   error     an attribute of the function is wrong
//
// Each minimal region of Definition 1 (linearize/minimal.h) has at least one remark with its
// number.
#ifndef LIN_LLVM_TELL_REPORT_H
#define LIN_LLVM_TELL_REPORT_H

#include "driver/front_end.h"
#include "linearize/linearize.h"
#include "linearize/minimal.h"
#include "llvm/read/read.h"

typedef struct lin_ir_run {
  lin_arena *arena;
  const lin_ir_function *function;
  const lin_result *result;
  const lin_policy *policy;
  bool quiet;            // no remarks but warnings and errors
  bool again;            // what is left alone has been said; regions aren't those of before
  const uint32_t *names; // [minimal regions] the numbers that they have for people, LIN_NONE for
                         // none; NULL: their own
} lin_ir_run;

// Adds a remark about a function or, unless it is LIN_NONE, one of its blocks.
void lin_ir_report(linearize_report *report, const lin_ir_function *f, linearize_remark_kind kind,
                   const char *name, lin_block block, const char *message);

// Adds the counts of before. O(edges).
void lin_ir_count_before(linearize_report *report, const lin_result *result);

// Adds the regions that were linearized and their guards, and those that were refused unless they
// were counted before.
void lin_ir_count_regions(linearize_report *report, const lin_result *result, bool again);

// That the function is `unwanted` (ask/annotations.h).
void lin_ir_report_left_alone(linearize_report *report, const lin_ir_run *run,
                              const char *unwanted);

// Counts what was linearized and refused, and adds a remark for each region; those of minimal
// regions that were left alone come last. Instructions are looked for in the function as it is now.
void lin_ir_report_regions(linearize_report *report, const lin_ir_run *run);

// Adds a remark for each loop in another one: that it was merged with it, or why not.
void lin_ir_report_nests(linearize_report *report, const lin_ir_run *run);

// Adds a remark for each edit of `f` that is to be made, but for strips: merging tells of those.
// O(edits).
void lin_ir_report_edits(linearize_report *report, const lin_ir_function *f,
                         const lin_former *former, const lin_edits *edits);

// Adds a remark for each region of before that is none any more: neither one of `names`, numbers of
// before, nor one of an entry that was copied. O(blocks * regions of before).
void lin_ir_report_settled(lin_arena *arena, linearize_report *report, const lin_ir_function *f,
                           const lin_former *former, const lin_edits *edits, const uint32_t *names,
                           uint32_t num_names);

// Adds a remark for each branch of which the arms would be interleaved if a multiprocessor had
// fewer warps than `warps`; `known`: somebody has said how many.
void lin_ir_report_hidden(linearize_report *report, const lin_ir_function *f,
                          const lin_edits *edits, uint32_t warps, bool known);

// Adds a remark for each branch of which the arms were interleaved.
void lin_ir_report_sides(linearize_report *report, const lin_ir_run *run);

// Adds a remark for each region that was linearized so that fewer branches nest, and one if that is
// not enough.
void lin_ir_report_depths(linearize_report *report, const lin_ir_run *run);

#endif
