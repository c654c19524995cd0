// Cuts: where a kernel's threads come to a station, and where they go on from there
// (regroup/stations.h), as blocks of LLVM's IR. A cut stands between two blocks, of which the first
// leads to the second alone:
//
//     before                          all that stands in front of the point
//     ────── cut: a point, a barrier, or an exit
//     behind                          begins without phis
//
// An exit to a block that threads come to from elsewhere, too, gets blocks of its own on these
// edges; one that passes several stations has a cut for each, one behind the other.
#ifndef LIN_LLVM_REGROUP_CUTS_H
#define LIN_LLVM_REGROUP_CUTS_H

#include "emit.h"
#include "points.h"
#include "regroup/stations.h"
#include "same.h"
#include "llvm/read/read.h"

typedef enum lin_cut_kind { LIN_CUT_POINT, LIN_CUT_BARRIER, LIN_CUT_EXIT } lin_cut_kind;

typedef struct lin_ir_station_cut {
  lin_cut_kind kind; // an end is an exit, too: one for all returns
  uint32_t station;
  LLVMBasicBlockRef before, behind;
  lin_ir_point point; // of a point; where its mark was, the key is stored
} lin_ir_station_cut;

typedef struct lin_ir_cuts {
  lin_ir_station_cut *cut; // [count] those of a station together: points, then barriers, then exits
  uint32_t count;
  uint32_t *first; // [num_stations + 1] of each station's cuts
  const lin_stations *stations;
  lin_ir_same same;
  LLVMValueRef key; // a slot: the key of the point that a thread came to last
} lin_ir_cuts;

// Blocks are cut behind each mark and each barrier, in front of what follows: new, the second
// halves, in order. What is made of the function can be undone by lin_ir_merge_halves.
typedef struct lin_ir_halves {
  LLVMBasicBlockRef *second;
  uint32_t count, capacity;
} lin_ir_halves;

lin_ir_halves lin_ir_cut_halves(lin_arena *arena, LLVMValueRef function);
void lin_ir_merge_halves(const lin_ir_halves *halves);

// What is known before anything but halves is made: the stations of the function as it is then.
typedef struct lin_ir_plan {
  const lin_ir_function *f;
  lin_order *order;
  lin_tree *dominators;
  const lin_stations *stations;
  lin_ir_same same;
} lin_ir_plan;

// `homes`: as lin_ir_find_same has it.
lin_ir_plan lin_ir_plan_cuts(lin_arena *arena, LLVMValueRef function, const lin_numbers *homes);

// The cuts that would be made of a station of the plan, or, LIN_NONE, of all: of each only
// `before`, a block from whose end a way leads there. O(edges + cuts).
lin_ir_cuts lin_ir_planned_cuts(lin_arena *arena, const lin_ir_plan *plan, uint32_t station);

// Makes the cuts: in place of marks their keys are stored in `key`, a slot, and barriers that are
// cuts go. Each still leads on to what is behind it. O(edges + instructions).
lin_ir_cuts lin_ir_make_cuts(lin_arena *arena, const lin_ir_emitter *e, const lin_ir_plan *plan,
                             LLVMValueRef key);

#endif
