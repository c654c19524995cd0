// Edits: small changes of control flow, in words that no compiler's form of a function is needed
// for. What decides returns them (choose/), a front end applies them to its code, lin_edit_apply to
// a graph alone; they can be printed, read and replayed.
//
//   copy m for a to x rest h        a  b            a    b       m' is a copy of m, for those who
//                                    ╲ ╱            │    │       come from a. With `to`, it goes
//                                     m      ==>    m'   m       there and tests nothing; with
//                                    ╱ ╲            │    │       `rest`, so does m itself.
//                                   h   x           x    h
//
//   fold h b                      ┌─▶ h ─▶ x      ┌─▶ h ─▶ h'    The loop's blocks are h and b,
//                                 │   ▼           └───┘    ├─▶ x  each a test; h has all of them,
//                                 └── b ─▶ y  ==>          ▼      and who leaves tests once more,
//                                                          b ─▶ y where to. b keeps its number.
//
//   strip h e by n                ┌─▶ h           M ─▶ h ◀─┐     The loop from e to h goes around n
//                                 │   ▼      ==>  ▲    ▼   │     times at most, then X asks whether
//                                 └── e ─▶ y      │    e ──┘     it goes on.
//                                                 └─── X ─▶ y
//
//   cut b behind n of d              d              d             b' has the first n instructions
//                                   ╱ ╲            ╱ ╲            of b (or those that the front end
//                                  b   c    ==>   b'  c           puts first); b, with the rest,
//                                  │   │          │   │           begins a stage of an arm of d,
//                                   ╲ ╱           b   │           which is to be interleaved. With
//                                                  ╲ ╱            n = 0, there is no b'.
//
//   vote d keeps b c                 d              d             d asks whether all threads
//                                   ╱ ╲           ╱   ╲           that are there agree where it
//                                  b   c    ==>  d1    d2         sends them. Who agree go on by
//                                   ╲ ╱         ╱  ╲   ╱ ╲        d1, which ends as d did, to
//                                    j         b'  c' b   c       copies of the blocks; others by
//                                               ╲   ╲ ╱  ╱        d2. All meet again at j.
//                                                ─── j ──
//
// New blocks are numbered behind those that the graph has, in the order of the edits, and within
// one in the order of the list above (M before X; d1, d2, b', c'). An edit may name new blocks of
// those before it.
//
// Counts move with the edges: what comes to a copy is what its edges brought; what the block keeps
// is the rest, and goes out as before, each way its share.
#ifndef LIN_FRONT_EDIT_H
#define LIN_FRONT_EDIT_H

#include "graph/graph.h"

#include <stdio.h>

typedef enum lin_edit_kind {
  LIN_EDIT_COPY,
  LIN_EDIT_FOLD,
  LIN_EDIT_STRIP,
  LIN_EDIT_CUT,
  LIN_EDIT_VOTE
} lin_edit_kind;

typedef struct lin_edit {
  lin_edit_kind kind;
  lin_block block; // that is copied; the first test; the loop's header; that is cut; that votes
  uint32_t count;  // of from[]
  const lin_block *from; // copy: the blocks whose edges go to the copy; fold: all tests, in order;
                         // vote: all that is copied, which d alone leads to
  lin_block to;          // copy: where it goes on, or LIN_NONE; strip: the block that goes around;
                         // cut: the branch
  lin_block rest;        // copy: where the block itself goes on, or LIN_NONE
  uint32_t length;       // strip: iterations; cut: instructions
  lin_block exit; // copy: outside of the loop, where nothing but the block leads; or LIN_NONE;
                  // vote: j, LIN_NONE where threads return
  uint32_t loop;  // of the graph's loop forest, in which the edit is
  uint32_t cost;  // copy, vote: simple instructions that stand twice; cut: those of the new block
  uint32_t place; // cut: the front end's number of it (pieces.h)
  lin_block who;  // vote: where threads ask who is there; LIN_NONE: each time that they vote
} lin_edit;

// A branch of which the arms wait, for less than the other warps take.
typedef struct lin_hidden {
  lin_block branch;
  uint32_t warps; // the most that a multiprocessor may have for cuts to be worth it
} lin_hidden;

typedef struct lin_edits {
  lin_edit *edit; // [count]
  uint32_t count;
  lin_hidden *hidden; // [num_hidden] that are not cut
  uint32_t num_hidden;
} lin_edits;

// How many blocks an edit adds.
uint32_t lin_edit_adds(const lin_edit *edit);

// What `graph` is after the edits; it isn't changed itself. Strips, stages, branches to be
// interleaved and what has voted are flagged; counts stay with who doesn't agree. Of edges that an
// edit before has taken away a copy is left without, and one without any isn't made (its number
// names a block that nothing reaches, which goes nowhere but where the copy would). Lives in the
// arena. O(blocks + edges), and those of the blocks that each edit names.
lin_graph *lin_edit_apply(lin_arena *arena, const lin_graph *graph, const lin_edits *edits);

// Prints edits of `graph`, a line each, in the words above. Blocks have the names of
// lin_text_print, new ones are `+0`, `+1`, ... O(blocks log blocks + length).
void lin_edit_print(FILE *file, const lin_graph *graph, const lin_edits *edits);

// Reads such lines; empty ones, and those that begin with #, are skipped. NULL, with `*line` (from
// 1) and `*error`, a clause in the arena, if one is none. What the front end needs to know beside
// (exit, loop, cost, place, who) is not in the text. Each is checked against the graph as those
// before it leave it. O(length * blocks + edits * (blocks + edges)).
lin_edits *lin_edit_parse(lin_arena *arena, const lin_graph *graph, const char *text, size_t length,
                          size_t *line, const char **error);

#endif
