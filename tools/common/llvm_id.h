// Which build of LLVM a program links.
#ifndef LIN_TOOLS_LLVM_ID_H
#define LIN_TOOLS_LLVM_ID_H

#include <stdbool.h>
#include <stdio.h>

// Writes the build id of the shared library libLLVM that `program` links, as the loader finds it,
// in hexadecimal digits. False if it links none, or none is found that has one. O(sections).
bool tool_llvm_id_write(FILE *file, const char *program);

#endif
