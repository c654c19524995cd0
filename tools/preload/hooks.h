// The functions that a preloaded library stands in for, and what goes in between.
//
//     program --- cuModuleLoadData, linked ----------------------> +----------+
//             --- dlsym(libcuda, "cuModuleLoadData") ---> slot --> | stand_in | ---> the driver's
//             --- cuGetProcAddress("cuModuleLoadData") -> slot --> +----------+
//
// A program that looks a function up gets a slot's, one for each function that was ever found, be
// it the driver's or that of a library that records what a program does with it.
#ifndef LIN_TOOLS_PRELOAD_HOOKS_H
#define LIN_TOOLS_PRELOAD_HOOKS_H

#include <stdbool.h>
#include <stddef.h>

// Three of a kind: the driver's, an older version of it, and that of a library around it.
enum { HOOKS_SLOTS = 3 };

typedef struct hook {
  const char *name;
  void *_Atomic *slot; // what the functions of `stands_in` stand in for
  void *stands_in[HOOKS_SLOTS];
  void *linked; // the library's own of that name, or NULL
} hook;

// The library has these: all its hooks.
extern const hook hooks_table[];
extern const size_t hooks_count;

// Functions KIND_0, ... that stand in for those of KIND_slot, of a name each, by stand_in_KIND, and
// those that programs link, which look for theirs until they find it.
#define HOOKS_SLOTS_OF(kind, parameters, ...)                                                      \
  static void *_Atomic kind##_slot[HOOKS_SLOTS];                                                   \
  static int kind##_0 parameters { return stand_in_##kind(kind##_slot[0], __VA_ARGS__); }          \
  static int kind##_1 parameters { return stand_in_##kind(kind##_slot[1], __VA_ARGS__); }          \
  static int kind##_2 parameters { return stand_in_##kind(kind##_slot[2], __VA_ARGS__); }

#define HOOKS_LINKED(kind, symbol, none, parameters, ...)                                          \
  __attribute__((visibility("default"))) int symbol parameters {                                   \
    static void *_Atomic next_one;                                                                 \
    void *function = next_one;                                                                     \
    if (function == NULL)                                                                          \
      next_one = function = symbols_next(#symbol);                                                 \
    return function == NULL ? (none) : stand_in_##kind(function, __VA_ARGS__);                     \
  }

#define HOOK(kind, name, linked) {name, kind##_slot, {kind##_0, kind##_1, kind##_2}, linked}

// Whether there is something to stand in for a function of that name. Nearly always a look at two
// or three characters.
bool hooks_has(const char *name);

// Whether `function` is this library's own of that name.
bool hooks_is_own(const char *name, void *function);

// What the program gets for `function`, which is called `name`: `function` itself if no slot is
// left, it is this library's already, or NULL.
void *hooks_for(const char *name, void *function);

#endif
