// What inline assembly of NVPTX does, by the opcodes and registers that it names (nvptx.h).
#ifndef LIN_GPU_ASSEMBLY_H
#define LIN_GPU_ASSEMBLY_H

#include "nvptx.h"

typedef struct lin_assembly {
  uint32_t effects;   // LIN_WAITS and so on (graph/graph.h) of the opcodes that are known
  uint32_t cost;      // of its instructions (gpu/costs.h)
  uint32_t families;  // bit f: it names something of family f (lin_nvptx_family)
  bool has_unknown;   // an opcode that the table doesn't have
  bool calls_unknown; // it calls by a pointer, or several functions
  bool does_more;     // than compute, pass parameters, and call a function by its name
  // In the text: the one function that it calls and the table doesn't have; NULL: none.
  const char *callee;
  size_t callee_length;
} lin_assembly;

// Reads the `length` characters of inline assembly: statements of PTX. O(length log rows).
lin_assembly lin_assembly_read(const char *text, size_t length);

// Whether it names something of that family. O(1).
static inline bool lin_assembly_names(const lin_assembly *assembly, lin_nvptx_family family) {
  return (assembly->families >> family & 1) != 0;
}

#endif
