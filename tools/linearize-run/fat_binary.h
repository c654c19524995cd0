// Fat binaries: what nvcc puts into programs.
//
//     wrapper   magic, version, where    in programs alone
//                  |
//     header    magic, version, its size, size of what follows
//     entry     kind, sizes, architecture, flags | name, options | PTX or machine code, compressed
//     entry     ...
//
// There is no description of NVIDIA's; the fields are those that fatbinary of CUDA 13.0 writes with
// each --compress-mode, and those with other meanings are copied as they are.
#ifndef LIN_TOOLS_RUN_FAT_BINARY_H
#define LIN_TOOLS_RUN_FAT_BINARY_H

#include "image.h"

#include <stdint.h>

#define FAT_BINARY_MAGIC 0xba55ed50u
#define FAT_BINARY_WRAPPER_MAGIC 0x466243b1u

// The fat binary with its PTX linearized, and what is linearized not compressed: as
// image_linearize. O(its size and what linearizing takes).
void *fat_binary_linearize(const image *given, size_t *size);

// The same of the one that a wrapper says; the result is a wrapper.
void *fat_binary_linearize_wrapped(const image *given, size_t *size);

// Whether machine code in it runs on a GPU of compute capability `major`.`minor`. O(entries).
bool fat_binary_fits(const void *data, size_t size, int major, int minor);

#endif
