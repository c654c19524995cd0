// Where there is no LLVM: images are lists of kernels that do nothing.
#include "standin.h"

image *ir_read(const char *text) { return (void)text, NULL; }
void ir_release(image *i) { (void)i; }

bool ir_global(image *i, const char *name, uint64_t *size, uint8_t **bytes, uint8_t **written) {
  (void)i, (void)name, (void)size, (void)bytes, (void)written;
  return false;
}

uint64_t ir_run(image *i, const gpu_launch *l, int *error) {
  (void)i, (void)l, (void)error;
  return 0;
}
