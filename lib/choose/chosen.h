// Which versions a kernel gets, of those that were asked for: the first ones that differ from it
// and from each other, as many as it may have.
//
//     asked for        needed   paper   plain.O3   merge-loops     at most 1
//     like             none     needed  itself     none
//                      └─────── made ───────────┘  left out
//
// Names are what the user calls them; numbers of builds and functions are as in copies.h.
#ifndef LIN_CHOOSE_CHOSEN_H
#define LIN_CHOOSE_CHOSEN_H

#include "copies.h"

#include <stddef.h>

enum { LIN_CHOSEN_MOST = 16 };

typedef struct lin_chosen {
  uint32_t kernel;                   // its number among the functions
  uint32_t itself;                   // the build that keeps its name
  uint32_t count;                    // versions that are asked for
  const char *name[LIN_CHOSEN_MOST]; // [count]
  uint32_t build[LIN_CHOSEN_MOST];   // [count]
  uint32_t like[LIN_CHOSEN_MOST];    // [count] lin_copies_distinct
  uint32_t made;                     // the first of these
  uint32_t kept;                     // those of them that are like none before
} lin_chosen;

// Adds one to what is asked for, if there is room. O(1).
void lin_chosen_ask(lin_chosen *k, const char *name, uint32_t build);

// Sets like, made and kept, with `most` kept at most, and keeps the copies that the kernel and its
// versions need. O(count^2 + functions + calls).
void lin_chosen_find(lin_chosen *k, lin_copies *copies, uint32_t most);

// Writes to `text`, as snprintf does with `size` and what it returns, what there is beside the
// plain version: ": needed, merge-loops; needed is also paper; left out, for max-versions: all".
// O(count^2 + length).
size_t lin_chosen_list(char *text, size_t size, const lin_chosen *k, const char *plain);

#endif
