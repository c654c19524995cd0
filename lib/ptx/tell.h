// Remarks about a function, for people.
#ifndef LIN_PTX_TELL_H
#define LIN_PTX_TELL_H

#include "read.h"
#include "run.h"

#include "driver/driver.h"

typedef struct lin_ptx_teller {
  const lin_ptx_module *module; // the input
  lin_ptx_hear hear;
  void *context;
} lin_ptx_teller;

// What became of each region of `driver`'s plan for `f`. O(regions * (edges + blocks)).
void lin_ptx_tell_regions(const lin_ptx_teller *t, const lin_ptx_function *f,
                          const lin_driver *driver);

// What became of each loop nest, where loops are merged: driver->result.nests. O(loops).
void lin_ptx_tell_nests(const lin_ptx_teller *t, const lin_ptx_function *f,
                        const lin_driver *driver);

// These edits of `f` are about to be made. O(edits).
void lin_ptx_tell_edits(const lin_ptx_teller *t, const lin_ptx_function *f, const lin_edits *edits);

// A whole function is left alone, for what stands on a line. O(1).
void lin_ptx_tell_left(const lin_ptx_teller *t, const lin_ptx_place *place, uint32_t line,
                       const char *reason);

#endif
