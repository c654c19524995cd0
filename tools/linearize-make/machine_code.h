// PTX as machine code, by whatever compiler this machine has.
#ifndef LIN_TOOLS_MACHINE_CODE_H
#define LIN_TOOLS_MACHINE_CODE_H

#include <stddef.h>

// Machine code for GPUs of sm_N, to be freed, of PTX whose .target is `target`, or NULL. Asks
// ptxas: $LINEARIZE_PTXAS (unless that is `driver`), the one on PATH, or the one of
// /usr/local/cuda; without one the driver, in a context that ends with this process. NULL, and
// `*failure` says why: a clause that stays until the next call. As long as that takes.
char *machine_code(const char *text, size_t length, const char *target, unsigned sm, size_t *size,
                   const char **failure);

#endif
