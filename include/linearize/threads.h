/* linearize: what divergence costs, by what each thread did, and which threads to put together.
 *
 * A thread's vector says how often it entered each block of its kernel (its basic-block vector).
 * From the vectors of all threads and the blocks' latencies follow estimates of the kernel's time,
 * for the threads as they are or in another order, and orders in which it is less (Liang, Satria,
 * Rupnow and Chen, "An Accurate GPU Performance Model for Effective Control Flow Divergence
 * Optimization", IEEE TCAD 35(7), 2016: "the paper" below). Needs neither LLVM nor CUDA; link
 * liblinearize-threads.
 *
 * Arguments, in all functions:
 *
 *   vectors            [num_threads * num_blocks], vectors[thread * num_blocks + block]
 *   num_threads        of the whole grid, thread blocks one after the other; below 2^32; 0 is
 *                      allowed
 *   num_blocks         below 2^32
 *   latency            [num_blocks] of the block, in cycles; finite, not negative
 *   order              [num_threads], the thread that stands at each place; NULL: as they are.
 *                      Entries are below num_threads
 *   threads_per_block  the thread block's size, at least 1; places 0 up to it are thread block 0.
 *                      The last one may be smaller. Warps are 32 places of a thread block, its last
 *                      warp may be smaller
 *
 * Nothing is kept, and nothing is shared between calls: they may run at the same time. The same
 * arguments give the same results.
 *
 * Errors: -1, and errno is EINVAL (an argument isn't as described here), ENOMEM, or ERANGE (the
 * result is more than a double holds). Then no output has changed.
 */
#ifndef LINEARIZE_THREADS_H
#define LINEARIZE_THREADS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LINEARIZE_API __attribute__((visibility("default")))
#else
#define LINEARIZE_API
#endif

/* The paper's metric BBV-weighted, in cycles: a warp enters a block as often as the thread of it
 * that does so most (2), which takes the sum of the blocks' latencies (3); a thread block takes the
 * sum of its warps (4), the kernel the sum of its thread blocks by the number of multiprocessors
 * (5).
 *
 *   num_sms  how many multiprocessors, at least 1
 *
 * It is made to compare orders of threads, not to tell the time of day: latencies of instructions
 * that overlap are added. O(num_threads * num_blocks). */
LINEARIZE_API double linearize_bbv_weighted(const uint32_t *vectors, size_t num_threads,
                                            size_t num_blocks, const double *latency,
                                            const uint32_t *order, size_t threads_per_block,
                                            unsigned num_sms);

/* The paper's metric BBV-weighted-scheduled, in cycles: thread blocks are dealt in the order of
 * their index to num_sms * blocks_per_sm slots, each to the one that is free first; the kernel ends
 * with the last one. So thread blocks that take long cost more where they begin late.
 *
 *   blocks_per_sm  how many thread blocks a multiprocessor has at a time (occupancy), at least 1
 *
 * A thread block takes (4) in its slot, whatever stands in the others: results for different
 * blocks_per_sm don't compare. O(num_threads * num_blocks + thread blocks * log slots). */
LINEARIZE_API double linearize_bbv_weighted_scheduled(const uint32_t *vectors, size_t num_threads,
                                                      size_t num_blocks, const double *latency,
                                                      const uint32_t *order,
                                                      size_t threads_per_block, unsigned num_sms,
                                                      unsigned blocks_per_sm);

/* How often warps enter each block, all warps together:
 *
 *   around      [num_blocks] of each block another, in each of whose passes a thread may enter it:
 *               the header of the loop around it, or of a header, of the loop around that one; else
 *               the entry of its function. UINT32_MAX: none. No block is around itself, be it by
 *               way of others. NULL: none of all
 *   correction  [num_blocks] of linearize_bbv_correction, finite, not negative; NULL: 0 for all
 *   mean        [num_blocks] becomes: if each warp did so as often as its threads do on average.
 *               A kernel without divergence
 *   most        [num_blocks] becomes: as often as that of its threads which does so most, (2)
 *   passes      [num_blocks] becomes: (2) corrected
 *
 * What warps really do is above (2), for vectors forget when: threads that take a branch in
 * different iterations don't run together, nor do those that come to a block on different ways and
 * don't wait for each other. With a correction of 0 `passes` is (2); with 1 it is chance which of a
 * warp's threads take a branch in the same iteration, or leave a loop in the same one; in between
 * it is in between, and above 1 so many times chance.
 *
 * Returns 0, or -1. O(num_threads * num_blocks) if the correction is 0, else
 * O(num_threads * num_blocks * different threads in a warp * log of the most entries), at worst. */
LINEARIZE_API int linearize_bbv_passes(const uint32_t *vectors, size_t num_threads,
                                       size_t num_blocks, const uint32_t *around,
                                       const double *correction, const uint32_t *order,
                                       size_t threads_per_block, double *mean, double *most,
                                       double *passes);

/* The correction of (2) by which `passes` above is what was counted.
 *
 *   counted     [num_blocks] how often warps entered each block in this launch, in this order;
 *               finite, not negative. linearize-simt --csv --blocks prints it (block_entries)
 *   correction  [num_blocks] becomes the correction; 0 where (2) is right
 *
 * It is of a block and says how much its threads have in common, so it holds for other threads,
 * other orders and other launches. Learned from half the warps of a launch it tells the other
 * half's time within 5%, where (2) is 5% to 96% below it (scripts/bench metrics). Learned from the
 * threads as they are, it tells what regrouping saves on a GPU within 6 points in the mean, (2)
 * within 8 (scripts/bench threads).
 *
 * Returns 0, or -1. As long as linearize_bbv_passes, as many times as there are blocks around
 * blocks. */
