// What NVRTC compiled, with its PTX linearized.
//
// A program asks for the length, makes room, and asks for the text. Both are linearized, each for
// itself, which comes to the same; that the program has room is remembered as one number. What
// NVRTC had compiled is remembered, too: the driver may not take what was made of it.
#ifndef LIN_TOOLS_RUN_NVRTC_H
#define LIN_TOOLS_RUN_NVRTC_H

#include "driver.h"

#include <stddef.h>

// As nvrtcGetPTXSize, by that of NVRTC, and its nvrtcGetPTX, which may be NULL: missing.
int nvrtc_linearized_size(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                          size_t *size);

// As nvrtcGetPTX; `get_size` may be NULL.
int nvrtc_linearized_text(nvrtc_get_size *get_size, nvrtc_get_text *get_text, void *program,
                          char *text);

// What NVRTC had compiled, in place of which a program got `text`, of `length` bytes: a copy, to be
// freed. NULL: none, or 64 others came since. O(length).
char *nvrtc_original(const char *text, size_t length);

#endif
