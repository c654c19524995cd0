// A function's text, block by block.
#ifndef LIN_TOOLS_REPORT_IR_TEXT_H
#define LIN_TOOLS_REPORT_IR_TEXT_H

#include "graph/graph.h"
#include "llvm/ask/numbers.h"

#include <llvm-c/Types.h>

// A module as LLVM prints it. Printed one by one, each function would take a look at all of it.
typedef struct report_texts {
  char *module;          // to be disposed of
  const char **function; // [definitions]
  lin_numbers number;    // of the definitions
} report_texts;

// Prints a module. O(module).
report_texts report_print_module(lin_arena *arena, LLVMModuleRef module);
void report_texts_dispose(report_texts *texts);

// The instructions of each block of a function of which all values have names, as LLVM prints them
// but for metadata, attributes and debug records, and with %12 for %"%12". [num_blocks] in the
// function's order; empty texts if the text isn't what it should be. O(text).
const char **report_block_texts(lin_arena *arena, const report_texts *texts, LLVMValueRef function,
                                uint32_t num_blocks);

#endif
