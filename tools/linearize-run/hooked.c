// What linearize-run's library stands in for: functions that take images or give PTX.
#include "driver.h"
#include "jit_link.h"
#include "stand_ins.h"

#include "preload/lookup_hooks.h"

#define LOAD (void **module, const void *data)
SLOTS(load, LOAD, module, data)
LINKED(load, cuModuleLoadData, LOAD, module, data)
LINKED(load, cuModuleLoadFatBinary, LOAD, module, data)

#define LOAD_WITH (void **module, const void *data, unsigned count, int *options, void **values)
SLOTS(load_with, LOAD_WITH, module, data, count, options, values)
LINKED(load_with, cuModuleLoadDataEx, LOAD_WITH, module, data, count, options, values)

#define LOAD_FILE (void **module, const char *file)
SLOTS(load_file, LOAD_FILE, module, file)
LINKED(load_file, cuModuleLoad, LOAD_FILE, module, file)

#define LINK_DATA                                                                                  \
  (void *state, int type, void *data, size_t size, const char *name, unsigned count, int *options, \
   void **values)
SLOTS(link_data, LINK_DATA, state, type, data, size, name, count, options, values)
LINKED(link_data, cuLinkAddData, LINK_DATA, state, type, data, size, name, count, options, values)
LINKED(link_data, cuLinkAddData_v2, LINK_DATA, state, type, data, size, name, count, options,
       values)

#define JIT_CREATE (void **linker, unsigned count, const char **options)
SLOTS(jit_create, JIT_CREATE, linker, count, options)

#define JIT_DESTROY (void **linker)
SLOTS(jit_destroy, JIT_DESTROY, linker)

#define JIT_DATA (void *linker, int type, const void *data, size_t size, const char *name)
SLOTS(jit_data, JIT_DATA, linker, type, data, size, name)

#define JIT_FILE (void *linker, int type, const char *name)
SLOTS(jit_file, JIT_FILE, linker, type, name)

#define JIT_COMPLETE (void *linker)
SLOTS(jit_complete, JIT_COMPLETE, linker)

#define JIT_SIZE (void *linker, size_t *size)
SLOTS(jit_size, JIT_SIZE, linker, size)

#define JIT_CUBIN (void *linker, void *cubin)
SLOTS(jit_cubin, JIT_CUBIN, linker, cubin)

#define LINK_FILE                                                                                  \
  (void *state, int type, const char *file, unsigned count, int *options, void **values)
SLOTS(link_file, LINK_FILE, state, type, file, count, options, values)
LINKED(link_file, cuLinkAddFile, LINK_FILE, state, type, file, count, options, values)
LINKED(link_file, cuLinkAddFile_v2, LINK_FILE, state, type, file, count, options, values)

#define LIBRARY_DATA                                                                               \
  (void **library, const void *data, int *options, void **values, unsigned count,                  \
   int *library_options, void **library_values, unsigned library_count)
SLOTS(library_data, LIBRARY_DATA, library, data, options, values, count, library_options,
      library_values, library_count)
LINKED(library_data, cuLibraryLoadData, LIBRARY_DATA, library, data, options, values, count,
       library_options, library_values, library_count)

#define LIBRARY_FILE                                                                               \
  (void **library, const char *file, int *options, void **values, unsigned count,                  \
   int *library_options, void **library_values, unsigned library_count)
SLOTS(library_file, LIBRARY_FILE, library, file, options, values, count, library_options,
      library_values, library_count)
LINKED(library_file, cuLibraryLoadFromFile, LIBRARY_FILE, library, file, options, values, count,
       library_options, library_values, library_count)

#define PTX_SIZE (void *program, size_t *size)
SLOTS(ptx_size, PTX_SIZE, program, size)
LINKED(ptx_size, nvrtcGetPTXSize, PTX_SIZE, program, size)

#define PTX_TEXT (void *program, char *text)
SLOTS(ptx_text, PTX_TEXT, program, text)
LINKED(ptx_text, nvrtcGetPTX, PTX_TEXT, program, text)

// ---- by name

const hook hooks_table[] = {
    HOOK(load, "cuModuleLoadData", cuModuleLoadData),
    HOOK(load, "cuModuleLoadFatBinary", cuModuleLoadFatBinary),
    HOOK(load_with, "cuModuleLoadDataEx", cuModuleLoadDataEx),
    HOOK(load_file, "cuModuleLoad", cuModuleLoad),
    HOOK(link_data, "cuLinkAddData", cuLinkAddData),
    HOOK(link_data, "cuLinkAddData_v2", cuLinkAddData_v2),
    HOOK(link_file, "cuLinkAddFile", cuLinkAddFile),
    HOOK(link_file, "cuLinkAddFile_v2", cuLinkAddFile_v2),
    HOOK(library_data, "cuLibraryLoadData", cuLibraryLoadData),
    HOOK(library_file, "cuLibraryLoadFromFile", cuLibraryLoadFromFile),
    LOOKUP_HOOKS,
    HOOK(ptx_size, "nvrtcGetPTXSize", nvrtcGetPTXSize),
    HOOK(ptx_text, "nvrtcGetPTX", nvrtcGetPTX),
    // Libraries that link these, as CUDA's do, link no kernels of the program by them.
    HOOK(jit_create, "nvJitLinkCreate", NULL),
    HOOK(jit_destroy, "nvJitLinkDestroy", NULL),
    HOOK(jit_data, "nvJitLinkAddData", NULL),
    HOOK(jit_file, "nvJitLinkAddFile", NULL),
    HOOK(jit_complete, "nvJitLinkComplete", NULL),
    HOOK(jit_size, "nvJitLinkGetLinkedCubinSize", NULL),
    HOOK(jit_cubin, "nvJitLinkGetLinkedCubin", NULL),
};

const size_t hooks_count = sizeof hooks_table / sizeof *hooks_table;
