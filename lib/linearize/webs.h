// Webs: values of a program that can live in one register.
//
// A phi and its operands are names of one variable, as long as no two of them are needed at the
// same time. Kept as one variable, they cost nothing in a linearized program either: every thread
// runs the same blocks in the same order as before, so whatever the variable held at a block, it
// still holds there. Taken one by one they do cost: the new control flow has paths that no thread
// takes, on these an old value seems to be needed beside the new one, and each meeting of the two
// is a copy.
//
//     x0 = ...                    one web: {x0, x1, x2}, read as "x" wherever it is read; behind a
//     if (c) x1 = x0 + 1          guard that lets only some threads come to x1, x is x1 or x0
//     x2 = phi(x0, x1)
//
// Values are interference-free if at no definition another one of the web is live (as in
// Budimlić et al., Fast Copy Coalescing and Live-Range Identification, PLDI 2002, of which the test
// along the dominator tree is taken).
#ifndef LIN_LINEARIZE_WEBS_H
#define LIN_LINEARIZE_WEBS_H

#include "definition1_edges.h"

enum { LIN_AT_END = UINT32_MAX }; // the position of a phi's operand in the block that it comes from

// A place in a block of the analysed graph: 0 is where the block's phis are, LIN_AT_END its end.
typedef struct lin_place {
  lin_block block;
  uint32_t position;
} lin_place;

typedef struct lin_web_value {
  lin_place definition;
  uint32_t first_use, num_uses; // into lin_web_input.use
} lin_web_value;

// A phi and one of its operands.
typedef struct lin_web_pair {
  uint32_t phi, operand;
} lin_web_pair;

typedef struct lin_web_input {
  uint32_t num_values;
  const lin_web_value *value;
  const lin_place *use;
  uint32_t num_pairs;
  const lin_web_pair *pair; // at the same depth of loops, the first are united first
} lin_web_input;

typedef struct lin_webs {
  uint32_t *web_of; // [num_values]
  uint32_t num_webs;
  uint32_t *first_member; // [num_webs + 1] into member
  uint32_t *member;       // values, rising
  uint32_t *descending;   // the same, each web's in preorder of the dominator tree
  uint32_t *above;        // [num_values] the nearest one of its web that dominates it, or LIN_NONE
  uint32_t *num_live;     // [num_values] blocks into which the value is live; LIN_NONE: not known
  lin_block **live;       // [num_values] those blocks, rising
} lin_webs;

// Finds webs; each value is one of its own without `unite`. The input is not kept. Near-linear:
// values that live in very many blocks, and webs of very many values, are left apart.
lin_webs *lin_webs_build(lin_arena *arena, const lin_analysis *analysis, const lin_web_input *input,
                         bool unite);

// True if `value` is live on the edges into `block`, or if that isn't known. O(log blocks).
bool lin_webs_is_live(const lin_webs *webs, uint32_t value, lin_block block);

// The value that the web `of` holds at the end of `from`, needed or not; LIN_NONE if there is none.
// `analysis` and `value` are those that the webs were built of. O(log values of the web + how many
// of them are above each other).
uint32_t lin_webs_held(const lin_webs *webs, const lin_analysis *analysis,
                       const lin_web_value *value, uint32_t of, lin_block from);

#endif
