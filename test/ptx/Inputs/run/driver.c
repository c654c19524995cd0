// Stands in for libcuda.so.1: keeps the images that it gets in files of $FAKE_FOLDER, named after the
// function and numbered, and says what else it got. Enough of the driver for CUDA's runtime to
// register what nvcc put into a program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int count;

static size_t size_of(const unsigned char *data) {
  uint32_t magic = 0;
  memcpy(&magic, data, strnlen((const char *)data, 4));
  uint64_t rest;
  if (magic != 0xba55ed50)
    return memcmp(data, "\177ELF", 4) == 0 ? 64 : strlen((const char *)data);
  memcpy(&rest, data + 8, sizeof rest);
  return 16 + (size_t)rest;
}

static void keep(const char *function, const unsigned char *data, size_t size) {
  uint32_t magic = 0;
  if (data != NULL && size == 0 && data[0] != '\0')
    memcpy(&magic, data, strnlen((const char *)data, 4));
  if (magic == 0x466243b1)
    memcpy(&data, data + 8, sizeof data);
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.%d", getenv("FAKE_FOLDER"), function, count++);
  FILE *file = fopen(path, "wb");
  if (file == NULL)
    abort();
  if (data != NULL)
    fwrite(data, 1, size != 0 ? size : size_of(data), file);
  fclose(file);
}

// What refuses images that aren't the file $FAKE_TAKES, if that is set.
static int refuses(const char *data) {
  static char taken[1 << 16];
  FILE *file = getenv("FAKE_TAKES") == NULL ? NULL : fopen(getenv("FAKE_TAKES"), "rb");
  if (file == NULL)
    return 0;
  taken[fread(taken, 1, sizeof taken - 1, file)] = '\0';
  fclose(file);
  return strcmp(taken, data) == 0 ? 0 : 218;
}

static void say_options(const char *what, unsigned options, const int *option, void *const *value) {
  for (unsigned i = 0; i < options; i++)
    printf("%s option %d=%ld\n", what, option[i], (long)(intptr_t)value[i]);
}

int cuModuleLoadData(void **module, const void *data) {
  keep("cuModuleLoadData", data, 0);
  *module = &count;
  errno = 99;
  return refuses(data);
}

int cuModuleLoadFatBinary(void **module, const void *data) {
  keep("cuModuleLoadFatBinary", data, 0);
  *module = &count;
  return 0;
}

int cuModuleLoadDataEx(void **module, const void *data, unsigned options, int *option,
                       void **value) {
  keep("cuModuleLoadDataEx", data, 0);
  say_options("cuModuleLoadDataEx", options, option, value);
  *module = &count;
  if (getenv("FAKE_TAKES") == NULL || refuses(data) == 0)
    return getenv("FAKE_TAKES") == NULL ? 218 : 0;
  value[0] = 0; // of a message's length
  return 218;
}

int cuModuleLoad(void **module, const char *file) {
  printf("cuModuleLoad %s\n", file);
  *module = &count;
  return access(file, 4) == 0 ? 0 : 301;
}

int cuLinkAddData_v2(void *state, int type, void *data, size_t size, const char *name,
                     unsigned options, int *option, void **value) {
  printf("cuLinkAddData_v2 type %d, %s\n", type, name == NULL ? "no name" : name);
  keep("cuLinkAddData_v2", data, size);
  say_options("cuLinkAddData_v2", options, option, value);
  return state == NULL ? 1 : refuses(data);
}

int cuLinkAddData(void *state, int type, void *data, size_t size, const char *name,
                  unsigned options, int *option, void **value) {
  (void)options, (void)option, (void)value, (void)name, (void)type;
  keep("cuLinkAddData", data, size);
  return state == NULL;
}

int cuLinkAddFile_v2(void *state, int type, const char *file, unsigned options, int *option,
                     void **value) {
  printf("cuLinkAddFile_v2 type %d, %s\n", type, file);
  say_options("cuLinkAddFile_v2", options, option, value);
  return state == NULL;
}

int cuLinkAddFile(void *state, int type, const char *file, unsigned options, int *option,
                  void **value) {
  return cuLinkAddFile_v2(state, type, file, options, option, value);
}

static int late; // what asking for a kernel gives

int cuLibraryLoadData(void **library, const void *data, int *option, void **value, unsigned options,
                      int *library_option, void **library_value, unsigned library_options) {
  keep("cuLibraryLoadData", data, 0);
  say_options("cuLibraryLoadData", options, option, value);
  say_options("cuLibraryLoadData library", library_options, library_option, library_value);
  *library = &count;
  late = refuses(data);
  return 0;
}

int cuLibraryGetKernel(void **kernel, void *library, const char *name) {
  (void)library, (void)name;
  *kernel = NULL;
  return late != 0 ? late : 500;
}

int cuLibraryUnload(void *library) {
  puts("cuLibraryUnload");
  return library == NULL;
}

int cuLibraryLoadFromFile(void **library, const char *file, int *option, void **value,
                          unsigned options, int *library_option, void **library_value,
                          unsigned library_options) {
  printf("cuLibraryLoadFromFile %s\n", file);
  say_options("cuLibraryLoadFromFile", options, option, value);
  say_options("cuLibraryLoadFromFile library", library_options, library_option, library_value);
  *library = &count;
  return 0;
}

int cuLaunchKernel(void) { return 0; }

// ---- a driver of version $FAKE_DRIVER, 13000 if nobody says, with a GPU of compute capability
// $FAKE_SM, 90

int cuInit(unsigned flags) { return (int)flags; }

int cuDriverGetVersion(int *version) {
  const char *given = getenv("FAKE_DRIVER");
  *version = given == NULL ? 13000 : atoi(given);
  return 0;
}

int cuDeviceGetCount(int *devices) {
  *devices = 1;
  return 0;
}

int cuDeviceGet(int *device, int number) {
  *device = number;
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *given = getenv("FAKE_SM");
  int sm = given == NULL ? 90 : atoi(given);
  *value = attribute == 75 ? sm / 10 : attribute == 76 ? sm % 10 : 1;
  return device;
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);

// By a table, for dlsym would find what stands in for these.
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                        int *result) {
  static const struct {
    const char *name;
    void *function;
  } list[] = {
      {"cuModuleLoadData", cuModuleLoadData},
      {"cuModuleLoadDataEx", cuModuleLoadDataEx},
      {"cuModuleLoadFatBinary", cuModuleLoadFatBinary},
      {"cuModuleLoad", cuModuleLoad},
      {"cuLinkAddData", cuLinkAddData_v2},
      {"cuLinkAddFile", cuLinkAddFile_v2},
      {"cuLibraryLoadData", cuLibraryLoadData},
      {"cuLibraryLoadFromFile", cuLibraryLoadFromFile},
      {"cuLaunchKernel", cuLaunchKernel},
      {"cuInit", cuInit},
      {"cuDriverGetVersion", cuDriverGetVersion},
      {"cuDeviceGetCount", cuDeviceGetCount},
  };
  (void)flags;
  *function = NULL;
  if (strcmp(name, "cuGetProcAddress") == 0)
    *function = version >= 12000 ? (void *)cuGetProcAddress_v2 : (void *)cuGetProcAddress;
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(list[i].name, name) == 0)
      *function = list[i].function;
  if (result != NULL)
    *result = *function == NULL;
  return *function == NULL ? 500 : 0;
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
