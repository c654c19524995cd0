// checks.cuh, each thread with records of its own.
#include "checks.cuh"

KERNEL_BODY(checks_apart) { return check_records(in, thread, rounds); }
