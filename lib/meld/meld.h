// Arms of a branch that do the same work are made to do it once (melding).
//
//     D ─▶ a1 ─▶ S ─▶ a2 ─┐          D ─▶ a1 ─┬─▶ S ─┬─▶ a2 ─┬─▶ P
//     └──▶ b1 ─▶ S'─▶ b2 ─┴▶ P  ==>  └──▶ b1 ─┘      └─▶ b2 ─┘
//
// A warp whose threads part at D runs S and S' one after the other. Melded, it runs S once, for
// the threads of both arms. Where operands differ, each thread takes that of its arm. What has no
// counterpart stays behind a guard that asks for the arm, or is run by all if it can do no harm.
//
// Any blocks of one arm may be paired with any of the other: a thread's arm says where it goes on.
// So what is paired here decides what is gained, and never whether the result is right.
//
// Arms are children of D in the dominator tree, cases of a switch too. Blocks are aligned first,
// in the order of the graph, loops with loops; then the instructions of each pair.
//
// Known work: branch fusion (Coutinho et al., SBAC-PAD 2011) aligns instructions of two blocks;
// DARM (Saumya et al., CGO 2022) aligns subgraphs of one entry and one exit.
#ifndef LIN_MELD_MELD_H
#define LIN_MELD_MELD_H

#include "linearize/definition1_edges.h"

// What an instruction is to melding.
enum {
  LIN_MELD_FREE = 1u << 0,  // threads that don't need it may run it: no effect, no trap
  LIN_MELD_ALONE = 1u << 1, // has no counterpart
  LIN_MELD_PHI = 1u << 2,
  LIN_MELD_END = 1u << 3,      // a terminator
  LIN_MELD_COMMUTES = 1u << 4, // its two operands may change places
};

typedef struct lin_meld_op {
  uint32_t kind;          // instructions of one kind differ in their operands at most
  uint32_t cost;          // simple instructions
  uint32_t flags;         // LIN_MELD_FREE | ...
  uint32_t first_operand; // into operand[]; those of a phi are left out
} lin_meld_op;

// The code of an ordered graph. A value is the instruction that computes it, by its number, or has
// a number behind these.
typedef struct lin_meld_code {
  const lin_analysis *analysis;
  uint32_t num_ops, num_values;
  uint32_t *first_op;   // [num_blocks + 1] phis stand first, the terminator last
  lin_meld_op *op;      // [num_ops + 1] the last one ends the operands
  uint32_t *operand;    // values
  const uint32_t *base; // [num_values] values of different bases can't be chosen between: what
                        // an address points into, if that has to stay in sight; else 0
  bool divergence_known;
  bool regardless;     // of what it gains
  bool sure;           // what gains beyond doubt alone
  const bool *skipped; // [num_blocks] branches that are not to be looked at; or NULL
} lin_meld_code;

// Two arms of a branch.
typedef struct lin_meld_arms {
  lin_block branch;       // D: the nearest that leads to both
  lin_block arm[2];       // where they begin
  const lin_block *block; // [count[0] + count[1]] of the first arm, then of the second, in order
  uint32_t count[2];
  double before, after; // instructions that a warp runs whose threads part at D
  bool gathered;        // threads are gathered in front of what is melded (gather.h)
} lin_meld_arms;

// Whether D is a branch of two ways, straight to the arms. O(1).
bool lin_meld_is_plain(const lin_meld_code *code, const lin_meld_arms *arms);

// The block of an arm (0, 1) by which all of its threads leave it, or LIN_NONE. `*to`: where they
// all go, or LIN_NONE. O(edges of the arm).
lin_block lin_meld_end(const lin_meld_code *code, const lin_meld_arms *arms, uint32_t arm,
                       lin_block *to);

// Arms that share enough to be looked at, but may not be melded.
typedef struct lin_meld_refusal {
  lin_block branch, at; // at: the first block of an arm that forbids it
} lin_meld_refusal;

// What is melded. Arms of different branches have no blocks in common.
typedef struct lin_melds {
  lin_meld_arms *melded; // [count]
  uint32_t count;
  lin_meld_refusal *refused; // [num_refused]
  uint32_t num_refused;
  lin_block *twin;   // [num_blocks] the counterpart of a block, or LIN_NONE
  uint32_t *partner; // [num_ops] that of an instruction, of the twin of its block, or LIN_NONE
} lin_melds;

// Whether that gain is enough: instructions of a warp, of `before`. O(1).
bool lin_meld_is_enough(const lin_meld_code *code, double gain, double before);

// Why a block with these flags of the graph may not be in an arm that is melded, one clause; NULL:
// it may. `repeats`: in a loop of the arm. O(1).
const char *lin_meld_why_not(uint32_t flags, bool repeats);

// Finds the arms that gain. O(edges log blocks), and for each pair of arms the product of their
// blocks and of the instructions of paired blocks, up to LIN_MELD_MOST_WORK in all.
lin_melds *lin_melds_find(lin_arena *arena, const lin_meld_code *code);

// What twins have without a counterpart, up to the next pair of instructions: it stands in front of
// these, behind a guard or for all threads.
typedef struct lin_meld_step {
  uint32_t first[2], end[2]; // instructions of either twin; those at `end` are melded
  bool guarded;
  bool is_last; // at `end` are the terminators, melded or not
} lin_meld_step;

// Walks through twins, behind their phis; a step that is all zero comes in first. Returns
// false behind the last one. O(instructions of the step).
bool lin_meld_next(const lin_meld_code *code, const lin_melds *melds, lin_block block,
                   lin_meld_step *step);

// Whether the second successor of the second twin is the counterpart of the first one's first, and
// the other way around, so that its condition has to be turned around. O(1).
bool lin_meld_is_turned(const lin_meld_code *code, const lin_melds *melds, lin_block block);

// The work that alignments may take for a function: cells of their tables, about a nanosecond each.
enum { LIN_MELD_MOST_WORK = 200000000 };

#endif
