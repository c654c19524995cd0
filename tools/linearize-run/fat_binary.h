// Fat binaries with their PTX linearized.
#ifndef LIN_TOOLS_RUN_FAT_BINARY_H
#define LIN_TOOLS_RUN_FAT_BINARY_H

#include "image.h"

// The image with its PTX linearized: text, fat binaries, and the structures around those in
// programs. NULL if it stays as it is, be it that nothing changes, that it holds no PTX, or that
// anything goes wrong, which one line on standard error says. The caller frees the result; *size is
// what it takes, with the zero that ends a text. `needs_ptx` is asked whether the driver will use
// the PTX of a fat binary. Any thread may call it. Keeps nothing.
void *image_linearize(const image *given, size_t *size);

// Whether machine code in it runs on a GPU of compute capability `major`.`minor`. O(entries).
bool fat_binary_fits(const void *data, size_t size, int major, int minor);

#endif
