// What ptxas predicates.
#ifndef LIN_SIMT_PREDICATE_H
#define LIN_SIMT_PREDICATE_H

#include "program.h"

// The block whose branch goes around or into `block`, if ptxas predicates `block` instead of
// branching: an arm of an if with at most SIMT_SHORT_ARM instructions and no calls or waits, behind
// which all lanes go on together. Else LIN_NONE.
//
//     if ─▶ arm      if ─▶ arm ──▶ join
//      └─────▶ join   └──▶ other ──▶ join     both arms have to be short
//
// Seen with ptxas 13.0: six instructions are predicated, seven are not. O(size of the block).
lin_block simt_predicated_by(const simt_function *function, lin_block block);

enum { SIMT_SHORT_ARM = 6 };

#endif
