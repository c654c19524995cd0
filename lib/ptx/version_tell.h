// Remarks about a kernel's versions, as llvm/versions/tell.h has them.
#ifndef LIN_PTX_VERSION_TELL_H
#define LIN_PTX_VERSION_TELL_H

#include "version_state.h"

// It gets none: it has too many instructions.
void lin_ptx_tell_too_large(const lin_ptx_versions *v, uint32_t kernel, uint32_t instructions,
                            uint32_t most);

// It gets none: something else is called as one would be, `symbol`. A warning, for whoever the
// module is made for must not fail.
void lin_ptx_tell_taken(const lin_ptx_versions *v, uint32_t kernel, const char *symbol);

// What a file knows of it is of no use: it is of other code, or `unknown`, if not NULL, is a
// version that nobody knows here.
void lin_ptx_tell_useless(const lin_ptx_versions *v, uint32_t kernel, const char *unknown);

// Which it has, and which come out like others; what a file made of it.
void lin_ptx_tell_versions(const lin_ptx_versions *v, const lin_ptx_versioned *k);

#endif
