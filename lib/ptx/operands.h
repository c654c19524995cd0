// The operands of an instruction, cut apart.
//
//     ld.global.v2.u32   {%r1, _}, [%rd4+8];
//                        ──┬────   ───┬───
//                     2 elements   address: base %rd4, offset 8
//
// A pair of results, `%p1|%p2`, is a list of two elements, too.
#ifndef LIN_PTX_OPERANDS_H
#define LIN_PTX_OPERANDS_H

#include "body.h"

typedef enum lin_ptx_operand_kind {
  LIN_PTX_OPERAND_REGISTER, // reg; maybe a part of one (is_part)
  LIN_PTX_OPERAND_NUMBER,   // an integer: value
  LIN_PTX_OPERAND_FLOAT,    // 0f3F800000, 0d...: value has its bits
  LIN_PTX_OPERAND_NAME,     // anything else: a variable, a special register, _
  LIN_PTX_OPERAND_ADDRESS,  // [base+value]: what stands for the base is as for the kinds above
  LIN_PTX_OPERAND_LIST,     // {a, b} and a|b: the elements follow
  LIN_PTX_OPERAND_OTHER,    // what none of these is
} lin_ptx_operand_kind;

typedef struct lin_ptx_operand {
  lin_ptx_operand_kind kind;
  lin_ptx_operand_kind base; // of an address
  uint32_t reg;              // or LIN_NONE
  int64_t value;
  uint32_t digits;     // of a float: 8 or 16
  uint32_t start, end; // the word of a register or name; of an address, its base
  uint32_t count;      // elements of a list, which stand behind it
  bool is_negated;     // !%p1
  bool is_part;        // %v.x
} lin_ptx_operand;

typedef struct lin_ptx_operands {
  lin_ptx_operand *operand; // [count] with the elements of lists
  uint32_t count, capacity;
} lin_ptx_operands;

// Cuts the operands of instruction `at` apart into `operands`, whose room is used again. O(length
// of the instruction).
void lin_ptx_operands_read(lin_arena *arena, const lin_ptx_body *body, uint32_t at,
                           lin_ptx_operands *operands);

// The accesses of an instruction stand in the order of the words that name registers: the register
// that `word` names, if it is that of the access `*next`, which then moves on; else LIN_NONE. O(1).
uint32_t lin_ptx_operand_register(const lin_ptx_body *body, lin_ptx_token word, uint32_t *next,
                                  uint32_t behind, bool *is_part);

#endif
