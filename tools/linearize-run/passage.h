// An image on its way from a program to the driver.
//
// While the driver, or a library around it, has an image, those of its own calls that come by here
// go on untouched: nothing is linearized twice, and nothing calls itself.
#ifndef LIN_TOOLS_RUN_PASSAGE_H
#define LIN_TOOLS_RUN_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct passage {
  void *made; // instead of the image; NULL: it stays
  size_t size;
  char *original;   // what NVRTC gave, if the program has another text in place of it; or NULL
  const char *name; // for messages
} passage;

// The image as it was, if the program's is `data`, and its size.
static inline void *passage_original(const passage *p, const void *data) {
  return p->original != NULL ? p->original : (void *)(uintptr_t)data;
}
static inline size_t passage_original_size(const passage *p, size_t size) {
  return p->original != NULL ? strlen(p->original) + 1 : size;
}

// Linearizes the image at `data`, of `size` bytes, or as many as it says (0), which is on its way
// to `function`, the driver's or whose it is. `name` is for messages. errno stays. What it made
// lives until passage_leave.
passage passage_enter(void *function, const void *data, size_t size, const char *name);

// The same of a file, which goes to the driver as data if it changes.
passage passage_enter_file(void *function, const char *name);

// Says that the image itself is what the program has: what was made of it failed with `status`.
void passage_refused(const passage *p, int status);

// Behind the driver's call, of which errno stays.
void passage_leave(passage *p);

// The same without an image: false if a call is under way. passage_end comes behind each.
bool passage_start(void);
void passage_end(void);

#endif
