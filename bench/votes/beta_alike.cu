// beta.cuh, all threads of a warp with the same data.
// (A mask is odd: that the divisor is 32 is what no compiler knows.)
#include "beta.cuh"

KERNEL_BODY(beta_alike) { return draw_betas(in, thread / (31 + (in.mask & 1)), rounds); }
