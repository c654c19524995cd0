// The statements of a module outside of its functions' bodies, and what they name.
#ifndef LIN_PTX_STATEMENTS_H
#define LIN_PTX_STATEMENTS_H

#include "module.h"

typedef enum lin_ptx_statement_kind {
  LIN_PTX_IS_FUNCTION, // with a body
  LIN_PTX_IS_DECLARED, // a function without one
  LIN_PTX_IS_GLOBAL,
  LIN_PTX_IS_CONSTANT,
  LIN_PTX_IS_SHARED,
  LIN_PTX_IS_OTHER, // textures, aliases, and several variables in one statement
} lin_ptx_statement_kind;

typedef struct lin_ptx_statement {
  lin_ptx_statement_kind kind;
  const char *name;    // in the text, not ended
  uint32_t length;     // of the name
  uint32_t start, end; // with its semicolon, or its last brace
  uint32_t place;      // of a function: its number in the module
  bool is_external;    // .extern
  bool has_linkage;    // .visible and the like
  bool has_value;      // an initializer
} lin_ptx_statement;

// All of them, in the order of the text, in the arena. Pragmas, files and sections are none.
// O(text).
lin_ptx_statement *lin_ptx_statements(lin_arena *arena, const lin_ptx_module *module,
                                      uint32_t *count);

#endif
