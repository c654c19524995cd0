// The little that is used here of the interfaces of the driver and NVRTC: functions that
// take images or give PTX, and those that tell about GPUs. Handles are pointers, numbers are those
// of cuda.h, statuses are 0 where all went well.
#ifndef LIN_TOOLS_RUN_DRIVER_H
#define LIN_TOOLS_RUN_DRIVER_H

#include "preload/lookups.h"

#include <stddef.h>
#include <stdint.h>

enum {
  DRIVER_MAJOR = 75,               // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
  DRIVER_MINOR = 76,               // and _MINOR
  DRIVER_INPUT_PTX = 1,            // CU_JIT_INPUT_PTX
  DRIVER_INPUT_FAT_BINARY = 2,     // CU_JIT_INPUT_FATBINARY
  DRIVER_LIBRARY_IS_PRESERVED = 1, // CU_LIBRARY_BINARY_IS_PRESERVED
  DRIVER_NO_CONTEXT = 201,         // CUDA_ERROR_INVALID_CONTEXT
  DRIVER_NO_NAME = 500,            // CUDA_ERROR_NOT_FOUND
};

typedef int driver_load(void **module, const void *image);
typedef int driver_load_with(void **module, const void *image, unsigned count, int *options,
                             void **values);
typedef int driver_load_file(void **module, const char *file);
typedef int driver_link_data(void *state, int type, void *data, size_t size, const char *name,
                             unsigned count, int *options, void **values);
typedef int driver_link_file(void *state, int type, const char *file, unsigned count, int *options,
                             void **values);
// The last three arguments are the library's options, for which there is no text to compile.
typedef int driver_library_data(void **library, const void *image, int *options, void **values,
                                unsigned count, int *library_options, void **library_values,
                                unsigned library_count);
typedef int driver_library_file(void **library, const char *file, int *options, void **values,
                                unsigned count, int *library_options, void **library_values,
                                unsigned library_count);
typedef int driver_library_kernel(void **kernel, void *library, const char *name);
typedef int driver_library_unload(void *library);

// NVRTC's.
typedef int nvrtc_get_size(void *program, size_t *size);
typedef int nvrtc_get_text(void *program, char *text);

typedef int driver_version(int *version);
typedef int driver_device_count(int *count);
typedef int driver_device(int *device, int number);
typedef int driver_device_attribute(int *value, int attribute, int device);

#endif