LINEARIZE_API int linearize_bbv_correction(const uint32_t *vectors, size_t num_threads,
                                           size_t num_blocks, const uint32_t *around,
                                           const double *counted, const uint32_t *order,
                                           size_t threads_per_block, double *correction);

/* The older metric of warps: the share, 0 to 1, of those whose threads don't all have the same
 * vector; 0 of no warps. It says nothing of what that costs. O(num_threads * num_blocks). */
LINEARIZE_API double linearize_divergent_warps(const uint32_t *vectors, size_t num_threads,
                                               size_t num_blocks, const uint32_t *order,
                                               size_t threads_per_block);

/* The older metric of branches: how often a warp comes to a branch at which its threads part, as
 * far as vectors tell.
 *
 *   branch_of  [num_blocks] the block whose branch leads to this one, if all ways into this one are
 *              that branch, else UINT32_MAX. A branch counts if two blocks or more name it
 *
 * Of a branch whose ways are entered a and b times by a thread, a warp needs max a + max b passes
 * over the ways for max (a + b) over the branch: the rest are passes on which it took both. Threads
 * that leave a loop at different times part there, too: once less than there are different pairs a,
 * b. The more of the two is counted. Vectors forget the order of blocks: threads that swap their
 * ways from one pass to the next part unseen. O(num_threads * num_blocks * different threads in a
 * warp). */
LINEARIZE_API double linearize_divergent_branches(const uint32_t *vectors, size_t num_threads,
                                                  size_t num_blocks, const uint32_t *branch_of,
                                                  const uint32_t *order, size_t threads_per_block);

typedef enum {
  LINEARIZE_SORTING,   /* by vectors, in lexicographic order */
  LINEARIZE_GREEDY,    /* Algorithm 1: those two groups are merged that gain most, over and over */
  LINEARIZE_GREEDY_MAX /* Algorithm 2: group by group, each begun with the slowest thread */
} linearize_regrouping;

/* Puts threads that do alike side by side. The paper's gain of a group is, over its blocks, latency
 * times (twice the least that a thread of it enters the block, less the most), (6) to (10).
 *
 *   how    which algorithm
 *   group  threads of a group, a multiple of 32, at least 32: as a rule the warp or the thread
 *          block. The last group may be smaller
 *   order  [num_threads] becomes order[place] = thread: the groups one after the other, as they
 *          were formed. A permutation
 *
 * Returns 0, or -1. What it gains is the difference of a metric above with and without the order.
 *
 * Where the paper leaves a choice: threads are taken in the order of their index. Of two groups or
 * pairs that gain the same, the one with the smaller first thread comes first. Greedy merges until
 * one group is left, the last one. Where each candidate of Greedy-Max loses, the one that loses
 * least is taken.
 *
 * Threads of equal vectors are handled as one. Up to 2048 different ones the greedy algorithms do
 * exactly as printed, but for rounding. Of n more than that, a group of Greedy's that looks for
 * another looks at 2^22 / n, 16 at least, that take nearly as long as itself, one of Greedy-Max's
 * at four times as many, or until it is clear that no other is better. Blocks of latency 0 count
 * for Sorting alone.
 *
 * O(num_threads * num_blocks) for all, expected, for vectors are hashed. Then for Sorting
 * O(n log n * num_blocks); for the others O(max(2^22, 16 n) * num_blocks) for each time that all
 * groups have looked, which Greedy's do some four times (measured). */
LINEARIZE_API int linearize_regroup(linearize_regrouping how, const uint32_t *vectors,
                                    size_t num_threads, size_t num_blocks, const double *latency,
                                    size_t group, uint32_t *order);

/* Where to put elements so that segments hold elements of one class, moving few of them: label,
 * assign, move (LAM; Zhang, Jiang, Guo and Shen, "Streamlining GPU Applications on the Fly", ICS
 * 2010, section 4.2 and Figure 5), but for the move: that is the caller's.
 *
 *   class_of     [n] the class of each element, below `classes`: a range of values, a path, or
 *                whatever has threads run alike
 *   n            how many elements, below 2^32; 0 is allowed
 *   classes      how many classes. The paper takes 10
 *   segment      elements that run together, at least 1: as a rule the 32 threads of a warp
 *   destination  [n] becomes the place that element i goes to, i if it stays: copy[destination[i]]
 *                = data[i]. A permutation; class_of and destination must not overlap
 *
 * The places 0 up to `segment` are segment 0, and so on; the last one may be smaller. No order of
 * elements has more segments of one class: of n of a class that is n / segment, and the last
 * segment if there is a class whose rest will do for it. Elements that are in a segment of their
 * class stay.
 *
 * Where that is not what Figure 5 prints: it can't tell "goes to place 0" from "stays"; here that
 * is i. It takes segments as they come, so that one with few of a class may be given to it and one
 * with many not; here the most come first. It lets segments be mixed whose best class has no quota
 * left, though another has; here that one gets it.
 *
 * Returns 0, or -1. O(n + classes), measured by scripts/bench regroup. */
LINEARIZE_API int linearize_lam(const uint32_t *class_of, size_t n, uint32_t classes,
                                size_t segment, uint32_t *destination);

#ifdef __cplusplus
}
#endif

#endif
