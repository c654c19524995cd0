// Instructions that may stand somewhere else, and what they are then.
//
// Registers are variables. Where an instruction moves above a test, what it sets must not be needed
// by those who leave there: then a new register is set, and the old one where nobody else comes.
//
//     @%p1 bra $X;                       add.s32 %new, %r1, 1;
//     add.s32 %r1, %r1, 1;       ==>     @%p1 bra $X;          $X needs %r1 as it was
//                                        mov.b32 %r1, %new;
#ifndef LIN_PTX_MOVES_H
#define LIN_PTX_MOVES_H

#include "places.h"

// A word of an instruction's operands.
typedef struct lin_ptx_word {
  uint32_t start, end;
  uint32_t access; // into body->access, if it is a register; else LIN_NONE
} lin_ptx_word;

// The words of the operands of `at`, in their order; sets `*count`. NULL if there are over
// LIN_PTX_MOST_WORDS, or it isn't clear which access stands for which word. O(length).
enum { LIN_PTX_MOST_WORDS = 12 };
const lin_ptx_word *lin_ptx_words(const lin_ptx_body *body, uint32_t at,
                                  lin_ptx_word word[LIN_PTX_MOST_WORDS], uint32_t *count);

// Whether an instruction may stand twice: threads that run it do so alone. O(1).
bool lin_ptx_may_stand_twice(const lin_ptx_body *body, uint32_t at);

// Whether it costs next to nothing and does nothing but set registers, of types that `mov` has,
// whatever its operands are, and the same anywhere. O(length).
bool lin_ptx_is_cheap(const lin_ptx_body *body, uint32_t at);

// Says an instruction as a line; `name[reg]`, where it isn't NULL, is what it reads instead of a
// register, `named[reg]` what it sets. NULL for both: as it is. O(length).
void lin_ptx_say_instruction(lin_ptx_lines *lines, const lin_ptx_body *body, uint32_t at,
                             const char *const *name, const char *const *named);

#endif
