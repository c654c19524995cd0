// The one module of PTX that a tool reads of a program, which may hold several.
#ifndef LIN_TOOLS_HELD_PTX_H
#define LIN_TOOLS_HELD_PTX_H

#include <stddef.h>

// How the user names the function that is looked for.
typedef struct tool_choice {
  const char *option; // "--kernel"
  const char *name;   // as C++ writes it, or its symbol; NULL: none is named
} tool_choice;

typedef struct tool_held {
  const char *name; // for messages and debug locations: the file's, with " (PTX)"
  const char *text; // a zero ends it
  size_t length;
} tool_held;

// The PTX of the module that defines the function of `choice`, or of the only one that defines any.
// `bytes` are what tool_is_program says. Stays until the next call, and to the program's end. Ends
// the program if there is none, with the names that there are if it could be several. Its name is
// one for tool_open_source. O(length).
const tool_held *tool_hold_ptx(const char *name, const char *bytes, size_t length,
                               const tool_choice *choice);

#endif
