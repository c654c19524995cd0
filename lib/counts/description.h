// What a kernel that counts says of its counters: text in the module, from which and from the
// counters follows how often each thread entered each block. The compiler writes it, linearize-simt
// and the library that runs with the program read it.
//
//     linearize blocks 1
//     5d3c1b0a49e7f268                       hash of names and edges of all functions
//     4 2                                    counters, functions: the kernel, then what it calls
//     3 walk                                 blocks, name
//     entry<TAB>20<TAB>walk.cu:3<TAB>1 2=0    name, cycles, place, successors; =N: its counter
//     loop<TAB>85<TAB>walk.cu:5<TAB>1=1 2
//     exit<TAB>4<TAB><TAB>r=2                 r: threads return
//     1 f
//     entry<TAB>9<TAB><TAB>#3 r               #N: the counter of the block itself; behind it
//                                             !N: that of passes of warps
//
// The kernel writes its counters, 32 bits each, into a buffer that the variable below names. Slots
// are threads, those of one thread block beside each other, so that a warp writes each counter as
// one piece; of every `sample` thread blocks the first is counted, and has the next slots.
//
//                slot 0    slot 1         slot capacity - 1
//     counter 0  [     ]   [     ]  ...   [     ]
//     counter 1  [     ]   ...
#ifndef LIN_COUNTS_DESCRIPTION_H
#define LIN_COUNTS_DESCRIPTION_H

#include "solve.h"

#include <stddef.h>
#include <stdio.h>

// A kernel K has these in its module.
#define LIN_COUNT_VARIABLE_PREFIX "__linearize_counts_" // then K: a lin_count_variable
#define LIN_COUNT_PLAIN_SUFFIX                                                                     \
  "__linearize_plain" // behind K: its code without counters, or nothing
#define LIN_COUNT_TEXT_PREFIX "__linearize_blocks_" // then K: the text, ending with a NUL

// In the GPU's memory. At first {0, 0, 1}: no slots, so that nothing is written.
typedef struct lin_count_variable {
  uint64_t buffer;   // address of capacity times counters words
  uint32_t capacity; // slots
  uint32_t sample;   // at least 1
} lin_count_variable;

typedef struct lin_counted_function {
  const lin_graph *graph;
  const uint32_t *latency;   // [num_blocks] cycles
  const char *const *source; // [num_blocks] "FILE:LINE", or ""
  lin_counters *counters;    // numbers are the kernel's, all functions together
} lin_counted_function;

typedef struct lin_count_description {
  uint64_t hash;
  uint32_t num_counters, num_blocks; // of all functions
  uint32_t num_functions;
  lin_counted_function *function; // [num_functions] the kernel is 0
} lin_count_description;

// A hash of the names, edges and returns of all functions: of equal code the same. O(edges).
uint64_t lin_count_hash(const lin_count_description *description);

// Writes the text. Tabs and ends of lines in names become `_`. O(edges).
void lin_count_write(FILE *file, const lin_count_description *description);

// Reads the `length` bytes at `text`, or up to a NUL; all is in the arena. Returns NULL if it is no
// such text, of another version, or damaged so that counters don't add up. O(length).
lin_count_description *lin_count_parse(lin_arena *arena, const char *text, size_t length);

#endif
