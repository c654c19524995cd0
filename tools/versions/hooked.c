// What the library that chooses versions stands in for: hooked.def.
#include "allocations.h"
#include "endings.h"

#include "links.h"
#include "preload/launch_hooks.h"
#include "texts.h"
#include "waits.h"

#define UNSEEN(kind)                                                                               \
  static int stand_in_##kind(void *function, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d) { \
    return stand_in_unseen(function, a, b, c, d);                                                  \
  }
UNSEEN(host)
UNSEEN(callback)
UNSEEN(value_32)
UNSEEN(value_64)
UNSEEN(batch)
UNSEEN(semaphores)

#define HOOKED_FIRST LAUNCH_HOOKS
#define HOOKED_LIST "versions/hooked.def"
#include "preload/table.h"
