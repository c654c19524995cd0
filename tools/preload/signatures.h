// Parameters of the functions that several libraries stand in for, and the arguments behind them,
// for their lists of hooks (table.h).
#ifndef LIN_TOOLS_PRELOAD_SIGNATURES_H
#define LIN_TOOLS_PRELOAD_SIGNATURES_H

#define LOAD (void **module, const void *image), module, image
#define LOAD_FILE (void **module, const char *file), module, file
#define LOAD_WITH                                                                                  \
  (void **module, const void *image, unsigned count, int *options, void **values), module, image,  \
      count, options, values
#define LINK_DATA                                                                                  \
  (void *state, int type, void *data, size_t size, const char *name, unsigned count, int *options, \
   void **values),                                                                                 \
      state, type, data, size, name, count, options, values
#define LIBRARY_DATA                                                                               \
  (void **library, const void *image, int *options, void **values, unsigned count,                 \
   int *library_options, void **library_values, unsigned library_count),                           \
      library, image, options, values, count, library_options, library_values, library_count
#define LIBRARY_FILE                                                                               \
  (void **library, const char *file, int *options, void **values, unsigned count,                  \
   int *library_options, void **library_values, unsigned library_count),                           \
      library, file, options, values, count, library_options, library_values, library_count
#define JIT_CREATE (void **linker, unsigned count, const char **options), linker, count, options
#define JIT_DATA                                                                                   \
  (void *linker, int type, const void *data, size_t size, const char *name), linker, type, data,   \
      size, name
#define JIT_FILE (void *linker, int type, const char *name), linker, type, name

#endif
