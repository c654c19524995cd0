// What a report knows of each function, before and after.
#ifndef LIN_TOOLS_REPORT_REPORT_H
#define LIN_TOOLS_REPORT_REPORT_H

#include "graph/graph.h"
#include "ir_text.h"
#include "linearize-graph/lines.h"
#include "remarks.h"

#include <llvm-c/Types.h>

typedef struct report_block {
  const char *text; // instructions, as LLVM prints them, without what says where they come from
  tool_lines lines; // all that it comes from
  tool_lines own[TOOL_LEVELS];
  uint32_t instructions; // without phis
  lin_block original;    // its number before, LIN_NONE for one that was added
  uint32_t region;       // number of the innermost one around it, or LIN_NONE
  lin_block asks_for;    // of a guard: the block that comes next if it lets threads in
  bool is_guard;
  bool is_uniform; // it branches, and all threads of a warp go one way
} report_block;

// The function before or after. Where several blocks return, the graph has one more block, the exit
// that they lead to, for that is what the analysis sees.
typedef struct report_side {
  const lin_graph *graph;
  uint32_t num_blocks; // without that exit
  report_block *block; // [graph->num_blocks]
  uint8_t *kinds;      // [graph->num_edges] of unstructured edges, 0 for others
  uint32_t unstructured, irreducible, guards, instructions;
} report_side;

typedef struct report_region {
  uint32_t parent;    // number of the region around it, or LIN_NONE
  lin_block from, to; // the blocks that bound it (algorithm2_regions.h), LIN_NONE if there is none
} report_region;

typedef struct report_function {
  const char *name;
  const char *title;   // as it stands in the source, as far as the name tells
  const char *refused; // why linearize can't look at it, or NULL
  bool is_changed;
  bool divergence_known;
  uint32_t level; // of the lines that are its own
  uint32_t file;  // of sources, that most of it comes from; LIN_NONE: nothing is known
  report_side before, after;
  uint32_t num_regions; // minimal ones, by the numbers that remarks have
  report_region *region;
} report_function;

typedef struct report_functions {
  uint32_t count, capacity;
  report_function *function;
} report_functions;

// Which functions are shown.
typedef struct report_choice {
  const char *only;              // the one of this name; NULL: all
  uint32_t most;                 // that many; those of which something was said come first
  const report_remarks *remarks; // what was said
} report_choice;

// Makes declarations of all others, so that a module of very many functions takes no more memory
// than that many. Returns how many there were to choose from. O(size of the module).
uint32_t report_keep(LLVMModuleRef module, const report_choice *choice);

// Makes declarations of the functions that `as` doesn't define. O(size of the module).
void report_keep_same(LLVMModuleRef module, LLVMModuleRef as);

// Reads the functions that `before` defines, and what they are in `after`, in the module's order.
// Everything is in the arena. O(size of the modules).
report_functions report_read(lin_arena *arena, LLVMModuleRef before, LLVMModuleRef after,
                             tool_sources *sources);

// One side of a function (side.c); its blocks know no originals and, after, no regions.
report_side report_read_side(lin_arena *arena, LLVMValueRef function, const report_texts *texts,
                             tool_sources *sources, report_function *of);

#endif
