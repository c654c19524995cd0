// What the functions that this library stands in for do, each by its kind: linearize the image, and
// call `function`, the driver's or whose it is, with that and all else as the program gave it.
#ifndef LIN_TOOLS_RUN_STAND_INS_H
#define LIN_TOOLS_RUN_STAND_INS_H

#include <stddef.h>
#include <stdint.h>

int stand_in_load(void *function, void **module, const void *data);
int stand_in_load_with(void *function, void **module, const void *data, unsigned count,
                       int *options, void **values);
int stand_in_load_file(void *function, void **module, const char *file);
int stand_in_link_data(void *function, void *state, int type, void *data, size_t size,
                       const char *name, unsigned count, int *options, void **values);
int stand_in_link_file(void *function, void *state, int type, const char *file, unsigned count,
                       int *options, void **values);
int stand_in_library_data(void *function, void **library, const void *data, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count);
int stand_in_library_file(void *function, void **library, const char *file, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count);
int stand_in_ptx_size(void *function, void *program, size_t *size);
int stand_in_ptx_text(void *function, void *program, char *text);

#endif
