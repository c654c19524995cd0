// One kernel of a module with what it uses, as a module of its own that shares the variables of the
// one that the program has loaded.
//
//     .global .u32 hits;                       .visible .const .align 8 .u64 __linearize_at_0;
//     .const .f32 scale[4];                    .visible .const .f32 scale[4];
//     .func helper (...) { ... }        ──▶    .func helper (...) { ... }
//     .entry other (...) { ... }
//     .entry walk (...) {                      .entry walk (...) {
//                                                .reg .b64 %linearize_at_0;
//                                                ld.const.u64 %linearize_at_0, [__linearize_at_0];
//       atom.global.add.u32 %r1, [hits], 1;      atom.global.add.u32 %r1, [%linearize_at_0], 1;
//       call helper, (...);                      call helper, (...);
//     }                                        }
//
// Who loads it has to
//   - write the address of the program's `hits` into `__linearize_at_0`, once;
//   - copy the program's `scale` into this one before each launch, for the program may change it.
//
// Accepted are kernels
//   1. that are defined in the module, which wasn't compiled for a debugger;
//   2. that call functions by name alone: one whose address is taken may be another module's;
//   3. that use no variable of another module, no texture, surface or sampler by name, no second
//      name of a function;
//   4. whose variables in global memory stand alone as operands, as [hits], [hits+4] and hits; the
//      compiler's own tables, which no program can name, become copies;
//   5. in which no name of such a variable is declared again.
// All others are refused with a reason.
#ifndef LIN_PTX_EXTRACT_H
#define LIN_PTX_EXTRACT_H

#include "module.h"
#include "patch.h"

#define LIN_PTX_ADDRESS "__linearize_at_" // and a number, from 0

typedef struct lin_ptx_extracted {
  const char **copied; // variables to be copied, in the order of the text
  uint32_t num_copied;
  const char **pointed; // variables of which LIN_PTX_ADDRESS 0, 1, ... hold the addresses
  uint32_t num_pointed;
} lin_ptx_extracted;

// Puts into `patch` what has to change in the module's text, and fills in `made`, whose names live
// in the patch's arena. NULL, or why the kernel is refused: one clause, with the patch of no use.
// O(n log n), of the text's tokens.
const char *lin_ptx_extract(const lin_ptx_module *module, const char *kernel, lin_ptx_patch *patch,
                            lin_ptx_extracted *made);

// Puts into `patch` that the function goes: the module has its versions, and nobody launches it
// here. False: there is none, or it is named in another place. O(text).
bool lin_ptx_drop(const lin_ptx_module *module, const char *function, lin_ptx_patch *patch);

#endif
