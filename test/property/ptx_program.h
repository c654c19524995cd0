// A module as ptx_reader.c has read it, for ptx_machine.c to run. Names have become numbers or
// hashes.
#ifndef LIN_TEST_PTX_PROGRAM_H
#define LIN_TEST_PTX_PROGRAM_H

#include "ptx_machine.h"

#include "graph/graph.h"

#include <string.h>

enum { MOST_OPERANDS = 40 }; // of an instruction

typedef enum operand_kind { REGISTER, NUMBER, SPECIAL, SYMBOL } operand_kind;

typedef struct operand {
  operand_kind kind;
  uint64_t value;  // number of the register, number, hash of the name
  uint64_t offset; // [%rd1+4]
  uint8_t list;    // operands of one list { } or ( ) or [ ], or of p|q, have the same number
  bool is_address; // between [ ]
  bool is_negated; // !p
} operand;

typedef enum kind {
  PLAIN,
  EVENT,
  STORE,
  LOAD,
  ATOMIC,
  BRANCH,
  SWITCH,
  CALL,
  RETURN,
  EXIT,
  TRAP
} kind;

typedef struct instruction {
  const char *opcode;
  uint64_t hash; // of the opcode
  kind kind;
  uint32_t predicate; // or LIN_NONE
  bool is_negated;
  uint32_t scope;
  uint32_t first, count; // operands
  uint32_t target;       // of a branch
  const uint32_t *way;   // of a switch
  uint32_t num_ways;
  bool has_result; // its first list of operands is set
  const char *label;
} instruction;

typedef struct function {
  const char *name;
  bool is_kernel;
  instruction *instruction;
  operand *operand;
  uint32_t num_instructions, num_operands, num_registers, num_scopes;
  uint32_t *width;  // [registers]
  uint64_t *hash;   // [registers] of their names
  uint64_t *result; // hashes of parameters, those returned first
  uint32_t *own;    // [parameters] registers, or LIN_NONE
  uint32_t num_results, num_parameters;
} function;

struct ptx_machine {
  function *function;
  uint32_t num_functions;
};

static inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = a * 0x9e3779b97f4a7c15u + (b ^ (b >> 29)) * 0xbf58476d1ce4e5b9u + 1;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline uint64_t hash_text(const char *text) {
  uint64_t result = 14695981039346656037u;
  for (; *text != '\0'; text++)
    result = (result ^ (unsigned char)*text) * 1099511628211u;
  return mix(result, 7);
}

static inline bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

#endif
