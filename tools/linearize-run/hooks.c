#define _POSIX_C_SOURCE 200809L

#include "hooks.h"

#include "driver.h"
#include "image.h"
#include "nvrtc.h"
#include "symbols.h"

#include "fat_binary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A function that was found, as what it is.
#define AS(type, function) ((type *)(uintptr_t)(function))

static _Thread_local unsigned depth; // of calls of the driver, or NVRTC, that are under way

// ---- one image on its way

typedef struct passage {
  void *made; // instead of the image; NULL: it stays
  size_t size;
} passage;

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

// Whether a GPU of this machine has no machine code there, or the driver is told to compile PTX in
// any case. Who can't be asked may need it.
static bool needs_ptx(void *driver, const void *data, size_t size) {
  if (is_set("CUDA_FORCE_PTX_JIT") || is_set("CUDA_FORCE_JIT"))
    return true;
  void *get_count = symbols_beside(driver, "cuDeviceGetCount");
  void *get_device = symbols_beside(driver, "cuDeviceGet");
  void *get_attribute = symbols_beside(driver, "cuDeviceGetAttribute");
  int count, device, major, minor;
  if (get_count == NULL || get_device == NULL || get_attribute == NULL ||
      AS(driver_device_count, get_count)(&count) != DRIVER_SUCCESS)
    return true;
  for (int number = 0; number < count; number++) {
    if (AS(driver_device, get_device)(&device, number) != DRIVER_SUCCESS)
      return true;
    driver_device_attribute *attribute = AS(driver_device_attribute, get_attribute);
    if (attribute(&major, DRIVER_MAJOR, device) != DRIVER_SUCCESS ||
        attribute(&minor, DRIVER_MINOR, device) != DRIVER_SUCCESS ||
        !fat_binary_fits(data, size, major, minor))
      return true;
  }
  return false;
}

// From here to `leave` the driver is at work. Between them errno is what it was, or what the driver
// makes of it.
static passage enter(void *function, const void *data, size_t size, const char *name) {
  int error = errno;
  passage p = {NULL, 0};
  if (depth++ == 0) {
    image given = {
        .data = data, .size = size, .name = name, .needs_ptx = needs_ptx, .context = function};
    p.made = image_linearize(&given, &p.size);
  }
  errno = error;
  return p;
}

static void leave(passage *p) {
  int error = errno;
  depth--;
  free(p->made);
  errno = error;
}

