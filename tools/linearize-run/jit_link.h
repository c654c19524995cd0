// nvJitLink, which makes machine code of what it links. PTX among that is linearized on its way in;
// LTO-IR, which Numba and CUDA's own Python packages hand it, becomes PTX in there, out of sight.
// So what a program links with -lto is linked once more, to see its PTX, and then from that:
//
//   Create ── AddData ... ── Complete ── GetLinkedCubin        the program's linker
//                  │             │              ▲
//                  ▼             ▼              │
//              inputs ──▶ linked with -ptx ──▶ PTX, linearized ──▶ a linker of that
//
// If that doesn't work, or nothing changes, the program's own linker does what it would have done:
// whoever links pays the first of the two steps twice then.
#ifndef LIN_TOOLS_RUN_JIT_LINK_H
#define LIN_TOOLS_RUN_JIT_LINK_H

#include <stddef.h>

// Each stands in for `function`, nvJitLink's. Of linkers that are used by several threads at once
// nvJitLink promises nothing, nor do these; different ones may be.
int stand_in_jit_create(void *function, void **linker, unsigned count, const char **options);
int stand_in_jit_destroy(void *function, void **linker);
int stand_in_jit_data(void *function, void *linker, int type, const void *data, size_t size,
                      const char *name);
int stand_in_jit_file(void *function, void *linker, int type, const char *name);
int stand_in_jit_complete(void *function, void *linker);

// Of nvJitLinkGetLinkedCubinSize and nvJitLinkGetLinkedCubin.
int stand_in_jit_size(void *function, void *linker, size_t *size);
int stand_in_jit_cubin(void *function, void *linker, void *cubin);

#endif
