// What PTX declares: variables of a module, of a function's body, parameters and results.
//
//     .visible .global .align 4 .b8 table[16] = { ... };
//     declared space            type name       value   behind
//
// The module (module.h) and the body (body.h) keep what is read here once.
#ifndef LIN_PTX_VARIABLES_H
#define LIN_PTX_VARIABLES_H

#include "scan.h"

#include "graph/arena.h"

typedef enum lin_ptx_space { // the numbers are those of NVPTX's address spaces
  LIN_PTX_GENERIC = 0,
  LIN_PTX_GLOBAL = 1,
  LIN_PTX_SHARED = 3,
  LIN_PTX_CONST = 4,
  LIN_PTX_LOCAL = 5,
  LIN_PTX_PARAM = 101,
  LIN_PTX_REG, // a parameter or result that is a register
} lin_ptx_space;

typedef struct lin_ptx_variable {
  uint32_t start, end;       // its name; 0, 0: it isn't declared as usual
  uint32_t type, type_end;   // the word, as .b32
  uint32_t declared, behind; // of a statement: its linkage or space, behind its semicolon
  uint32_t value;            // at its `=`, or 0
  uint32_t scope;            // of a body
  lin_ptx_space space;
  uint32_t align; // .align, or that of its type, of a vector that of all its elements
  uint64_t bytes;
  bool is_array;
  bool is_plain; // .b32 name: no array or vector, without .align
  bool is_extern;
} lin_ptx_variable;

typedef struct lin_ptx_variables {
  lin_ptx_variable *variable; // [count]
  uint32_t count, capacity;
} lin_ptx_variables;

// The space that a word like `.shared` names, or LIN_PTX_GENERIC.
lin_ptx_space lin_ptx_space_of(const char *text, lin_ptx_token word);

// Adds what is declared behind the word that names a space, which `known` has, or behind the
// bracket of a list of parameters. Moves to the character that ends it, ; = or ), and returns that;
// 0, behind what isn't as usual. O(length).
//     .align 4 .b8 name[16][4] = { ... };   .f32 a, b;   (.param .u64 .ptr .global .align 1 a)
char lin_ptx_variables_read(lin_arena *arena, lin_ptx_scan *scan, const lin_ptx_variable *known,
                            lin_ptx_variables *into);

// Whether the name of a variable is the text from `start` to `end`.
bool lin_ptx_is_variable(const char *text, const lin_ptx_variable *v, uint32_t start, uint32_t end);

#endif
