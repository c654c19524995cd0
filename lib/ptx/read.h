// The graph of a function.
//
// A block begins at a label that a branch names, and behind whatever may branch; blocks keep the
// order of the text. Two instructions are one branch, as compilers write it:
//
//     @%p1 bra $L1;          edges: $L1, $L2
//     bra.uni  $L2;
//
// A return under a predicate leads to a block of its own, which has no text; these come last:
//
//     @%p1 ret;              edges: the return, what follows
//
// Refused block by block: what begins within a scope { } that isn't closed, since no branch from
// outside could lead there, for it doesn't see the label; and where branches share a list of
// labels, these and where they lead.
#ifndef LIN_PTX_READ_H
#define LIN_PTX_READ_H

#include "body.h"

typedef struct lin_ptx_block {
  uint32_t first, behind; // its instructions
  uint32_t label;         // at its beginning, or LIN_NONE
  uint32_t branch;        // its last instruction, if that may branch; else LIN_NONE: it goes on
  uint32_t second;        // the `bra` behind a `bra` under a predicate, or LIN_NONE
  uint32_t foreign;       // a call in it of code that isn't here, or LIN_NONE
  lin_block returns;      // where its return under a predicate leads, or LIN_NONE
  uint32_t line;          // of the input
  uint32_t start;         // its place in the text, from its label on
} lin_ptx_block;

typedef struct lin_ptx_function {
  const lin_ptx_body *body;
  lin_graph *graph;
  lin_ptx_block *block; // [graph->num_blocks]
  uint32_t num_written; // blocks that have text; the returns under predicates follow
} lin_ptx_function;

// What a call may do, LIN_WAITS | ... as in lin_ptx_opcode.effects, by the callee's name; NULL and
// 0 of an indirect call.
typedef uint32_t (*lin_ptx_callee_effects)(const void *context, const char *name, uint32_t length);

// Reads the graph of a body that isn't refused. Lives in the arena. O(length of the body).
lin_ptx_function *lin_ptx_read(lin_arena *arena, const lin_ptx_body *body,
                               lin_ptx_callee_effects callee_effects, const void *context);

// The name that instruction `at`, a call, calls; an empty token (start == end) if it is indirect.
lin_ptx_token lin_ptx_callee(const lin_ptx_body *body, uint32_t at);

// Where the first instruction of a block comes from in the source, if any of them says so, else
// NULL. O(instructions of the block).
const lin_ptx_loc *lin_ptx_source_of(const lin_ptx_function *f, lin_block block);

// The edge of `block` to what follows its branch in the text, or LIN_NONE. O(1).
lin_edge lin_ptx_edge_on(const lin_ptx_function *f, lin_block block);

#endif
