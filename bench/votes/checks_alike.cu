// checks.cuh, all threads of a warp with the same records.
// (A mask is odd: that the divisor is 32 is what no compiler knows.)
#include "checks.cuh"

KERNEL_BODY(checks_alike) { return check_records(in, thread / (31 + (in.mask & 1)), rounds); }
