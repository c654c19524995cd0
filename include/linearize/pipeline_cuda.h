/* linearize: what linearize/pipeline.h needs of CUDA: places in pinned memory, and copies of them
 * that nobody waits for. For programs with CUDA's runtime; all of it is in this header.
 *
 *     linearize_pipeline_settings settings = {...};
 *     linearize_pipeline_cuda(&settings);
 *     linearize_pipeline *p = linearize_pipeline_begin(&settings);
 *     for (size_t chunk = 0; chunk < chunks; chunk++) {
 *       ... wait until at most one chunk is before this one on the GPU: by events, for it is the
 *       GPU's pace that
 *           says how far ahead to remap ...
 *       const void *order = linearize_pipeline_take(p, chunk);
 *       if (order != NULL &&
 *           linearize_pipeline_copy(p, chunk, order_on_gpu, order, bytes, stream) == cudaSuccess)
 *         kernel<<<grid, block, 0, stream>>>(..., order_on_gpu);
 *       else
 *         kernel<<<grid, block, 0, stream>>>(..., NULL);
 *     }
 *     cudaStreamSynchronize(stream);
 *     linearize_pipeline_end(p, NULL);
 */
#ifndef LINEARIZE_PIPELINE_CUDA_H
#define LINEARIZE_PIPELINE_CUDA_H

#include "pipeline.h"

#include <cuda_runtime.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline void *linearize_pinned_have(void *context, size_t bytes) {
  void *place = NULL;
  (void)context;
  return cudaMallocHost(&place, bytes) == cudaSuccess ? place : NULL;
}

static inline void linearize_pinned_release(void *context, void *place) {
  (void)context;
  (void)cudaFreeHost(place);
}

static inline void linearize_pinned_wait(void *context) {
  (void)context;
  (void)cudaDeviceSynchronize();
}

/* Places are pinned memory of the current device, and a checking run waits for all that it has to
 * do. */
static inline void linearize_pipeline_cuda(linearize_pipeline_settings *settings) {
  settings->have = linearize_pinned_have;
  settings->release = linearize_pinned_release;
  settings->wait = linearize_pinned_wait;
}

typedef struct {
  linearize_pipeline *pipeline;
  size_t chunk;
} linearize_copied;

static inline void linearize_copy_is_done(void *of) {
  linearize_copied *copied = (linearize_copied *)of;
  linearize_pipeline_done(copied->pipeline, copied->chunk);
  free(copied);
}

/* Copies what was taken for a chunk to the GPU, on a stream, and calls linearize_pipeline_done
 * behind that. If it fails the place stays the program's, which may call it itself. The stream has
 * to be through before linearize_pipeline_end. */
static inline cudaError_t linearize_pipeline_copy(linearize_pipeline *p, size_t chunk, void *to,
                                                  const void *place, size_t bytes,
                                                  cudaStream_t stream) {
  linearize_copied *copied = (linearize_copied *)malloc(sizeof *copied);
  if (copied == NULL)
    return cudaErrorMemoryAllocation;
  copied->pipeline = p;
  copied->chunk = chunk;
  cudaError_t status = cudaMemcpyAsync(to, place, bytes, cudaMemcpyHostToDevice, stream);
  if (status == cudaSuccess)
    status = cudaLaunchHostFunc(stream, linearize_copy_is_done, copied);
  if (status != cudaSuccess)
    free(copied);
  return status;
}

#ifdef __cplusplus
}
#endif

#endif
