// Which phis of two blocks that are melded become one. They have no order: each has the counterpart
// with which it is read most often, where what is melded reads both in the same place.
#ifndef LIN_MELD_PHIS_H
#define LIN_MELD_PHIS_H

#include "gain.h"

// Changes partners of phis of the arms, whose other instructions have theirs. O(operands of the
// arms, log operands).
void lin_meld_pair_phis(const lin_meld_facts *facts, lin_melds *melds, const lin_meld_arms *arms);

#endif
