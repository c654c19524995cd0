// The modules of PTX in programs, shared libraries, object files, fat binaries and cubins.
//
//     .nv_fatbin, __nv_relfatbin    sections: a fat binary for each translation unit
//     fat binary                    the same module, for several architectures
//     .nv_debug_ptx_txt             a section of cubins: their PTX, by -lineinfo or -G
#ifndef LIN_TOOLS_PROGRAMS_H
#define LIN_TOOLS_PROGRAMS_H

#include "fat_entries.h"

#include "graph/arena.h"

typedef struct tool_modules {
  const char *name;  // of the file, for messages
  fat_reader *entry; // [count], each at what holds the PTX of a module
  uint32_t count, capacity;
} tool_modules;

// Whether `bytes` are such a file: ELF, or a fat binary. O(1).
bool tool_is_program(const char *bytes, size_t length);

// Finds the modules, of each the newest PTX. `bytes` has to stay. Ends the program if there is
// none, or if the file is damaged. Lives in the arena. O(length).
tool_modules tool_modules_find(lin_arena *arena, const char *name, const char *bytes,
                               size_t length);

// The PTX of module `i`, to be freed, with a zero at its end. Ends the program if it can't be
// unpacked. O(*length).
char *tool_modules_text(const tool_modules *modules, uint32_t i, size_t *length);

#endif
