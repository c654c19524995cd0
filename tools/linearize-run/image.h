// What programs hand to the driver, or get from NVRTC, with its PTX linearized.
#ifndef LIN_TOOLS_RUN_IMAGE_H
#define LIN_TOOLS_RUN_IMAGE_H

#include "common/fat_entries.h"

#include <stdbool.h>
#include <stddef.h>

// What is larger goes to the driver as it is, and so does what takes more. 100 MB of PTX take less
// than 10 seconds and 2 GB (issue 26).
enum { IMAGE_MOST_BYTES = FAT_MOST_BYTES, IMAGE_MOST_SECONDS = 10 };
#define IMAGE_MOST_MEMORY ((size_t)2 << 30)

// At the end of a text that needs no second look, when it goes to the driver.
#define IMAGE_MARK "// linearized\n"

typedef struct image {
  const void *data;
  size_t size;      // 0: the data says it
  const char *name; // for messages
  bool is_quiet;    // no messages
  bool (*needs_ptx)(void *context, const void *fat_binary, size_t size);
  // With --jit, of this machine: the least GPU, 90 for sm_90, and the driver, 13000 for CUDA 13.0.
  // 0: the driver is to compile no PTX that it need not.
  unsigned capability, driver;
  void *context;
} image;

// The PTX at `text`, of `length` bytes without a zero, linearized: as fat_binary.h says.
char *image_linearize_text(const image *given, const char *text, size_t length, size_t *size);

// Whether --jit is among the options: what is changed of a program is compiled by the driver, and
// machine code of the same module is not used.
bool image_is_compiled(void);

// Whether it is a text with the mark, which nvrtc.c gives to programs. O(1).
bool image_is_linearized(const char *text, size_t length);

// Tells linearize-profile that an image has `what` alone, one line, where kernels are counted.
void image_lacks_ptx(const char *what);

// Says that the image goes to the driver as it is, and why.
void image_refuse(const image *given, const char *reason);

#endif
