// What ptxas predicates.
#ifndef LIN_SIMT_PREDICATE_H
#define LIN_SIMT_PREDICATE_H

#include "program.h"

// The block whose branch goes around or into `block`, if ptxas predicates `block` instead of
// branching: an arm of an if with at most LIN_PREDICATED instructions and no calls or waits, behind
// which all lanes go on together. Else LIN_NONE.
//
//     if ─▶ arm      if ─▶ arm ──▶ join
//      └─────▶ join   └──▶ other ──▶ join     both arms have to be short
//
// A load counts as two of them (gpu/costs.h). O(size of the block).
lin_block simt_predicated_by(const simt_function *function, lin_block block);

#endif
