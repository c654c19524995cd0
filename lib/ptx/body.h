// A function's body, taken apart into instructions, labels, registers and scopes.
//
//     .reg .b32 %r<3>;               registers %r0, %r1, %r2, as they are met
//     $L1:                           label, of the outermost scope
//     @%p1 add.s32 %r1, %r2, 1;      instruction: predicate %p1; sets %r1, if at all; reads %r2
//     {                              scope 1
//     .reg .pred q;                  a register of that scope
//     LOOP: @q bra LOOP;             this label as well
//     }
//
// Declarations stay text between instructions. What a function would lose with its text
// (variables, prototypes, pragmas) is listed.
//
// A scope whose branches all stay in it, and from which nothing returns, is closed: inline assembly
// with a loop of its own. To the core it is a piece of one block, as it is to LLVM.
#ifndef LIN_PTX_BODY_H
#define LIN_PTX_BODY_H

#include "module.h"
#include "opcodes.h"

#include "graph/graph.h"

typedef enum lin_ptx_access_kind {
  LIN_PTX_READ,
  LIN_PTX_SET,
  LIN_PTX_MAY_SET, // under a predicate, in part, or in a closed scope that branches
} lin_ptx_access_kind;

typedef struct lin_ptx_access {
  uint32_t reg : 30;
  uint32_t kind : 2;
} lin_ptx_access;

typedef struct lin_ptx_instruction {
  uint32_t start;     // of its predicate or opcode
  uint32_t name;      // of its opcode
  uint32_t operands;  // behind that
  uint32_t end;       // behind its semicolon
  uint32_t opcode;    // into opcode[]
  uint32_t access;    // its first in access[]
  uint32_t predicate; // register, or LIN_NONE
  uint32_t scope;
  uint32_t loc;    // into loc[], or LIN_NONE
  bool is_negated; // @!p
  bool is_closed;  // in a closed scope that has branches
  bool is_own;     // what it sets differs from thread to thread, whatever its registers hold
} lin_ptx_instruction;

typedef struct lin_ptx_label {
  uint32_t start, end; // its name
  uint32_t scope;
  uint32_t before; // the instruction in front of which it stands
  bool is_target;  // of a branch that isn't in a closed scope
} lin_ptx_label;

// A list of labels for brx.idx.
typedef struct lin_ptx_table {
  uint32_t first, count; // in target[]
  uint32_t users;        // branches
} lin_ptx_table;

// A place where a label is named.
typedef struct lin_ptx_target {
  uint32_t start, end;
  uint32_t label;
} lin_ptx_target;

typedef struct lin_ptx_scope {
  uint32_t parent; // LIN_NONE of the outermost, 0
  uint32_t depth;
  uint32_t first, behind; // its instructions
  uint32_t start, end;    // of its text, with the braces; the outermost has none
  bool is_closed;
  uint32_t variable; // how many were declared before it
  bool declares;     // variables: parameters of a call, memory; or prototypes
} lin_ptx_scope;

typedef struct lin_ptx_register {
  uint32_t start, end;     // where it is first named
  uint32_t type, type_end; // of its declaration: `.b32`, `.v4 .b32`
  uint32_t scope;
  bool is_parameter;
} lin_ptx_register;

typedef struct lin_ptx_position {
  uint32_t file, line, column;
} lin_ptx_position;

// .loc 1 5 20, function_name $L__info_string0, inlined_at 1 16 7
//      own                                                at
typedef struct lin_ptx_loc {
  lin_ptx_position own, at;
  bool is_inlined;     // there is `at`
  uint32_t start, end; // the whole directive
} lin_ptx_loc;

// A prototype, or a pragma that is no loop's.
typedef struct lin_ptx_aside {
  uint32_t start, end;
  uint32_t scope;
  uint32_t before; // the instruction in front of which it stands
  bool is_bound;   // means something where it stands alone
} lin_ptx_aside;

typedef struct lin_ptx_body {
  const lin_ptx_module *module;
  const lin_ptx_place *place;
  lin_ptx_instruction *instruction; // [count + 1] in the order of the text; the last one is the end
  lin_ptx_opcode *opcode;           // [num_opcodes]
  lin_ptx_access *access;           // [num_accesses]
  lin_ptx_label *label;             // [num_labels] in the order of the text
  lin_ptx_table *table;             // [num_tables]
  lin_ptx_target *target;           // [num_targets] of tables, then of branches
  uint32_t *leads_to;               // [count] target of a bra, table of a brx.idx, else LIN_NONE
  lin_ptx_scope *scope;             // [num_scopes]
  lin_ptx_register *reg;            // [num_regs] in the order in which they are first named
  lin_ptx_variables variables;      // in the order of the text
  lin_ptx_loc *loc;                 // [num_locs]
  uint32_t *rolled;                 // [num_rolled] instructions behind a .pragma "nounroll"
  lin_ptx_aside *aside;             // [num_asides] in the order of the text
  const char *refused;              // why nothing may be changed, or NULL: all is understood
  uint32_t refused_at;              // its place
  uint32_t sign;                    // the first name that has a % behind its beginning, or 0
  uint32_t count, num_opcodes, num_accesses, num_labels, num_tables, num_targets, num_scopes,
      num_regs, num_locs, num_rolled, num_asides;
} lin_ptx_body;

// Takes the body of a function apart. Lives in the arena. `refused` is set where control flow isn't
// understood; then what follows is missing. O(length of the body).
lin_ptx_body *lin_ptx_body_read(lin_arena *arena, const lin_ptx_module *module,
                                const lin_ptx_place *place);

// What its opcode means.
static inline const lin_ptx_opcode *lin_ptx_meaning(const lin_ptx_body *body, uint32_t at) {
  return &body->opcode[body->instruction[at].opcode];
}

// for (LIN_PTX_ACCESSES(body, instruction, i)) ... visits its accesses, by their indices.
#define LIN_PTX_ACCESSES(body, at, index)                                                          \
  uint32_t index = (body)->instruction[at].access;                                                 \
  index < (body)->instruction[(at) + 1].access;                                                    \
  index++

#endif
