// What fills memory, as the command line says it:
//
//     TYPE:COUNT[:FILL]          f32:64, u32:16:random:seed=7:below=100, i32:4:values=1,-2,3,4
//     TYPE:file=PATH             as many as the file has; the bytes are as they lie in memory
//     {FIELD;FIELD;...},{...}    structures: f32:1.5;i32:7;u8:1,2,3;pad:4;ptr:NAME
//
// A field is aligned to its size, as in C, and ptr:NAME is the address of a named buffer.
#ifndef LIN_TOOLS_SIMT_DATA_H
#define LIN_TOOLS_SIMT_DATA_H

#include "graph/arena.h"
#include "simt/machine.h"

#include <stdio.h>

typedef struct tool_scalar {
  const char *name;
  uint8_t bits;
  bool is_float, is_signed, is_address;
} tool_scalar;

// Where a name lies, for ptr:NAME.
typedef struct tool_place {
  const char *name;
  uint64_t address;
} tool_place;

typedef struct tool_data {
  lin_arena *arena;
  const char *argument; // all of it with its option, for messages
  const tool_place *place;
  uint32_t num_places;
  uint64_t room; // bytes that there are for it, for a fill without a count; 0: a count is needed
} tool_data;

// The type called `name`; ends the program if there is none.
const tool_scalar *tool_scalar_type(const tool_data *data, const char *name);

// The type for scalars that have so many bits: unsigned, if they are no floats.
const tool_scalar *tool_scalar_of(uint8_t bits, bool is_float);

// The bits of a number, or of an address, of a type; ends the program if `text` is none.
uint64_t tool_scalar_value(const tool_data *data, const tool_scalar *type, const char *text);

// The type of the first elements that `text` describes: u8 of structures.
const tool_scalar *tool_data_type(const tool_data *data, const char *text);

// How many bytes `text` describes. Ends the program if it makes no sense.
uint64_t tool_data_size(const tool_data *data, const char *text);

// Fills `bytes`, which are so many, and marks what is `written`.
void tool_data_fill(const tool_data *data, const char *text, uint8_t *bytes, uint8_t *written);

// Prints an element as a number, behind a blank.
void tool_print_scalar(FILE *file, const tool_scalar *type, uint64_t value);

#endif
