/* linearize: data put where the threads are that run alike, and back.
 *
 *     thread          0  1  2  3          destination   0  2  1  3    linearize_lam, or your own
 *     own             a  B  c  D          (of elements: where each goes)
 *     moved           a  c  B  D          linearize_layout, before the kernel
 *     what it wrote   r  s  T  U          thread 1 wrote s: it did the work of c, number 2
 *     own             r  T  s  U          linearize_layout_back, behind it
 *
 * The kernel stays as it is and gets `moved` where it would get `own` (Zhang, Jiang, Guo and Shen,
 * "Streamlining GPU Applications on the Fly", ICS 2010, section 3.2: data layout transformation).
 * Accesses that were coalesced still are. Memory is the host's; link liblinearize-threads, which
 * needs neither LLVM nor CUDA.
 *
 * It is right if (section 3.2):
 *
 *   1. no two threads read or write the same elements. The arrays' memory is looked at (they must
 *      not overlap); what the kernel does with it you have to know. What no thread writes and all
 *      may read, such as a table, is no array of these: leave it where it is;
 *   2. what a thread has in an array is element `thread` of it, whatever its size. Where it has the
 *      elements thread, n + thread, 2 n + thread, there are three arrays;
 *   3. the thread's index is used for nothing else. Where it is, have the kernel read it from one
 *      array more, of indices: linearize_inverse makes it.
 *
 * Errors: -1, and errno is EINVAL (an argument isn't as described here) or ENOMEM. Then no output
 * has changed. With the environment variable LINEARIZE_CHECK set, a line on standard error says
 * what is wrong.
 */
#ifndef LINEARIZE_LAYOUT_H
#define LINEARIZE_LAYOUT_H

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

typedef enum {
  LINEARIZE_READ = 1,    /* moved before the kernel */
  LINEARIZE_WRITTEN = 2, /* put back behind it: it writes all elements */
  LINEARIZE_CHANGED = LINEARIZE_READ | LINEARIZE_WRITTEN /* both; also where it writes some alone */
} linearize_use;

/* An array that is indexed by the thread.
 *
 *   own    [n] elements of the program's
 *   moved  [n] elements that the kernel is given. The same as `own`: it is moved in place, and
 *          only what doesn't stay; then it is put back though it is only read
 *   size   bytes of an element, at least 1 */
typedef struct {
  void *own;
  void *moved;
  size_t size;
  linearize_use use;
} linearize_array;

/* What a permutation undoes: inverse[permutation[i]] = i.
 *
 *   permutation  [n] each number below n once
 *   n            below 2^32; 0 is allowed
 *   inverse      [n] of other memory. Of a destination it is the order of the threads,
 *                inverse[place] = thread: what `order` is in linearize/threads.h, D in the paper's
 *                section 3.1, and what a kernel has to read instead of its index (condition 3)
 *
 * Returns 0, or -1: EINVAL if that is no permutation. O(n). */
LINEARIZE_API int linearize_inverse(const uint32_t *permutation, size_t n, uint32_t *inverse);

/* Before the kernel: moved[destination[i]] = own[i], of all arrays that it reads.
 *
 *   arrays       [num_arrays] memory that is written here or by linearize_layout_back must be of
 *                one array alone
 *   destination  [n] where element i goes, a permutation; not in an array
 *   n            below 2^32; 0 is allowed
 *
 * Returns 0, or -1: EINVAL if `destination` is no permutation or arrays overlap. O(n * bytes of an
 * element of each array + num_arrays^2). */
LINEARIZE_API int linearize_layout(const linearize_array *arrays, size_t num_arrays,
                                   const uint32_t *destination, size_t n);

/* Behind it: own[i] = moved[destination[i]], of all arrays that it writes. Arguments, errors and
 * what it takes as above. */
LINEARIZE_API int linearize_layout_back(const linearize_array *arrays, size_t num_arrays,
                                        const uint32_t *destination, size_t n);

#ifdef __cplusplus
}
#endif

#endif
