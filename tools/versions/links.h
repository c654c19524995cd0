// What a program links while it runs: the PTX that its machine code is of.
//
//     cuLinkAddData(PTX)    ── cuLinkComplete ────────────▶ code ──┐
//     nvJitLinkAddData(PTX) ── nvJitLinkGetLinkedCubin ──▶ code ──┴─ its bytes ──▶ links_find,
//                                                                    when the program loads it
//
// So does what NVRTC compiles (nvrtcGetCUBIN), and, from the cache, what earlier runs linked or
// compiled: CuPy keeps its machine code in files.
//
// Accepted is 1. a linker with one input of PTX, beside objects and libraries; 2. one for LTO-IR
// that gets nothing else: linearize-make links that to PTX. All else has no PTX.
#ifndef LIN_TOOLS_VERSIONS_LINKS_H
#define LIN_TOOLS_VERSIONS_LINKS_H

#include <stddef.h>

// The PTX of machine code, or LTO-IR (linearize-make/lto.h), with a zero behind it, to be freed,
// and its length. NULL: nobody linked these bytes, or it is forgotten. O(its size).
char *links_find(const void *image, size_t *length);

// The functions of the driver, nvJitLink and NVRTC.
int stand_in_link_data(void *function, void *state, int type, void *data, size_t size,
                       const char *name, unsigned count, int *options, void **values);
int stand_in_link_complete(void *function, void *state, void **code, size_t *size);
int stand_in_link_destroy(void *function, void *state);
int stand_in_jit_create(void *function, void **handle, unsigned count, const char **options);
int stand_in_jit_file(void *function, void *handle, int type, const char *name);
int stand_in_jit_data(void *function, void *handle, int type, const void *data, size_t size,
                      const char *name);
int stand_in_jit_code(void *function, void *handle, void *code);
int stand_in_jit_destroy(void *function, void **handle);
int stand_in_nvrtc_code(void *function, void *program, char *made);

#endif
