// Linearizes the functions of a PTX module.
#ifndef LIN_PTX_RUN_H
#define LIN_PTX_RUN_H

#include "module.h"
#include "patch.h"

#include "driver/pipeline.h"

typedef struct lin_ptx_options {
  lin_options core;     // `divergence_known` and `lock_step` are set for each module
  bool force;           // functions that were compiled with -G, too
  bool is_off;          // the mode is none
  bool merges_loops;    // then loop nests become one loop (choose/nests.h)
  const char *versions; // names of versions of kernels, in place of all that; or NULL
  const struct lin_winners_file *tuned; // of kernels that it knows, the fastest; or NULL
  uint32_t sm;                          // compiled for, 90 for sm_90a; 0: for what the module names
  uint32_t max_versions; // of each kernel at most, beside the plain one; 0: as many as are named
  uint32_t max_kernel;   // kernels of more instructions get none; 0: the default, 20000
} lin_ptx_options;

// Whether nothing at all is asked for.
static inline bool lin_ptx_is_idle(const lin_ptx_options *options) {
  return options->is_off && !options->merges_loops && options->versions == NULL &&
         options->tuned == NULL;
}

typedef enum lin_ptx_remark_kind {
  LIN_PTX_PASSED,   // a region was linearized
  LIN_PTX_MISSED,   // a region, or a function, should have been, and why it was not
  LIN_PTX_WARNING,  // the same, and an irreducible loop is left that ptxas may miscompile
  LIN_PTX_ANALYSIS, // a region was left alone, and why that is not worth it
} lin_ptx_remark_kind;

typedef struct lin_ptx_remark {
  lin_ptx_remark_kind kind;
  const char *name; // what docs/remarks.md calls it
  const char *function;
  const char *block;  // its label, or `line N`; NULL: the whole function
  uint32_t line;      // of the PTX
  const char *source; // file of the source, or NULL: nobody says
  uint32_t source_line;
  const char *message; // one clause
} lin_ptx_remark;

// Hears of remarks, which live until it returns.
typedef void (*lin_ptx_hear)(void *context, const lin_ptx_remark *remark);

typedef struct lin_ptx_counts {
  uint32_t functions, functions_changed, regions, guards;
} lin_ptx_counts;

// Adds what changes to `patch`, whose arena takes it. O(length + what planning and writing take).
lin_ptx_counts lin_ptx_linearize(const lin_ptx_module *module, const lin_ptx_options *options,
                                 lin_ptx_patch *patch, lin_ptx_hear hear, void *context);

#endif
