// What is said of a function of a module.
#ifndef LIN_PTX_REMARK_H
#define LIN_PTX_REMARK_H

#include <stdint.h>

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
  const char *message;         // one clause
  uint32_t brief;              // so many of its characters are no details; 0: none are
  double gain, executed, cost; // instructions, as estimated; executed is 0: nobody knows
} lin_ptx_remark;

// Hears of remarks, which live until it returns.
typedef void (*lin_ptx_hear)(void *context, const lin_ptx_remark *remark);

#endif
