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

int stand_in_load(void *function, void **module, const void *data) {
  passage p = passage_enter(function, data, 0, "cuModuleLoadData");
  int status = p.made == NULL ? FAILED : AS(driver_load, function)(module, p.made);
  if (status != DRIVER_SUCCESS)
    status = AS(driver_load, function)(module, data);
  passage_leave(&p);
  return status;
}

int stand_in_load_with(void *function, void **module, const void *data, unsigned count,
                       int *options, void **values) {
  passage p = passage_enter(function, data, 0, "cuModuleLoadDataEx");
  driver_load_with *load = AS(driver_load_with, function);
  int status = p.made == NULL ? FAILED : load(module, p.made, count, options, values);
  if (status != DRIVER_SUCCESS)
    status = load(module, data, count, options, values);
  passage_leave(&p);
  return status;
}

int stand_in_load_file(void *function, void **module, const char *file) {
  passage p = passage_enter_file(function, file);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuModuleLoadData");
  int status = with_data == NULL ? FAILED : AS(driver_load, with_data)(module, p.made);
  if (status != DRIVER_SUCCESS)
    status = AS(driver_load_file, function)(module, file);
  passage_leave(&p);
  return status;
}

int stand_in_link_data(void *function, void *state, int type, void *data, size_t size,
                       const char *name, unsigned count, int *options, void **values) {
  bool may_change = (type == DRIVER_INPUT_PTX || type == DRIVER_INPUT_FAT_BINARY) && size > 0;
  passage p = passage_enter(function, may_change ? data : NULL, size,
                            name == NULL ? "cuLinkAddData" : name);
  bool changes = p.made != NULL;
  int status = AS(driver_link_data, function)(
      state, type, changes ? p.made : data, changes ? p.size : size, name, count, options, values);
  passage_leave(&p);
  return status;
}

int stand_in_link_file(void *function, void *state, int type, const char *file, unsigned count,
                       int *options, void **values) {
  bool may_change = type == DRIVER_INPUT_PTX || type == DRIVER_INPUT_FAT_BINARY;
  passage p = passage_enter_file(function, may_change ? file : NULL);
  void *with_data = NULL;
  if (p.made != NULL)
    with_data = symbols_beside(function, "cuLinkAddData_v2");
  int status = with_data == NULL
                   ? AS(driver_link_file, function)(state, type, file, count, options, values)
                   : AS(driver_link_data, with_data)(state, type, p.made, p.size, file, count,
                                                     options, values);
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

// Calls the driver with the image that was made. False if it can't.
static bool load_library(void *function, const passage *p, void **library, int *options,
                         void **values, unsigned count, const int *library_options,
                         void **library_values, unsigned library_count, int *status) {
  if (p->made == NULL || function == NULL || (library_options == NULL && library_count > 0))
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

int stand_in_library_data(void *function, void **library, const void *data, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count) {
  passage p = passage_enter(function, data, 0, "cuLibraryLoadData");
  int status;
  if (!load_library(function, &p, library, options, values, count, library_options, library_values,
                    library_count, &status) ||
      status != DRIVER_SUCCESS)
    status = AS(driver_library_data, function)(library, data, options, values, count,
                                               library_options, library_values, library_count);
  passage_leave(&p);
  return status;
}

int stand_in_library_file(void *function, void **library, const char *file, int *options,
                          void **values, unsigned count, int *library_options,
                          void **library_values, unsigned library_count) {
  passage p = passage_enter_file(function, file);
  void *with_data = p.made == NULL ? NULL : symbols_beside(function, "cuLibraryLoadData");
  int status;
  if (!load_library(with_data, &p, library, options, values, count, library_options, library_values,
                    library_count, &status) ||
      status != DRIVER_SUCCESS)
    status = AS(driver_library_file, function)(library, file, options, values, count,
                                               library_options, library_values, library_count);
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
