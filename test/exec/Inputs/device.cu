// What the functions of a test module may call (driver.c says what that is), for a GPU: thread i of
// a launch runs a function on input i, in a world of its own. same_on_gpu.py adds the kernels.
#include "linearize_device.h"

#define WORLD_FUNCTION static __device__
#include "world.h"

enum { INPUTS = 256 };

struct result {
  unsigned long long hash;
  unsigned long long end;
};

static __device__ world worlds[INPUTS];
extern "C" __device__ result results[INPUTS];
__device__ result results[INPUTS];

static __device__ unsigned input() { return blockIdx.x * blockDim.x + threadIdx.x; }
static __device__ world *here() { return &worlds[input()]; }

// The thread ends, wherever the rest of its warp is.
static __device__ void world_leave(world *w, world_end end) {
  results[input()] = {world_finish(w), (unsigned long long)end};
  asm volatile("exit;");
}

extern "C" {

__device__ bool bit() { return world_bit(here()); }

__device__ int pick(int n) { return world_pick(here(), n); }

__device__ void effect(int id, long long v) { world_effect(here(), id, v); }

__device__ long long value(int id) {
  long long v = world_value(here());
  effect(id, v);
  return v;
}

__device__ void die(int id) {
  effect(id, 0);
  world_leave(here(), DIED);
}

// In the place of llvm.trap, which would end all threads.
__device__ void trapped() { world_leave(here(), TRAPPED); }

__device__ void *memory() { return here()->words; }

__device__ long long start() { return (long long)world_start(here(), (int)input()); }

__device__ void finish(long long returned) {
  world_note(here(), (unsigned long long)returned);
  world_leave(here(), RETURNED);
}
}
