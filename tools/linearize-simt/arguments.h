// The kernel's arguments, and what else the launch puts into memory, from the command line.
#ifndef LIN_TOOLS_SIMT_ARGUMENTS_H
#define LIN_TOOLS_SIMT_ARGUMENTS_H

#include "data.h"
#include "options.h"

// Memory that can be printed and written to a file.
typedef struct tool_memory {
  const char *name; // of a buffer that has one, else NULL
  uint64_t address;
  const tool_scalar *type;
} tool_memory;

typedef struct tool_arguments {
  uint64_t *value;          // registers, one behind the other
  const uint8_t **by_value; // [parameters] bytes of those passed by value, else NULL
  tool_memory *buffer;      // [parameters] those of buffers; their addresses are 0 for others
  tool_memory *named;       // [num_named] of --buffer
  uint32_t num_named;
} tool_arguments;

// Makes the buffers in `machine`, whose program is the one to launch, and sets its global
// variables. Ends the program for arguments that don't fit its parameters; `needs` says what would.
tool_arguments tool_make_arguments(lin_arena *arena, simt_machine *machine,
                                   const tool_options *options, const char *needs);

// The memory that `what` names: a parameter's number, a named buffer or a global variable, then, if
// it is to be seen as another, a colon and a type. Its object is in `*object`. Ends the program if
// there is none; `option` is for the message.
tool_memory tool_find_memory(lin_arena *arena, const simt_machine *machine,
                             const tool_arguments *arguments, const char *option, const char *what,
                             const simt_object **object);

// Prints the elements of `object` by their type, eight in a line; what nobody wrote as `-`.
void tool_print_memory(FILE *file, const tool_memory *memory, const simt_object *object);

#endif
