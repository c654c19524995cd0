// Fat binaries with their PTX linearized.
#ifndef LIN_TOOLS_RUN_FAT_BINARY_H
#define LIN_TOOLS_RUN_FAT_BINARY_H

#include "image.h"

// The fat binary with its PTX linearized, and what is linearized not compressed: as
// image_linearize. O(its size and what linearizing takes).
void *fat_binary_linearize(const image *given, size_t *size);

// The same of the one that a wrapper says; the result is a wrapper.
void *fat_binary_linearize_wrapped(const image *given, size_t *size);

// Whether machine code in it runs on a GPU of compute capability `major`.`minor`. O(entries).
bool fat_binary_fits(const void *data, size_t size, int major, int minor);

#endif
