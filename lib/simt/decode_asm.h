// What the parts of the decoder of inline assembly share.
//
//   decode_asm.c          the text: statements, moves; the call
//   decode_asm_names.c    names, numbers, parts of opcodes
//   decode_asm_compute.c  what computes, by the table of math_functions.h; conversions, comparisons
//   decode_asm_memory.c   loads, stores, atomic operations, addresses
//   decode_asm_threads.c  what is of several threads: votes, shuffles, barriers
//
// The first thing that is unknown sets `failed`; decoding then goes on without harm.
#ifndef LIN_SIMT_DECODE_ASM_H
#define LIN_SIMT_DECODE_ASM_H

#include "decode_parts.h"

enum { SIMT_ASM_NAMES = 64, SIMT_ASM_OPERANDS = 12, SIMT_ASM_WORDS = 8, SIMT_ASM_TEXT = 96 };

typedef struct simt_asm_name {
  const char *text;
  simt_register reg;
} simt_asm_name;

typedef struct simt_assembly {
  simt_decoder *d;
  simt_asm_name name[SIMT_ASM_NAMES];
  unsigned num_names;
  bool failed; // something is unknown
} simt_assembly;

// What stands between two commas: {a, b} and a|b are several words, [a+8] an address.
typedef struct simt_asm_operand {
  const char *word[SIMT_ASM_WORDS];
  unsigned num_words;
  bool is_address;
} simt_asm_operand;

typedef struct simt_statement {
  const char *predicate; // @p or @!p, or NULL
  const char *opcode;
  simt_asm_operand operand[SIMT_ASM_OPERANDS];
  unsigned num_operands;
} simt_statement;

// ---- names and numbers

// The register that a name stands for, or NULL.
simt_register *simt_asm_find(simt_assembly *a, const char *text);
void simt_asm_set(simt_assembly *a, const char *text, simt_register reg);
// A name, a number of so many bits, a special register, or a variable's address; of !p what p
// isn't.
simt_register simt_asm_value(simt_assembly *a, const char *text, uint8_t bits);
simt_register simt_asm_shifted(simt_assembly *a, simt_opcode opcode, simt_register value,
                               unsigned by);
// The same value with the sign of its lower `from` bits, in 32: no instruction of the machine.
simt_register simt_asm_extended(simt_assembly *a, simt_register value, uint8_t from);

// ---- opcodes

bool simt_asm_begins(const char *opcode, const char *with);
// Whether a part of the opcode is this word.
bool simt_asm_has(const char *opcode, const char *word);
// Whether each of its parts is among these, which blanks part, but for the first and the last.
bool simt_asm_has_only(const char *opcode, const char *words);
// The bits of the type behind the last dot, 0 if it is none.
uint8_t simt_asm_bits(const char *opcode);

// ---- the parts: each returns false if the statement isn't one of its own

bool simt_asm_memory(simt_assembly *a, const simt_statement *s);
bool simt_asm_threads(simt_assembly *a, const simt_statement *s);
// Everything else.
void simt_asm_compute(simt_assembly *a, const simt_statement *s);
// The name of the carry, which no other can have.
extern const char simt_asm_carry[];

#endif
