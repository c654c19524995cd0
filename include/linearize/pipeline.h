/* linearize: chunks of data remapped by the CPU while the GPU runs those before them.
 *
 *     CPU     remap 3 ─────────┐ remap 4 ───┐ ...     depth 3: chunk i + 3 while chunk i runs
 *             remap 2 ──┐      ▼            ▼
 *     GPU     │ 0 │ 1 │ 2* │ 3* │ 4* ...              *: its remapping was there in time
 *
 * A program whose kernel runs over chunk after chunk has the threads of each chunk put together by
 * the CPU (linearize_regroup, linearize_lam, linearize_layout, or its own function) without waiting
 * for it: by a pool of threads, as many chunks ahead as it takes (Zhang, Jiang, Guo and Shen,
 * "Streamlining GPU Applications on the Fly", ICS 2010, section 4.1).
 *
 *     linearize_pipeline *p = linearize_pipeline_begin(&settings);
 *     for (size_t chunk = 0; chunk < chunks; chunk++) {
 *       const uint32_t *order = linearize_pipeline_take(p, chunk);
 *       if (order != NULL) ... copy it to the GPU, run the kernel by it ...
 *       else ... run it as it is ...
 *       linearize_pipeline_done(p, chunk);      when `order` isn't read any more
 *     }
 *     linearize_pipeline_end(p, NULL);
 *
 * Nobody waits: what isn't there when its chunk's turn has come is dropped. The depth begins with
 * 1, grows by 1 each time that a remapping is late, and shrinks where all are early; with fewer
 * threads than that takes, some chunks run as they are. Where remapping is always late, or, as far
 * as the program tells how long chunks take (linearize_pipeline_took), gains nothing, it ends for
 * good.
 *
 * What is remapped must be known ahead: a chunk must not depend on what the kernel does to those
 * before it. With the environment variable LINEARIZE_CHECK set, chunks are remapped once more when
 * their turn has come, and a line on standard error says if that gives something else.
 *
 * Knows nothing of CUDA; link liblinearize-threads. Memory that asynchronous copies may read is the
 * `have` of the settings: linearize/pipeline_cuda.h.
 */
#ifndef LINEARIZE_PIPELINE_H
#define LINEARIZE_PIPELINE_H

#include <stdbool.h>
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

typedef struct linearize_pipeline linearize_pipeline;
typedef struct linearize_late linearize_late;

typedef struct {
  /* Remaps a chunk, in a thread of the pool; several at the same time, of different chunks.
   *
   *   context  that of the settings
   *   chunk    its number
   *   place    [bytes] to be filled: an order of threads, arrays in another layout, ...
   *   late     for linearize_is_late
   *
   * Returns 0; anything else: the chunk runs as it is. */
  int (*remap)(void *context, size_t chunk, void *place, const linearize_late *late);
  /* Memory of a place, and its end; both NULL: malloc and free. `have` returns NULL if there is
   * none. Called by linearize_pipeline_begin and _end. */
  void *(*have)(void *context, size_t bytes);
  void (*release)(void *context, void *place);
  /* NULL, or, only if LINEARIZE_CHECK is set: waits until the kernels of all chunks are through
   * that were taken. */
  void (*wait)(void *context);
  void *context;
  size_t chunks; /* how many there are: 0 up to that */
  size_t bytes;  /* of a place, at least 1 */
  unsigned
      threads; /* of the pool, which has two places for each and three more; 0: a core less than
                       there are, at least 1 */
  unsigned most_depth; /* chunks ahead; 0: 64 */
} linearize_pipeline_settings;

typedef struct {
  size_t remapped; /* chunks that ran remapped */
  size_t late;     /* that ran as they were, for it wasn't there in time */
  size_t plain;    /* that ran as they were, for nobody had begun */
  unsigned depth;  /* in the end */
  bool is_over;    /* it was ended, for it didn't pay */
} linearize_pipeline_counts;

/* A pool that is at work from now on: chunk 1 is the first that may be remapped. The settings are
 * copied. NULL: errno is EINVAL (no function, no bytes; one of `have` and `release` alone) or
 * ENOMEM. Where no thread can be made all chunks run as they are. O(places). */
LINEARIZE_API linearize_pipeline *
linearize_pipeline_begin(const linearize_pipeline_settings *settings);

/* The turn of a chunk has come: what remap made of it, or NULL. It stays until
 * linearize_pipeline_done. Chunks may be left out, but none may come twice or after a later one:
 * then it is NULL, too. One thread at a time. Never waits for a remapping; O(places). */
LINEARIZE_API const void *linearize_pipeline_take(linearize_pipeline *p, size_t chunk);

/* What was taken for the chunk isn't read any more, so the place may be used anew. Any thread; of a
 * chunk that got NULL it does nothing. O(places). */
LINEARIZE_API void linearize_pipeline_done(linearize_pipeline *p, size_t chunk);

/* How long the kernel took of a chunk whose turn was, remapped or not, in seconds, copies included.
 * Any thread, in any order. As long as nobody calls it all is remapped that can be; else some
 * chunks run as they are, to be compared: one in two of the first ones, one in 32 later. */
LINEARIZE_API void linearize_pipeline_took(linearize_pipeline *p, bool was_remapped,
                                           double seconds);

/* Waits for the threads, which are told that they are late, and frees all. `counts` may be NULL. */
LINEARIZE_API void linearize_pipeline_end(linearize_pipeline *p, linearize_pipeline_counts *counts);

/* Whether nobody will look at what a remapping makes any more: it should return. O(1). */
LINEARIZE_API bool linearize_is_late(const linearize_late *late);

#ifdef __cplusplus
}
#endif

#endif
