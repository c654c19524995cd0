// A function's text, for itself, and what becomes of it: whatever changes it makes a new text.
//
//     the input     ... [.entry f() { ... }] ...
//     draft                 [.entry f() { ... }]            cut out
//     draft                 [.entry f() { ... new ... }]    after a patch
//
// Each is read like any other text. A place in it is that of the input where the same characters
// stand, or where they were put in.
#ifndef LIN_PTX_DRAFT_H
#define LIN_PTX_DRAFT_H

#include "module.h"
#include "patch.h"

typedef struct lin_ptx_draft {
  lin_ptx_module module;              // of this text alone; its `draft` is this one
  lin_ptx_place place;                // of its one function
  const lin_ptx_module *input;        // from which the function comes
  uint32_t start, linkage;            // places of its signature and linkage there
  const struct lin_ptx_draft *before; // of which it was made, or NULL: it was cut out
  const lin_ptx_change *change;       // [num_changes] of that, by rising places
  uint32_t *came;                     // [num_changes] where what each brought begins
  uint32_t num_changes;
} lin_ptx_draft;

// Cuts a function out of a module, which has to stay. Lives in the arena. O(its length).
lin_ptx_draft *lin_ptx_draft_cut(lin_arena *arena, const lin_ptx_module *module,
                                 const lin_ptx_place *place);

// A function of a module as another text, of `length` characters up to its last brace, of which the
// signature is the same. Lives in the arena. O(1).
lin_ptx_draft *lin_ptx_draft_of(lin_arena *arena, const lin_ptx_module *module,
                                const lin_ptx_place *place, const char *text, uint32_t length);

// What a draft, which has to stay, is after the changes of its body; the patch is empty then. Lives
// in the arena. O(length + changes log changes).
lin_ptx_draft *lin_ptx_draft_change(lin_arena *arena, const lin_ptx_draft *draft,
                                    lin_ptx_patch *patch);

// The place in the draft before that a place comes from. O(log changes).
uint32_t lin_ptx_former(const lin_ptx_draft *draft, uint32_t place);

// The place in the input that a place of a module's text comes from. O(drafts * log changes).
uint32_t lin_ptx_origin(const lin_ptx_module *module, uint32_t place);

// The text of the input.
const char *lin_ptx_input(const lin_ptx_module *module);

#endif
