// beta.cuh, each thread with data of its own.
#include "beta.cuh"

KERNEL_BODY(beta_apart) { return draw_betas(in, thread, rounds); }
