// The PTX of what a program has loaded, as it was loaded: versions of its kernels may be made of
// that.
//
//     cuModuleLoadData(image)    ──▶ module  ──┐
//     cuLibraryLoadData(image)   ──▶ library ──┴─▶ where the image's PTX is: nothing is unpacked,
//                                                  and only what may go before is copied
#ifndef LIN_TOOLS_VERSIONS_TEXTS_H
#define LIN_TOOLS_VERSIONS_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// The PTX for one GPU: a text, or an entry of a fat binary.
typedef struct text {
  const void *bytes;
  size_t size;
  bool is_entry;
  uint64_t digest;
} text_of_gpu;

// The handle stands for that image from now on. Images without PTX are forgotten at once, and what
// doesn't fit into 64 MB of copies. O(what is copied).
void texts_add(void *handle, const void *image);
void texts_forget(const void *handle);

// The PTX of which code for GPUs of sm_N can be made. False: there is none. Valid until the
// handle's is forgotten. O(1), but for the first time: O(its size).
bool texts_find(const void *handle, unsigned sm, text_of_gpu *found);

// Writes it as linearize-make reads it.
void texts_write(FILE *file, const text_of_gpu *t);

// The module is that of a library, in some context: it has the library's PTX. O(1).
void texts_add_module(const void *library, void *module);

// The driver's functions that load images, or say what a library's kernel is in a context.
int stand_in_load(void *function, void **module, const void *image);
int stand_in_load_with(void *function, void **module, const void *image, unsigned count,
                       int *options, void **values);
int stand_in_library(void *function, void **library, const void *image, int *options, void **values,
                     unsigned count, int *library_options, void **library_values,
                     unsigned library_count);

int stand_in_load_file(void *function, void **module, const char *file);
int stand_in_library_file(void *function, void **library, const char *file, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count);
int stand_in_function(void *called, void **function, void *kernel);

#endif
