// An inner loop that goes around a limited number of times in a loop around it (front/edit.h,
// strip): the iterations of a strip are counted in a register.
//
//     $h: ...                  $linearize_1:                           M: a strip begins
//         @%p1 bra $h;             mov.u32 %linearize_k1, 0;
//         ...                      bra.uni $h;
//                       ==>    $h: ...
//                                  add.u32 %linearize_k1, %linearize_k1, 1;
//                                  setp.ne.u32 %linearize_s1, %linearize_k1, 8;
//                                  and.pred %linearize_s1, %linearize_s1, %p1;
//                                  @%linearize_s1 bra $h;
//                                  bra.uni $linearize_2;
//                              $linearize_2:                           X: is there another one?
//                                  @%p1 bra $linearize_1;
//                                  ...
#ifndef LIN_PTX_STRIPS_H
#define LIN_PTX_STRIPS_H

#include "places.h"

#include "front/edit.h"

typedef struct lin_ptx_strip {
  const char *prefix;    // of its registers
  uint32_t number;       // of its registers, from 1
  uint32_t length;       // iterations
  bool stays_first;      // the branch of the loop's last block leads around first, then out
  const char *condition; // its predicate
  bool is_negated;       // @!p
} lin_ptx_strip;

// The strip that an edit asks for. Lives in the arena. O(1).
lin_ptx_strip *lin_ptx_strip_plan(lin_arena *arena, const lin_ptx_function *f, const lin_edit *edit,
                                  const char *prefix, uint32_t number);

// Declares its registers. O(1).
void lin_ptx_strip_declare(const lin_ptx_strip *strip, lin_ptx_lines *lines);

// Says what M does. O(1).
void lin_ptx_strip_say_entry(const lin_ptx_strip *strip, lin_ptx_lines *lines);

// Says what comes in front of the branch of the loop's last block; returns the predicate, with its
// `@`, under which that goes where it went under the old one. Lives in the lines' arena. O(1).
const char *lin_ptx_strip_say_end(const lin_ptx_strip *strip, lin_ptx_lines *lines);

#endif
