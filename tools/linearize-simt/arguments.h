// The kernel's arguments, from the command line.
#ifndef LIN_TOOLS_SIMT_ARGUMENTS_H
#define LIN_TOOLS_SIMT_ARGUMENTS_H

#include "options.h"

typedef struct tool_arguments {
  uint64_t *value;          // registers, one behind the other
  const uint8_t **by_value; // [parameters] bytes of those passed by value, else NULL
  uint64_t *buffer;         // [parameters] addresses of buffers, else 0
} tool_arguments;

// Makes the buffers in `machine`, whose program is the one to launch. Ends the program for
// arguments that don't fit its parameters.
tool_arguments tool_make_arguments(lin_arena *arena, simt_machine *machine,
                                   const tool_options *options);

// Prints the elements of `buffer`, that of argument `number`, eight in a line, by the type that the
// command line gives them; what nobody wrote as `-`.
void tool_print_buffer(FILE *file, const tool_options *options, unsigned number,
                       const simt_object *buffer);

#endif
