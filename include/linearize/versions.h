/* linearize: what a program may say to the library that chooses versions of its kernels at launch
 * (liblinearize-versions.so). It needn't say anything, and needn't be linked with that library:
 * without it these are nothing.
 */
#ifndef LINEARIZE_VERSIONS_H
#define LINEARIZE_VERSIONS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((weak, visibility("default"))) void linearize_versions_data_changed(void);

/* The data that kernels read from now on have changed: orders of threads that redirected versions
 * take are made anew, each by the next launch that needs it. Without this they are made anew after
 * 64 launches, and when a kernel is given other addresses. Results are the same, whenever that is;
 * only how fast they come may differ. Any thread. O(1). */
static inline void linearize_data_changed(void) {
  if (linearize_versions_data_changed != NULL)
    linearize_versions_data_changed();
}

#ifdef __cplusplus
}
#endif

#endif
