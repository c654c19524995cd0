// A function's text, block by block.
#ifndef LIN_TOOLS_REPORT_IR_TEXT_H
#define LIN_TOOLS_REPORT_IR_TEXT_H

#include "report.h"

// The instructions of each block of a function of which all values have names, as LLVM prints them
// but for metadata, attributes and debug records, and with %12 for %"%12". [num_blocks] in the
// function's order; empty texts if the text isn't what it should be. O(text).
const char **report_block_texts(lin_arena *arena, LLVMValueRef function, uint32_t num_blocks);

#endif
