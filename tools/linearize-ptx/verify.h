// What ptxas says of the text that was made: a function is replaced only by better code.
//
//     text ──▶ lifted, changed ──▶ made ──▶ ptxas refuses it, and takes the text: the text
//                                       └─▶ a kernel spills more, or fewer of its thread blocks fit
//                                           on a multiprocessor, and the remarks promise less than
//                                           that: its body as it was
#ifndef LIN_TOOLS_LINEARIZE_PTX_VERIFY_H
#define LIN_TOOLS_LINEARIZE_PTX_VERIFY_H

#include "ptx/module.h"
#include "ptx/remark.h"

// What remarks say that is saved in functions, in the arena.
typedef struct tool_promise {
  const char *function;
  double saved, of; // instructions that a warp runs
} tool_promise;

typedef struct tool_promises {
  lin_arena *arena;
  tool_promise *promise; // [count]
  uint32_t count, capacity;
} tool_promises;

// Notes what a remark says is saved. O(promises), O(1) if remarks of a function follow each other.
void tool_promise_hear(tool_promises *promises, const lin_ptx_remark *remark);

// Has ptxas compile both texts. Returns `made`, or a text with fewer changes, to be freed, and
// `*length`; NULL: nothing of it may stay. Then `made` is freed. A line on standard error for what
// is dropped; `name` is the file's. Ends the program if there is no ptxas.
char *tool_verify(const char *name, const lin_ptx_module *module, char *made, size_t *length,
                  const tool_promises *promises);

#endif
