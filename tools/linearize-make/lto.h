// LTO-IR that a program linked while it ran: nvJitLink, which it has, links it to PTX.
//
//     linearize links LTO-IR
//     library /usr/lib/libnvJitLink.so.13
//     option -arch=sm_90
//     option -lto
//     input 3 5312                             type and bytes
//     ...                                      these, and a line's end
#ifndef LIN_TOOLS_LINEARIZE_MAKE_LTO_H
#define LIN_TOOLS_LINEARIZE_MAKE_LTO_H

#include <stdbool.h>
#include <stddef.h>

// The first line.
#define LTO_BEGIN "linearize links LTO-IR\n"

// Whether that is such a text. O(1).
bool lto_is(const char *bytes, size_t size);

// Its PTX, with a zero behind it, to be freed, and the length. NULL: `*failure` is why, a clause.
// `bytes` changes. O(size), and what nvJitLink takes.
char *lto_link(char *bytes, size_t size, size_t *length, const char **failure);

#endif
