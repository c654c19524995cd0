// The texts of copies of functions.
#ifndef LIN_PTX_COPIES_H
#define LIN_PTX_COPIES_H

#include "draft.h"
#include "names.h"
#include "places.h"

// The name by which a copy calls a function that has `length` characters at `name`; NULL: by its
// own.
typedef const char *(*lin_ptx_renamed)(void *context, const char *name, uint32_t length);

// Says a copy of a function: `made` is its code, `name` what it is called. A kernel's linkage is
// that of the input's, others are for this module alone. O(length).
void lin_ptx_say_copy(lin_ptx_lines *lines, const lin_ptx_draft *made, const char *name,
                      lin_ptx_renamed renamed, void *context);

// Says the same from behind `.entry` or `.func` on, under its own name. O(length).
void lin_ptx_say_own(lin_ptx_lines *lines, const lin_ptx_draft *made, lin_ptx_renamed renamed,
                     void *context);

// Says a declaration of it. O(length of the signature).
void lin_ptx_say_declaration(lin_ptx_lines *lines, const lin_ptx_draft *made, const char *name);

// Says a variable of that name, with `linkage` in front of it, that holds a text and a NUL.
// O(length).
void lin_ptx_say_text(lin_ptx_lines *lines, const char *linkage, const char *name,
                      const char *text);

#endif