// What a file holds, with a zero behind it, or NULL: the driver will say why it can't be read.
static char *read_file(const char *name, size_t *size) {
  int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  struct stat about;
  char *data = NULL;
  if (file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
    data = malloc((size_t)about.st_size + 1);
  *size = data == NULL ? 0 : (size_t)about.st_size;
  size_t used = 0;
  while (data != NULL && used < *size) {
    ssize_t more = read(file, data + used, *size - used);
    if (more <= 0 && !(more < 0 && errno == EINTR)) {
      free(data);
      data = NULL;
    } else if (more > 0) {
      used += (size_t)more;
    }
  }
  if (data != NULL)
    data[used] = '\0';
  if (file >= 0)
    close(file);
  return data;
}

// As `enter`, for a file that goes to the driver as data if it changes.
static passage enter_file(void *function, const char *name) {
  int error = errno;
  size_t size;
  char *data = depth == 0 ? read_file(name, &size) : NULL;
  errno = error;
  if (data == NULL) {
    depth++;
    return (passage){NULL, 0};
  }
  passage p = enter(function, data, size, name);
  free(data);
  errno = error;
  return p;
}

// ---- the functions: `function` is the one that they stand in for

static int load(void *function, void **module, const void *data) {
  passage p = enter(function, data, 0, "cuModuleLoadData");
  int status = AS(driver_load, function)(module, p.made == NULL ? data : p.made);
  leave(&p);
  return status;
}

static int load_with(void *function, void **module, const void *data, unsigned count, int *options,
                     void **values) {
  passage p = enter(function, data, 0, "cuModuleLoadDataEx");
  int status = AS(driver_load_with, function)(module, p.made == NULL ? data : p.made, count,
                                              options, values);
  leave(&p);
  return status;
}

static int load_file(void *function, void **module, const char *file) {
  passage p = enter_file(function, file);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuModuleLoadData");
  int status = with_data == NULL ? AS(driver_load_file, function)(module, file)
                                 : AS(driver_load, with_data)(module, p.made);
  leave(&p);
  return status;
}

static int link_data(void *function, void *state, int type, void *data, size_t size,
                     const char *name, unsigned count, int *options, void **values) {
  bool may_change = (type == DRIVER_INPUT_PTX || type == DRIVER_INPUT_FAT_BINARY) && size > 0;
  passage p =
      enter(function, may_change ? data : NULL, size, name == NULL ? "cuLinkAddData" : name);
  bool changes = p.made != NULL;
  int status = AS(driver_link_data, function)(
      state, type, changes ? p.made : data, changes ? p.size : size, name, count, options, values);
  leave(&p);
  return status;
}

static int link_file(void *function, void *state, int type, const char *file, unsigned count,
                     int *options, void **values) {
  bool may_change = type == DRIVER_INPUT_PTX || type == DRIVER_INPUT_FAT_BINARY;
  passage p = enter_file(function, may_change ? file : NULL);
  void *with_data = NULL;
  if (p.made != NULL)
    with_data = symbols_beside(function, "cuLinkAddData_v2");
  int status = with_data == NULL
                   ? AS(driver_link_file, function)(state, type, file, count, options, values)
                   : AS(driver_link_data, with_data)(state, type, p.made, p.size, file, count,
                                                     options, values);
  leave(&p);
  return status;
}

// The library's options without the promise that the image stays where it is, which holds for the
// program's alone: the driver copies this one. NULL: out of memory.
static int *drop_promise(const int *options, void **values, unsigned count, void ***kept_values,
                         unsigned *kept) {
  int *result = calloc((size_t)count + 1, sizeof *result);
  *kept_values = calloc((size_t)count + 1, sizeof **kept_values);
  *kept = 0;
  for (unsigned i = 0; i < count && result != NULL && *kept_values != NULL; i++) {
    if (options[i] == DRIVER_LIBRARY_IS_PRESERVED)
      continue;
    result[*kept] = options[i];
    (*kept_values)[(*kept)++] = values == NULL ? NULL : values[i];
  }
  if (result != NULL && *kept_values != NULL)
    return result;
  free(result);
  free(*kept_values);
  return NULL;
}

// Calls the driver with the image that was made. False if it can't.
static bool load_library(void *function, const passage *p, void **library, int *options,
                         void **values, unsigned count, const int *library_options,
                         void **library_values, unsigned library_count, int *status) {
  if (p->made == NULL || function == NULL)
    return false;
  void **kept_values;
  unsigned kept;
  int *kept_options =
      drop_promise(library_options, library_values, library_count, &kept_values, &kept);
  if (kept_options == NULL)
    return false;
  *status = AS(driver_library_data, function)(library, p->made, options, values, count,
                                              kept == 0 ? NULL : kept_options,
                                              kept == 0 ? NULL : kept_values, kept);
  free(kept_options);
  free(kept_values);
  return true;
}

static int library_data(void *function, void **library, const void *data, int *options,
                        void **values, unsigned count, int *library_options, void **library_values,
                        unsigned library_count) {
  passage p = enter(function, data, 0, "cuLibraryLoadData");
  int status;
  if (!load_library(function, &p, library, options, values, count, library_options, library_values,
                    library_count, &status))
    status = AS(driver_library_data, function)(library, data, options, values, count,
                                               library_options, library_values, library_count);
  leave(&p);
  return status;
}

static int library_file(void *function, void **library, const char *file, int *options,
                        void **values, unsigned count, int *library_options, void **library_values,
                        unsigned library_count) {
  passage p = enter_file(function, file);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuLibraryLoadData");
  int status;
  if (!load_library(with_data, &p, library, options, values, count, library_options, library_values,
                    library_count, &status))
    status = AS(driver_library_file, function)(library, file, options, values, count,
                                               library_options, library_values, library_count);
  leave(&p);
  return status;
}

// The name that a function has which takes its arguments that way: the one of cuGetProcAddress
// alone depends on the version that is asked for.
static void stand_in(const char *name, void **function, int version) {
  if (name == NULL || function == NULL || *function == NULL)
    return;
  if (strcmp(name, "cuGetProcAddress") == 0 && version >= DRIVER_FIRST_WITH_QUERY)
    name = "cuGetProcAddress_v2";
  *function = hooks_for(name, *function);
}

static int find(void *function, const char *name, void **found, int version, uint64_t flags) {
  int status = AS(driver_find, function)(name, found, version, flags);
  if (status == DRIVER_SUCCESS)
    stand_in(name, found, version);
  return status;
}

static int find_query(void *function, const char *name, void **found, int version, uint64_t flags,
                      int *result) {
  int status = AS(driver_find_query, function)(name, found, version, flags, result);
  if (status == DRIVER_SUCCESS)
    stand_in(name, found, version);
  return status;
}

static int ptx_size(void *function, void *program, size_t *size) {
  nvrtc_get_size *get_size = AS(nvrtc_get_size, function);
  if (depth > 0)
    return get_size(program, size);
  int error = errno;
  depth++;
  nvrtc_get_text *get_text = AS(nvrtc_get_text, symbols_beside(function, "nvrtcGetPTX"));
  int status = nvrtc_linearized_size(get_size, get_text, program, size);
  depth--;
  errno = error;
  return status;
}

static int ptx_text(void *function, void *program, char *text) {
  nvrtc_get_text *get_text = AS(nvrtc_get_text, function);
  if (depth > 0)
    return get_text(program, text);
  int error = errno;
  depth++;
  nvrtc_get_size *get_size = AS(nvrtc_get_size, symbols_beside(function, "nvrtcGetPTXSize"));
  int status = nvrtc_linearized_text(get_size, get_text, program, text);
  depth--;
  errno = error;
  return status;
}

// ---- slots, and what programs link

// Three of a kind: the driver's, an older version of it, and that of a library around it.
enum { MOST_SLOTS = 3 };

// Functions KIND_0, ... that stand in for those of KIND_slot, of a name each, and those that
// programs link, which look for theirs each time.
#define SLOTS(kind, parameters, ...)                                                               \
  static void *_Atomic kind##_slot[MOST_SLOTS];                                                    \
  static int kind##_0 parameters { return kind(kind##_slot[0], __VA_ARGS__); }                     \
  static int kind##_1 parameters { return kind(kind##_slot[1], __VA_ARGS__); }                     \
  static int kind##_2 parameters { return kind(kind##_slot[2], __VA_ARGS__); }

#define LINKED(kind, symbol, parameters, ...)                                                      \
  __attribute__((visibility("default"))) int symbol parameters;                                    \
  int symbol parameters {                                                                          \
    void *function = symbols_next(#symbol);                                                        \
    return function == NULL ? DRIVER_NO_SYMBOL : kind(function, __VA_ARGS__);                      \
  }

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

#define FIND (const char *name, void **found, int version, uint64_t flags)
SLOTS(find, FIND, name, found, version, flags)
LINKED(find, cuGetProcAddress, FIND, name, found, version, flags)

#define FIND_QUERY (const char *name, void **found, int version, uint64_t flags, int *result)
SLOTS(find_query, FIND_QUERY, name, found, version, flags, result)
LINKED(find_query, cuGetProcAddress_v2, FIND_QUERY, name, found, version, flags, result)

#define PTX_SIZE (void *program, size_t *size)
SLOTS(ptx_size, PTX_SIZE, program, size)
LINKED(ptx_size, nvrtcGetPTXSize, PTX_SIZE, program, size)

#define PTX_TEXT (void *program, char *text)
SLOTS(ptx_text, PTX_TEXT, program, text)
LINKED(ptx_text, nvrtcGetPTX, PTX_TEXT, program, text)

// ---- by name

typedef struct hook {
  const char *name;
  void *_Atomic *slot; // what the functions of `stands_in` stand in for
  void *stands_in[MOST_SLOTS];
  void *linked;
} hook;

#define HOOK(kind, symbol) {#symbol, kind##_slot, {kind##_0, kind##_1, kind##_2}, symbol}

static const hook hooks[] = {
    HOOK(load, cuModuleLoadData),          HOOK(load, cuModuleLoadFatBinary),
    HOOK(load_with, cuModuleLoadDataEx),   HOOK(load_file, cuModuleLoad),
    HOOK(link_data, cuLinkAddData),        HOOK(link_data, cuLinkAddData_v2),
    HOOK(link_file, cuLinkAddFile),        HOOK(link_file, cuLinkAddFile_v2),
    HOOK(library_data, cuLibraryLoadData), HOOK(library_file, cuLibraryLoadFromFile),
    HOOK(find, cuGetProcAddress),          HOOK(find_query, cuGetProcAddress_v2),
    HOOK(ptx_size, nvrtcGetPTXSize),       HOOK(ptx_text, nvrtcGetPTX),
};

static const hook *hook_of(const char *name) {
  if (!(name[0] == 'c' && name[1] == 'u') && !(name[0] == 'n' && name[1] == 'v'))
    return NULL;
  for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
    if (strcmp(name, hooks[i].name) == 0)
      return &hooks[i];
  return NULL;
}

bool hooks_has(const char *name) { return hook_of(name) != NULL; }

bool hooks_is_own(const char *name, void *function) {
  const hook *h = hook_of(name);
  return h != NULL && h->linked == function;
}

void *hooks_for(const char *name, void *function) {
  const hook *h = hook_of(name);
  if (h == NULL || function == NULL)
    return function;
  for (int i = 0; i < MOST_SLOTS; i++) {
    void *there = NULL;
    if (function == h->stands_in[i])
      return function;
    // Whoever comes first has the slot; whoever comes later may find their own function there.
    if (atomic_compare_exchange_strong(&h->slot[i], &there, function) || there == function)
      return h->stands_in[i];
  }
  return function;
}
