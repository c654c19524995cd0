// What one loop of a region holds, or the region outside of its loops: a *level*. Its items are its
// leaves and the loops directly in it. Every edge of the region is sorted into the level where its
// ends are in different items; on the way it enters and leaves the levels of the loops that it
// crosses. The edges of a level are acyclic: one that goes around leads to the level's end, and
// from its start.
//
//     leaves 1 (2 3) 4, edges 1-2, 2-3, 3-2, 3-4      region: start ─▶ 1 ─▶ loop ─▶ 4 ─▶ end
//                                                     loop:   start ─▶ 2 ─▶ 3 ─▶ end
#ifndef LIN_LINEARIZE_LEVELS_H
#define LIN_LINEARIZE_LEVELS_H

#include "algorithm1_arrange.h"

// Items of a level are numbered from 1 in order; behind them is its end, count + 1.
enum { LIN_LEVEL_START = 0 };

typedef struct lin_level {
  uint32_t num_items;
  uint32_t *item;           // [num_items + 1] leaf, or num_leaves + span; by number
  uint32_t num_entered;     // different items entered from outside or by going around
  lin_tree *postdominators; // over num_items + 2 nodes
  bool *dead_end;           // by number: no thread comes from the item to the end
  bool *several;            // by number: not all edges into the item come from its dominator
  uint32_t *first_child, *next_child; // of the dominator tree, items in order
} lin_level;

typedef struct lin_levels {
  uint32_t num_leaves;
  lin_level *level;   // [num_spans + 1]; the last is the region's
  uint32_t *level_of; // [num_leaves + num_spans] the level of an item
  uint32_t *number;   // [num_leaves + num_spans] in its level
  bool *entered;      // [num_leaves + num_spans] from outside its level, or by going around
  lin_block source;   // the block from which all edges enter the region, or LIN_NONE
} lin_levels;

// In the arrangement's arena. `nested`: items are children of their dominators, but for dead ends;
// else all are the start's. O(edges * depth of loops * log leaves).
lin_levels lin_levels_build(const lin_arrangement *a, bool nested);

#endif
