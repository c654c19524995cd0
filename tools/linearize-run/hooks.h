// The functions that this library stands in for, and what goes in between.
//
//     program --- cuModuleLoadData, linked ----------------------> +-----------+
//             --- dlsym(libcuda, "cuModuleLoadData") ---> slot --> | linearize | ---> the driver's
//             --- cuGetProcAddress("cuModuleLoadData") -> slot --> +-----------+
//
// A program that looks a function up gets a slot's, one for each function that was ever found, be it
// the driver's or that of a library that records what a program does with it. While the driver, or
// such a library, has an image, those of its own calls that come by here go on untouched.
#ifndef LIN_TOOLS_RUN_HOOKS_H
#define LIN_TOOLS_RUN_HOOKS_H

#include <stdbool.h>

// Whether there is something to stand in for a function of that name. Nearly always a look at two
// or three characters.
bool hooks_has(const char *name);

// Whether `function` is this library's own of that name.
bool hooks_is_own(const char *name, void *function);

// What the program gets for `function`, which is called `name`: `function` itself if no slot is left,
// it is this library's already, or NULL.
void *hooks_for(const char *name, void *function);

#endif
