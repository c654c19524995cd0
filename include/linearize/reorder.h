/* linearize_reorder: at this point the threads of the thread block may change places.
 *
 *     unsigned material = trace(&ray);
 *     linearize_reorder(material, 3);      threads with equal materials stand side by side now,
 *     shade(material, &ray);               so that a warp runs the code of few of them
 *
 * For CUDA. It means something to clang with linearize's plugin, for sm_70 and newer. To others,
 * nvcc, clang without the plugin, and at -O0, it is nothing, and the key isn't even computed. No
 * result depends on it. docs/rearranged.md says what holds behind a point, and has a complete
 * example.
 *
 * Who knows shader execution reordering: it is reorderThread(hint, bits) of OptiX, HLSL and
 * Slang, within a thread block, for every kernel.
 */
#ifndef LINEARIZE_REORDER_H
#define LINEARIZE_REORDER_H

/* How threads find their new places. */
enum linearize_reorder_algorithm {
  LINEARIZE_REORDER_BEST,  /* whatever is expected to be fastest */
  LINEARIZE_REORDER_VOTES, /* a counting sort by votes of warps; five bits a pass; stable */
  LINEARIZE_REORDER_HOT,   /* Head-or-Tail: one bit, or threads that go on and those that don't */
  LINEARIZE_REORDER_DGI    /* Data Group Indexing: five bits at most; stable */
};

#if defined(__clang__) && defined(__CUDA__)
#define LINEARIZE_REORDER_FUNCTION static inline __attribute__((device, host, always_inline))
#elif defined(__CUDACC__)
#define LINEARIZE_REORDER_FUNCTION static __inline__ __device__ __host__
#else
#define LINEARIZE_REORDER_FUNCTION static inline
#endif

#if defined(__clang__) && defined(__CUDA__) && defined(__CUDA_ARCH__)
/* The plugin knows it by its name. Nobody uses what it returns, and it has no effect: so it
 * vanishes, with its arguments, where the plugin isn't. */
static __attribute__((device, const, noinline, unused)) unsigned
linearize_reorder_here(unsigned key, unsigned bits, unsigned algorithm,
                       unsigned neighbours) __asm__("linearize_reorder_here");
static __attribute__((device, const, noinline, unused)) unsigned
linearize_reorder_here(unsigned key, unsigned bits, unsigned algorithm, unsigned neighbours) {
  return key ^ bits ^ algorithm ^ neighbours;
}
#define LINEARIZE_REORDER_HERE(key, bits, algorithm, neighbours)                                   \
  (void)linearize_reorder_here(key, bits, algorithm, neighbours)
#else
#define LINEARIZE_REORDER_HERE(key, bits, algorithm, neighbours)                                   \
  (void)(key), (void)(bits), (void)(algorithm), (void)(neighbours)
#endif

/* The threads of the block that come here may be regrouped by `key`: its lowest `bits` bits, a
 * constant from 0 to 32, the highest of which counts most. With 0 bits threads that are still in a
 * loop come together, and warps become free of those that have left it. */
LINEARIZE_REORDER_FUNCTION void linearize_reorder(unsigned key, unsigned bits) {
  LINEARIZE_REORDER_HERE(key, bits, LINEARIZE_REORDER_BEST, 0);
}

/* The same by an algorithm, a constant. DGI counts for `neighbours` threads at a time, 4, 8, 16, 32
 * or 64; for the others that is 0. */
LINEARIZE_REORDER_FUNCTION void linearize_reorder_by(unsigned key, unsigned bits,
                                                     enum linearize_reorder_algorithm algorithm,
                                                     unsigned neighbours) {
  LINEARIZE_REORDER_HERE(key, bits, algorithm, neighbours);
}

#endif
