// What is known while a body is read (body.h): where the text is read, which scope is open, and
// what the names in it mean. The files that read parts of a body share it:
//
//     body ─▶ declarations    .reg .b32 %r<3>;  $L1:  .loc 1 8 2
//       │ ├─▶ instructions    @%p1 add.s32 %r1, %r2, 1;
//       │ ├─▶ targets         bra $L1, whose label may stand behind it
//       │ └─▶ closed          { ... } that nobody leaves
//       ▼
//     parser                  names, refusals
//
// What can't be read is refused: the function that finds it says why and returns false, and so do
// those that called it.
#ifndef LIN_PTX_PARSER_H
#define LIN_PTX_PARSER_H

#include "body.h"
#include "names.h"

// `%r<8>`
typedef struct lin_ptx_declared {
  uint32_t count;
  uint32_t type, type_end;
} lin_ptx_declared;

typedef struct lin_ptx_parser {
  lin_arena *arena;
  lin_ptx_body *body;
  lin_ptx_names *names;
  lin_ptx_names *opcodes; // one scope; the value is a number in body->opcode
  lin_ptx_scan scan;
  const char *text;
  uint32_t scope; // the innermost
  uint32_t loc;
  lin_ptx_declared *declared;
  uint32_t num_declared;
  uint32_t declared_capacity, instruction_capacity, opcode_capacity, access_capacity;
  uint32_t label_capacity, table_capacity, target_capacity, scope_capacity, register_capacity;
  uint32_t loc_capacity, leads_capacity, rolled_capacity, aside_capacity;
} lin_ptx_parser;

// Notes a name in body->sign, if it has to be there.
void lin_ptx_note_sign(lin_ptx_parser *p, lin_ptx_token name);

// The scope around `scope`, or LIN_NONE.
static inline uint32_t lin_ptx_parser_around(const lin_ptx_parser *p, uint32_t scope) {
  return p->body->scope[scope].parent;
}

// Notes why the body is refused, and where. Returns false.
bool lin_ptx_refuse(lin_ptx_parser *p, uint32_t place, const char *reason);

// The same, for `what` and the word that it is about.
bool lin_ptx_refuse_word(lin_ptx_parser *p, lin_ptx_token token, const char *what);

// Goes behind the next semicolon. False, and refused, if there is none.
bool lin_ptx_skip_statement(lin_ptx_parser *p);

// The innermost meaning of a word as seen from `scope`, or NULL. O(nesting).
const lin_ptx_name *lin_ptx_find_outwards(const lin_ptx_parser *p, uint32_t scope,
                                          lin_ptx_token word);

// Gives a word a meaning in the scope that is open. The entry is the parser's.
lin_ptx_name *lin_ptx_declare(lin_ptx_parser *p, lin_ptx_token word, lin_ptx_meant meant,
                              uint32_t value);

// Adds a register to the body; returns its number.
uint32_t lin_ptx_add_register(lin_ptx_parser *p, lin_ptx_register reg);

// The register that a word stands for, or LIN_NONE. Sets `*is_part` where it is a part of one:
// `%v.x` is one of %v. The first use of `%r12` of `%r<51>` adds it. O(nesting * digits).
uint32_t lin_ptx_find_register(lin_ptx_parser *p, lin_ptx_token word, bool *is_part);

// Adds a place where a label is named, which isn't resolved yet (targets.h).
void lin_ptx_add_target(lin_ptx_parser *p, lin_ptx_token token);

#endif
