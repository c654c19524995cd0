#include "stand_ins.h"

#include "driver.h"
#include "nvrtc.h"
#include "passage.h"
#include "preload/symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// What is made of an image may fail where the image doesn't: then that is loaded, as without us.
enum { FAILED = -1 };

// The values of a call's options, into which the driver writes how long its messages are.
enum { MOST_OPTIONS = 64 };
typedef struct option_values {
  void *value[MOST_OPTIONS];
  size_t size;
} option_values;

static option_values keep_values(void **values, unsigned count) {
  option_values kept = {.size =
                            values == NULL || count > MOST_OPTIONS ? 0 : count * sizeof *values};
  if (kept.size > 0)
    memcpy(kept.value, values, kept.size);
  return kept;
}

static void restore_values(void **values, const option_values *kept) {
  if (kept->size > 0)
    memcpy(values, kept->value, kept->size);
}

// Says so where the image is taken, of which what was made has failed with `failed`.
static int say_refused(const passage *p, int failed, int status) {
  if (p->made != NULL && failed > 0 && status == DRIVER_SUCCESS)
    passage_refused(p, failed);
  return status;
}

int stand_in_load(void *function, void **module, const void *data) {
  passage p = passage_enter(function, data, 0, "cuModuleLoadData");
  int failed = p.made == NULL ? FAILED : AS(driver_load, function)(module, p.made);
  int status = failed;
  if (failed != DRIVER_SUCCESS)
    status = say_refused(&p, failed, AS(driver_load, function)(module, passage_original(&p, data)));
  passage_leave(&p);
  return status;
}

int stand_in_load_with(void *function, void **module, const void *data, unsigned count,
                       int *options, void **values) {
  passage p = passage_enter(function, data, 0, "cuModuleLoadDataEx");
  driver_load_with *load = AS(driver_load_with, function);
  const option_values kept = keep_values(values, count);
  int failed = p.made == NULL ? FAILED : load(module, p.made, count, options, values);
  int status = failed;
  if (failed != DRIVER_SUCCESS) {
    restore_values(values, &kept);
    status =
        say_refused(&p, failed, load(module, passage_original(&p, data), count, options, values));
  }
  passage_leave(&p);
  return status;
}

int stand_in_load_file(void *function, void **module, const char *file) {
  passage p = passage_enter_file(function, file);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuModuleLoadData");
  int failed = with_data == NULL ? FAILED : AS(driver_load, with_data)(module, p.made);
  int status = failed;
  if (failed != DRIVER_SUCCESS)
    status = say_refused(&p, failed, AS(driver_load_file, function)(module, file));
  passage_leave(&p);
  return status;
}

// The driver compiles PTX when it is added (CUDA 13.0), and what failed isn't there.
int stand_in_link_data(void *function, void *state, int type, void *data, size_t size,
                       const char *name, unsigned count, int *options, void **values) {
  bool may_change = (type == DRIVER_INPUT_PTX || type == DRIVER_INPUT_FAT_BINARY) && size > 0;
  passage p = passage_enter(function, may_change ? data : NULL, size,
                            name == NULL ? "cuLinkAddData" : name);
  driver_link_data *add = AS(driver_link_data, function);
  const option_values kept = keep_values(values, count);
  int failed =
      p.made == NULL ? FAILED : add(state, type, p.made, p.size, name, count, options, values);
  int status = failed;
  if (failed != DRIVER_SUCCESS) {
    restore_values(values, &kept);
    status = say_refused(&p, failed,
                         add(state, type, passage_original(&p, data),
                             passage_original_size(&p, size), name, count, options, values));
  }
  passage_leave(&p);
  return status;
}

