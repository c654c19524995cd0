// nvJitLink: the little that is used of its interface, and LTO-IR linked to PTX by it. Handles are
// pointers, statuses are 0 where all went well.
#ifndef LIN_TOOLS_COMMON_JIT_LIBRARY_H
#define LIN_TOOLS_COMMON_JIT_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JIT_LINK_PTX = 2, JIT_LINK_LTO_IR = 3, JIT_LINK_FAT_BINARY = 4, JIT_LINK_ANY = 10 };

typedef int jit_link_create(void **linker, uint32_t count, const char **options);
typedef int jit_link_destroy(void **linker);
typedef int jit_link_data(void *linker, int type, const void *data, size_t size, const char *name);
typedef int jit_link_file(void *linker, int type, const char *name);
typedef int jit_link_complete(void *linker);
typedef int jit_link_size(void *linker, size_t *size);
typedef int jit_link_get(void *linker, void *result);

typedef struct jit_library {
  jit_link_create *create;
  jit_link_destroy *destroy;
  jit_link_data *add_data;
  jit_link_file *add_file;
  jit_link_complete *complete;
  jit_link_size *get_ptx_size;
  jit_link_get *get_ptx;
} jit_library;

// Its functions, as find(where, name) finds each. False: one is missing.
bool jit_library_find(jit_library *lib, void *(*find)(void *where, const char *name), void *where);

// The PTX that a linker with -ptx makes of its inputs, with a zero behind it, to be freed. NULL: it
// makes none. The linker is gone.
char *jit_library_finish(const jit_library *lib, void *linker);

#endif
