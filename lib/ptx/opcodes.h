// What PTX instructions mean to control flow and to other threads, by one table of opcodes.
//
// An opcode that isn't in the table may do anything to memory and other threads, and to any
// register that it names.
#ifndef LIN_PTX_OPCODES_H
#define LIN_PTX_OPCODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Where control goes behind an instruction.
typedef enum lin_ptx_flow {
  LIN_PTX_ON,     // to the next instruction
  LIN_PTX_BRA,    // bra
  LIN_PTX_BRX,    // brx.idx: one of a list of labels
  LIN_PTX_RETURN, // ret, and exit in a kernel
  LIN_PTX_EXIT,   // exit
  LIN_PTX_TRAP,   // trap
  LIN_PTX_CALL,   // call: on, when it returns
  LIN_PTX_JUMP,   // somewhere that nobody knows: brx, and whatever else there may be
} lin_ptx_flow;

typedef struct lin_ptx_opcode {
  lin_ptx_flow flow;
  uint32_t effects; // LIN_WAITS | LIN_POLLS | LIN_RELEASES | LIN_CROSS_LANE | LIN_MAY_SPIN |
                    // LIN_MEMORY (graph/graph.h)
  uint32_t cost;    // in simple instructions, as llvm/ask/cost.h has them
  bool has_result;  // its first operand is what it sets, unless that is memory
  bool keeps;       // what it sets it also reads, or sets in part
  bool is_known;    // false: any operand may be set
  bool is_own;      // what it gives differs from thread to thread, whatever its operands are
  bool is_param;    // reads a parameter, or what a call returned
} lin_ptx_opcode;

// What the opcode of `length` characters means, all its parts included. O(length).
lin_ptx_opcode lin_ptx_opcode_of(const char *opcode, size_t length);

#endif
