// Names by scope: a name means what the innermost scope around it says.
#ifndef LIN_PTX_NAMES_H
#define LIN_PTX_NAMES_H

#include "graph/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum lin_ptx_meant {
  LIN_PTX_NOTHING, // no such name
  LIN_PTX_REGISTER,
  LIN_PTX_REGISTERS, // the first part of the names of several: %r of %r<8>
  LIN_PTX_LABEL,
  LIN_PTX_TABLE,
  LIN_PTX_VARIABLE,
} lin_ptx_meant;

typedef struct lin_ptx_name {
  const char *text;
  uint32_t length, scope;
  lin_ptx_meant meant;
  uint32_t value; // number of the register, label or table
} lin_ptx_name;

typedef struct lin_ptx_names lin_ptx_names;

lin_ptx_names *lin_ptx_names_new(lin_arena *arena);

// The entry of a name in this very scope: LIN_PTX_NOTHING if it is new, and then the caller fills
// in what it means. `text` has to stay. Valid until the next call. O(length).
lin_ptx_name *lin_ptx_names_entry(lin_ptx_names *names, uint32_t scope, const char *text,
                                  uint32_t length);

// The same without making one: NULL if there is none.
const lin_ptx_name *lin_ptx_names_find(const lin_ptx_names *names, uint32_t scope, const char *text,
                                       uint32_t length);

#endif