int stand_in_link_file(void *function, void *state, int type, const char *file, unsigned count,
                       int *options, void **values) {
  bool may_change = type == DRIVER_INPUT_PTX || type == DRIVER_INPUT_FAT_BINARY;
  passage p = passage_enter_file(function, may_change ? file : NULL);
  const option_values kept = keep_values(values, count);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuLinkAddData_v2");
  int failed = with_data == NULL ? FAILED
                                 : AS(driver_link_data, with_data)(state, type, p.made, p.size,
                                                                   file, count, options, values);
  int status = failed;
  if (failed != DRIVER_SUCCESS) {
    restore_values(values, &kept);
    status = say_refused(&p, failed,
                         AS(driver_link_file, function)(state, type, file, count, options, values));
  }
  passage_leave(&p);
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

// The driver compiles a library when a kernel of it is first asked for, and says then what it
// thinks of the PTX (CUDA 13.0). So one is asked for, which isn't there. Where an older driver
// needs a context for that, and there is none, nobody knows.
static int compile_library(void *function, void **library) {
  static const char nobody[] = "linearize asks for no kernel";
  void *kernel, *get = symbols_beside(function, "cuLibraryGetKernel"),
                *unload = symbols_beside(function, "cuLibraryUnload");
  if (get == NULL || unload == NULL)
    return DRIVER_SUCCESS;
  int error = errno, status = AS(driver_library_kernel, get)(&kernel, *library, nobody);
  bool is_good =
      status == DRIVER_SUCCESS || status == DRIVER_NO_NAME || status == DRIVER_NO_CONTEXT;
  if (!is_good)
    AS(driver_library_unload, unload)(*library);
  errno = error;
  return is_good ? DRIVER_SUCCESS : status;
}

// Calls the driver with the image that was made. Returns its status, or FAILED.
static int load_library(void *function, const passage *p, void **library, int *options,
                        void **values, unsigned count, const int *library_options,
                        void **library_values, unsigned library_count) {
  if (p->made == NULL || function == NULL || (library_options == NULL && library_count > 0))
    return FAILED;
  void **kept_values;
  unsigned kept;
  int *kept_options =
      drop_promise(library_options, library_values, library_count, &kept_values, &kept);
  if (kept_options == NULL)
    return FAILED;
  int status = AS(driver_library_data, function)(library, p->made, options, values, count,
                                                 kept == 0 ? NULL : kept_options,
                                                 kept == 0 ? NULL : kept_values, kept);
  free(kept_options);
  free(kept_values);
  return status == DRIVER_SUCCESS ? compile_library(function, library) : status;
}

int stand_in_library_data(void *function, void **library, const void *data, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count) {
  passage p = passage_enter(function, data, 0, "cuLibraryLoadData");
  const option_values kept = keep_values(values, count);
  int failed = load_library(function, &p, library, options, values, count, library_options,
                            library_values, library_count);
  int status = failed;
  if (failed != DRIVER_SUCCESS) {
    restore_values(values, &kept);
    status = say_refused(&p, failed,
                         AS(driver_library_data, function)(library, passage_original(&p, data),
                                                           options, values, count, library_options,
                                                           library_values, library_count));
  }
  passage_leave(&p);
  return status;
}

int stand_in_library_file(void *function, void **library, const char *file, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count) {
  passage p = passage_enter_file(function, file);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuLibraryLoadData");
  const option_values kept = keep_values(values, count);
  int failed = load_library(with_data, &p, library, options, values, count, library_options,
                            library_values, library_count);
  int status = failed;
  if (failed != DRIVER_SUCCESS) {
    restore_values(values, &kept);
    status = say_refused(&p, failed,
                         AS(driver_library_file, function)(library, file, options, values, count,
                                                           library_options, library_values,
                                                           library_count));
  }
  passage_leave(&p);
  return status;
}

int stand_in_ptx_size(void *function, void *program, size_t *size) {
  nvrtc_get_size *get_size = AS(nvrtc_get_size, function);
  int error = errno, status;
  if (!passage_start()) {
    status = get_size(program, size);
    passage_end();
    return status;
  }
  nvrtc_get_text *get_text = AS(nvrtc_get_text, symbols_beside(function, "nvrtcGetPTX"));
  status = nvrtc_linearized_size(get_size, get_text, program, size);
  passage_end();
  errno = error;
  return status;
}

int stand_in_ptx_text(void *function, void *program, char *text) {
  nvrtc_get_text *get_text = AS(nvrtc_get_text, function);
  int error = errno, status;
  if (!passage_start()) {
    status = get_text(program, text);
    passage_end();
    return status;
  }
  nvrtc_get_size *get_size = AS(nvrtc_get_size, symbols_beside(function, "nvrtcGetPTXSize"));
  status = nvrtc_linearized_text(get_size, get_text, program, text);
  passage_end();
  errno = error;
  return status;
}
