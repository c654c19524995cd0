// A PTX module: its text, and where its functions stand in it.
//
//     .version 9.0                      version
//     .target sm_90                     sm
//     .visible .entry f(.param ...)     start, name, is_kernel
//     {                                 body   the characters between the braces
//       ...
//     }                                 end
//     .file 1 "app.cu"                  file
//
//     .global .b32 x;                   variables
//
// Whatever else there is (sections of debug info, pragmas) is gone over.
#ifndef LIN_PTX_MODULE_H
#define LIN_PTX_MODULE_H

#include "variables.h"

// The newest PTX that is known, nvcc 13.0's, by its major version: what a later one changes in
// the language, nobody knows.
enum { LIN_PTX_NEWEST = 9 };

// What is wrong with a text.
typedef struct lin_ptx_error {
  uint32_t line;       // from 1
  const char *message; // one clause, in the arena; NULL: nothing is wrong
} lin_ptx_error;

// What a function promises or asks of the threads that run it.
enum { LIN_PTX_MAXNTID, LIN_PTX_REQNTID, LIN_PTX_MINNCTAPERSM, LIN_PTX_MAXNREG, LIN_PTX_BOUNDS };

// .maxntid 256, 1, 1
typedef struct lin_ptx_bound {
  uint32_t number[3], count;
} lin_ptx_bound;

typedef struct lin_ptx_place {
  const char *name;    // in the arena
  uint32_t start;      // of its linkage, as .visible, if it has any; else of .entry or .func
  uint32_t signature;  // behind .entry or .func: results, name, parameters, directives
  uint32_t named;      // of its name there
  uint32_t directives; // behind its parameters
  lin_ptx_variables results, parameters;
  uint32_t unusual; // a place in one of these lists that isn't written as usual, or 0
  lin_ptx_bound bound[LIN_PTX_BOUNDS];
  uint32_t body, end; // between the braces
  bool is_kernel;     // .entry
  uint32_t line;      // of .entry or .func
} lin_ptx_place;

typedef struct lin_ptx_source {
  uint32_t number;  // as .loc names it
  const char *name; // as the text has it, without quotes
} lin_ptx_source;

// `.alias name, of`: two names of a function.
typedef struct lin_ptx_alias {
  const char *name, *of;
} lin_ptx_alias;

typedef struct lin_ptx_module {
  const char *text;
  uint32_t length;         // without NULs and other marks at its end
  uint32_t version;        // 83 for 8.3
  bool has_long_addresses; // .address_size 64
  uint32_t sm;             // 90 for sm_90a; 0: none is named
  const char *target;      // sm_90a, in the arena; NULL: none is named
  bool is_debug;           // compiled with -G
  lin_ptx_place *function; // with a body, in the order of the text
  uint32_t num_functions;
  lin_ptx_variables variables; // outside of functions, in the order of the text, if usual
  lin_ptx_source *file;        // in the order of the text
  uint32_t num_files;
  lin_ptx_alias *alias; // in the order of the text
  uint32_t num_aliases;
} lin_ptx_module;

// Reads `length` bytes at `text`, which stay there as long as the module. NULL, with `error`
// filled, if that is no PTX, ends too soon, or is newer than LIN_PTX_NEWEST. Lives in the arena.
// O(length).
lin_ptx_module *lin_ptx_module_read(lin_arena *arena, const char *text, size_t length,
                                    lin_ptx_error *error);

// Whether a text is PTX: it begins with .version, but for comments and blanks. O(what it skips).
bool lin_ptx_is_module(const char *text, size_t length);

// Whether a word is .visible or the like, which stand in front of a statement.
bool lin_ptx_is_linkage(const char *text, lin_ptx_token token);

// The number of the function of that name, or num_functions. O(functions).
uint32_t lin_ptx_find_function(const lin_ptx_module *module, const char *name);

// The name of the source file with this number, or NULL. O(files).
const char *lin_ptx_file(const lin_ptx_module *module, uint32_t number);

#endif
