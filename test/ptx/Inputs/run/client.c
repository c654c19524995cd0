// Hands files to the driver, or gets PTX of NVRTC, as programs do:
//
//   client WAY FUNCTION FILE [OPTION...]
//
// or links it with these options by nvJitLink, if FUNCTION is its nvJitLinkAddData or nvJitLinkAddFile.
// WAY is linked, dlsym, default (RTLD_DEFAULT), program (the handle of the program itself), next
// (RTLD_NEXT), proc, proc-v1 (cuGetProcAddress of CUDA before 12); threads and fork load by dlsym,
// from 8 threads 50 times each, or from a child too. Prints the status.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int take_data(void **, const void *);
typedef int take_data_with(void **, const void *, unsigned, int *, void **);
typedef int take_link(void *, int, void *, size_t, const char *, unsigned, int *, void **);
typedef int take_link_file(void *, int, const char *, unsigned, int *, void **);
typedef int take_library(void **, const void *, int *, void **, unsigned, int *, void **, unsigned);
typedef int add_data(void *, int, const void *, size_t, const char *);
typedef int add_file(void *, int, const char *);
typedef int get_size(void *, size_t *);
typedef int get_text(void *, char *);
typedef int find(const char *, void **, int, uint64_t);
typedef int find_query(const char *, void **, int, uint64_t, int *);

#ifdef LINKED
take_data cuModuleLoadData, cuModuleLoadFatBinary, cuModuleLoad;
take_data_with cuModuleLoadDataEx;
take_link cuLinkAddData_v2, cuLinkAddData;
take_link_file cuLinkAddFile_v2, cuLinkAddFile;
take_library cuLibraryLoadData, cuLibraryLoadFromFile;
get_size nvrtcGetPTXSize;
get_text nvrtcGetPTX;

static void *linked(const char *name) {
  static const struct {
    const char *name;
    void *function;
  } list[] = {
      {"cuModuleLoadData", cuModuleLoadData},   {"cuModuleLoadFatBinary", cuModuleLoadFatBinary},
      {"cuModuleLoad", cuModuleLoad},           {"cuModuleLoadDataEx", cuModuleLoadDataEx},
      {"cuLinkAddData_v2", cuLinkAddData_v2},   {"cuLinkAddData", cuLinkAddData},
      {"cuLinkAddFile_v2", cuLinkAddFile_v2},   {"cuLinkAddFile", cuLinkAddFile},
      {"cuLibraryLoadData", cuLibraryLoadData}, {"cuLibraryLoadFromFile", cuLibraryLoadFromFile},
      {"nvrtcGetPTXSize", nvrtcGetPTXSize},     {"nvrtcGetPTX", nvrtcGetPTX},
  };
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    if (strcmp(list[i].name, name) == 0)
      return list[i].function;
  return NULL;
}
#else
static void *linked(const char *name) { return (void)name, NULL; }
#endif

static void *get(const char *way, const char *name) {
  void *library = NULL, *found = NULL;
  int query = 7;
  if (strcmp(way, "linked") == 0)
    return linked(name);
  if (strcmp(way, "default") == 0)
    return dlsym(RTLD_DEFAULT, name);
  if (strcmp(way, "next") == 0)
    return dlsym(RTLD_NEXT, name);
  if (strcmp(way, "program") == 0)
    return dlsym(dlopen(NULL, RTLD_LAZY), name);
  library = dlopen(strstr(name, "nvrtc") != NULL || strstr(name, "nvJit") != NULL ? "libnvrtc.so.13"
                                                                                  : "libcuda.so.1",
                   RTLD_LAZY);
  if (strcmp(way, "proc") == 0) {
    find_query *proc = (find_query *)dlsym(library, "cuGetProcAddress_v2");
    void *again; // as CUDA's runtime asks for it
    if (proc("cuGetProcAddress", &again, 12000, 0, &query) != 0 || query != 0)
      abort();
    ((find_query *)again)(name, &found, 13000, 0, &query);
    return found;
  }
  if (strcmp(way, "proc-v1") == 0) {
    find *proc = (find *)dlsym(library, "cuGetProcAddress");
    void *again;
    if (proc("cuGetProcAddress", &again, 11030, 0) != 0)
      abort();
    ((find *)again)(name, &found, 11030, 0);
    return found;
  }
  return dlsym(library, name);
}

static char *read_file(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  char *data = NULL;
  *size = 0;
  if (file == NULL)
    return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  data = calloc(1, *size + 1);
  if (fread(data, 1, *size, file) != *size)
    abort();
  fclose(file);
  return data;
}

static const char *function_name, *file_name;
static void *function;

