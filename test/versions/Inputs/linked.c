// A program that links machine code itself, or loads a file, and launches a kernel; each launch has to write what
// the first one did. Waits in the middle until linearize-make is done.
//
//   linked link CODE PTX... LAUNCHES
//   linked lto CODE PTX NVJITLINK [TYPE] LAUNCHES     TYPE: of one input more
//   linked file IMAGE LAUNCHES
//
// With NVRTC in the environment, machine code comes from there; it is written to CODE, too.
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS = 500 };

static void *library;
#define CALL(types, name, ...) (((int(*) types)dlsym(library, #name))(__VA_ARGS__))

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(1, 16 << 20);
  *size = fread(text, 1, (16 << 20) - 1, file);
  fclose(file);
  return text;
}

static void *link_all(char **files, int count) {
  void *linker, *code, *module;
  size_t size;
  CALL((unsigned, int *, void **, void **), cuLinkCreate_v2, 0, NULL, NULL, &linker);
  for (int i = 0; i < count; i++) {
    char *text = read_file(files[i], &size);
    CALL((void *, int, void *, size_t, const char *, unsigned, int *, void **), cuLinkAddData_v2, linker, i > 0, text,
         size, files[i], 0, NULL, NULL);
    free(text);
  }
  CALL((void *, void **, size_t *), cuLinkComplete, linker, &code, &size);
  CALL((void **, const void *), cuModuleLoadData, &module, code);
  CALL((void *), cuLinkDestroy, linker);
  return module;
}

// As jit_link.c has LTO-IR.
static void *link_lto(char **files, int count) {
  size_t sizes[2], whole;
  char *code = read_file(files[0], &sizes[0]), *text = read_file(files[1], &sizes[1]);
  char *data = malloc(whole = 4 + sizeof sizes[1] + sizes[0] + sizes[1]);
  const char *options[] = {"-arch=sm_90", "-lto"};
  void *jit = dlopen(files[2], RTLD_LAZY), *driver = library, *linker, *module;
  memcpy(data, "\xed\x43\x4e\x7f", 4);
  memcpy(data + 4, &sizes[1], sizeof sizes[1]);
  memcpy(data + 4 + sizeof sizes[1], text, sizes[1]);
  memcpy(data + 4 + sizeof sizes[1] + sizes[1], code, sizes[0]);
  library = jit;
  CALL((void **, unsigned, const char **), nvJitLinkCreate, &linker, 2, options);
  CALL((void *, int, const void *, size_t, const char *), nvJitLinkAddData, linker, 3, data, whole, "a name");
  if (count > 3)
    CALL((void *, int, const void *, size_t, const char *), nvJitLinkAddData, linker, atoi(files[3]), data, 4, "more");
  free(data);
  CALL((void *), nvJitLinkComplete, linker);
  CALL((void *, size_t *), nvJitLinkGetLinkedCubinSize, linker, &whole);
  data = malloc(whole);
  if (getenv("NVRTC") != NULL)
    CALL((void *, void *), nvrtcGetCUBIN, linker, data);
  else
    CALL((void *, void *), nvJitLinkGetLinkedCubin, linker, data);
  if (getenv("CODE") != NULL) {
    FILE *file = fopen(getenv("CODE"), "wb");
    fwrite(data, 1, whole, file);
    fclose(file);
  }
  CALL((void **), nvJitLinkDestroy, &linker);
  library = driver;
  CALL((void **, const void *), cuModuleLoadData, &module, data);
  free(data);
  return module;
}

static unsigned count_kept(void) {
  unsigned kept = 0;
  DIR *folder = opendir(getenv("LINEARIZE_CACHE"));
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    kept += strstr(entry->d_name, ".kept") != NULL;
  if (folder != NULL)
    closedir(folder);
  return kept;
}

int main(int count, char **arguments) {
  static unsigned first[ITEMS], got[ITEMS];
  void *context, *module, *kernel;
  unsigned long long out;
  unsigned items = ITEMS, wrong = 0;
  const int launches = atoi(arguments[count - 1]);
  library = dlopen("libcuda.so.1", RTLD_LAZY);
  CALL((unsigned), cuInit, 0);
  CALL((void **, unsigned, int), cuCtxCreate_v2, &context, 0, 0);
  if (strcmp(arguments[1], "link") == 0)
    module = link_all(arguments + 2, count - 3);
  else if (strcmp(arguments[1], "lto") == 0)
    module = link_lto(arguments + 2, count - 3);
  else
    CALL((void **, const char *), cuModuleLoad, &module, arguments[2]);
  CALL((void **, void *, const char *), cuModuleGetFunction, &kernel, module, "_Z4walkPjj");
  CALL((unsigned long long *, size_t), cuMemAlloc_v2, &out, sizeof got);
  const unsigned before = count_kept(), made = before < 3 ? before + 2 : before;
  for (int i = 0; i < launches; i++) {
    void *given[] = {&out, &items};
    CALL((void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **),
         cuLaunchKernel, kernel, 8, 1, 1, 64, 1, 1, 0, NULL, given, NULL);
    CALL((void), cuCtxSynchronize);
    CALL((void *, unsigned long long, size_t), cuMemcpyDtoH_v2, got, out, sizeof got);
    if (i == 0)
      memcpy(first, got, sizeof got);
    wrong += memcmp(first, got, sizeof got) != 0;
    for (unsigned tenths = 0; launches > 100 && i == launches / 2 && count_kept() < made && tenths < 600; tenths++)
      usleep(100000);
  }
  printf("%u wrong\n", wrong);
  return 0;
}