static int call(void) {
  int option[] = {4, 1}, library_option[] = {1, 0};
  void *value[] = {(void *)44, (void *)11}, *library_value[] = {(void *)1, (void *)5}, *made = NULL;
  size_t size;
  char *data = read_file(file_name, &size);
  errno = 77;
  if (strcmp(function_name, "cuModuleLoadDataEx") == 0)
    return ((take_data_with *)function)(&made, data, 2, option, value);
  if (strncmp(function_name, "cuLinkAddData", 13) == 0) {
    const char *type = getenv("LINK_TYPE");
    return ((take_link *)function)(&made, type == NULL ? 1 : atoi(type), data, size, "a name", 2,
                                   option, value);
  }
  if (strncmp(function_name, "cuLinkAddFile", 13) == 0)
    return ((take_link_file *)function)(&made, 1, file_name, 2, option, value);
  if (strcmp(function_name, "cuLibraryLoadData") == 0)
    return ((take_library *)function)(&made, data, option, value, 2, library_option, library_value,
                                      2);
  if (strcmp(function_name, "cuLibraryLoadFromFile") == 0)
    return ((take_library *)function)(&made, file_name, option, value, 2, library_option,
                                      library_value, 2);
  if (strcmp(function_name, "cuModuleLoad") == 0)
    return ((take_data *)function)(&made, file_name);
  if (getenv("WRAP") != NULL) {
    struct {
      uint32_t magic, version;
      const void *data;
      void *file;
    } wrapper = {0x466243b1, 1, data, NULL};
    return ((take_data *)function)(&made, &wrapper);
  }
  return ((take_data *)function)(&made, getenv("NO_IMAGE") != NULL ? NULL : data);
}

// Writes the text to the file `nvrtc` of $FAKE_FOLDER.
static int get_ptx(const char *way) {
  get_size *size_of = (get_size *)get(way, "nvrtcGetPTXSize");
  get_text *text_of = (get_text *)get(way, "nvrtcGetPTX");
  size_t size = 0;
  void *program = (void *)(uintptr_t)file_name;
  if (getenv("NO_SIZE") == NULL) {
    int status = size_of(program, &size);
    if (status != 0)
      return status;
  } else {
    free(read_file(file_name, &size));
    size++;
  }
  char *text = malloc(size); // exactly, so that a sanitizer sees what goes past its end
  int status = text_of(program, text);
  char path[4096];
  snprintf(path, sizeof path, "%s/nvrtc", getenv("FAKE_FOLDER"));
  FILE *file = fopen(path, "wb");
  if (strlen(text) + 1 != size)
    printf("%zu characters in room for %zu\n", strlen(text), size);
  fputs(text, file);
  fclose(file);
  if (getenv("LOAD") != NULL) {
    void *made;
    function = get(way, function_name = getenv("LOAD"));
    status = strcmp(function_name, "cuLibraryLoadData") == 0
                 ? ((take_library *)function)(&made, text, NULL, NULL, 0, NULL, NULL, 0)
                 : ((take_data *)function)(&made, text);
  }
  return status;
}

// Links the file, of the type $LINK_TYPE, and writes the machine code to the file `cubin` of
// $FAKE_FOLDER.
static int link_file(const char *way, int count, char **options) {
  int (*create)(void **, unsigned, char **) = get(way, "nvJitLinkCreate");
  int (*destroy)(void **) = get(way, "nvJitLinkDestroy");
  add_data *data_to = (add_data *)get(way, "nvJitLinkAddData");
  int (*complete)(void *) = get(way, "nvJitLinkComplete");
  int (*get_size_of)(void *, size_t *) = get(way, "nvJitLinkGetLinkedCubinSize");
  int (*get_cubin)(void *, char *) = get(way, "nvJitLinkGetLinkedCubin");
  int type = getenv("LINK_TYPE") == NULL ? 2 : atoi(getenv("LINK_TYPE"));
  void *linker;
  size_t size;
  char *data = read_file(file_name, &size), path[4096];
  create(&linker, (unsigned)count, options);
  if (strstr(function_name, "AddFile") != NULL)
    ((add_file *)get(way, function_name))(linker, type, file_name);
  else
    ((add_data *)get(way, function_name))(linker, type, data, size, "a name");
  if (getenv("LINK_MORE") != NULL)
    data_to(linker, 1, "more", 4, "another");
  memset(data, 'x', size); // it was the program's
  errno = 77;
  int status = complete(linker);
  if (status == 0)
    status = get_size_of(linker, &size);
  if (status == 0) {
    char *cubin = malloc(size);
    status = get_cubin(linker, cubin);
    snprintf(path, sizeof path, "%s/cubin", getenv("FAKE_FOLDER"));
    FILE *file = fopen(path, "wb");
    fwrite(cubin, 1, size, file);
    fclose(file);
  }
  destroy(&linker);
  return status;
}

static void *load_often(void *context) {
  (void)context;
  for (int i = 0; i < 50; i++)
    if (call() != 0)
      abort();
  return NULL;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 0;
  const char *way = argv[1];
  function_name = argv[2];
  file_name = argv[3];
  if (strcmp(function_name, "nvrtcGetPTX") == 0) {
    printf("status %d\n", get_ptx(way));
    return 0;
  }
  if (strstr(function_name, "nvJitLinkAdd") != NULL) {
    printf("status %d, errno %d\n", link_file(way, argc - 4, argv + 4), errno);
    return 0;
  }
  function = get(way, function_name);
  if (function == NULL) {
    printf("no %s\n", function_name);
    return 0;
  }
  if (strcmp(way, "threads") == 0) {
    pthread_t thread[8];
    for (int i = 0; i < 8; i++)
      if (pthread_create(&thread[i], NULL, load_often, NULL) != 0)
        abort();
    for (int i = 0; i < 8; i++)
      pthread_join(thread[i], NULL);
    return 0;
  }
  if (strcmp(way, "fork") == 0 && fork() == 0) {
    call();
    return 0;
  }
  int status = call(), error = errno;
  if (strcmp(way, "fork") == 0)
    wait(NULL);
  printf("status %d, errno %d\n", status, error);
  return 0;
}
