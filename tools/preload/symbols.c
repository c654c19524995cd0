// What programs ask dlsym for goes to the C library untouched, the place of the call included: it
// is from there that RTLD_NEXT counts. So dlsym is a few instructions that ask symbols_choose where
// to go on and jump there.
#define _GNU_SOURCE

#include "symbols.h"

#include "hooks.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        ".cfi_startproc\n"
        "endbr64\n"
        "pushq %rdi\n"
        ".cfi_adjust_cfa_offset 8\n"
        "pushq %rsi\n"
        ".cfi_adjust_cfa_offset 8\n"
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "call symbols_choose\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "popq %rsi\n"
        ".cfi_adjust_cfa_offset -8\n"
        "popq %rdi\n"
        ".cfi_adjust_cfa_offset -8\n"
        "jmp *%rax\n"
        ".cfi_endproc\n"
        ".size dlsym, .-dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        ".cfi_startproc\n"
        "stp x29, x30, [sp, #-32]!\n"
        ".cfi_adjust_cfa_offset 32\n"
        ".cfi_offset x30, -24\n"
        ".cfi_offset x29, -32\n"
        "stp x0, x1, [sp, #16]\n"
        "bl symbols_choose\n"
        "mov x16, x0\n"
        "ldp x0, x1, [sp, #16]\n"
        "ldp x29, x30, [sp], #32\n"
        ".cfi_adjust_cfa_offset -32\n"
        ".cfi_restore x30\n"
        ".cfi_restore x29\n"
        "br x16\n"
        ".cfi_endproc\n"
        ".size dlsym, .-dlsym\n");
#endif

// The versions that the C library has dlsym in: since 2.34 everywhere, before that by machine.
static void *find_dlsym(void) {
  static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
  void *found = NULL;
  for (size_t i = 0; i < sizeof versions / sizeof *versions && found == NULL; i++)
    found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  dlerror(); // of versions that aren't there, for which nobody asked
  return found;
}

// Several threads may find it, and find the same.
static symbols_find *c_library_dlsym(void) {
  static void *_Atomic found;
  void *at = found;
  if (at == NULL)
    found = at = find_dlsym();
  symbols_find *function;
  *(void **)&function = at;
  return function;
}

void *symbols_in(void *handle, const char *name) {
  symbols_find *find = c_library_dlsym();
  return find == NULL ? NULL : find(handle, name);
}

// Whether a place is in a library like this, by its file's name.
static bool is_like_this(const Dl_info *about) {
  const char *name = about->dli_fname == NULL ? "" : about->dli_fname;
  const char *slash = strrchr(name, '/');
  return strncmp(slash == NULL ? name : slash + 1, "liblinearize-", 13) == 0;
}

// The dlsym of the next library like this, or else the C library's. So each of several that are
// preloaded stands in for what it is there for:
//
//     program ──▶ liblinearize-run ──▶ liblinearize-versions ──▶ driver
static symbols_find *next_dlsym(void) {
  static void *_Atomic found;
  symbols_find *function = c_library_dlsym();
  void *at = found;
  if (at == NULL && function != NULL) {
    Dl_info about;
    at = function(RTLD_NEXT, "dlsym");
    if (at == NULL || dladdr(at, &about) == 0 || !is_like_this(&about))
      *(symbols_find **)&at = function;
    found = at;
  }
  *(void **)&function = at;
  return function;
}

// ---- the driver, and NVRTC, wherever they are

typedef struct search {
  const char *start; // of the file's name; some wheels' is libnvrtc-1a2b3c4d.so.12
  char path[4096];
} search;

static int find_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  search *s = context;
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash == NULL ? info->dlpi_name : slash + 1;
  size_t length = strlen(info->dlpi_name);
  if (strncmp(name, s->start, strlen(s->start)) != 0 || strstr(name, "-builtins") != NULL ||
      length >= sizeof s->path)
    return 0;
  memcpy(s->path, info->dlpi_name, length + 1);
  return 1;
}

static void *find_in_file(const char *path, const char *name) {
  void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == NULL)
    return NULL;
  void *found = symbols_in(handle, name);
  dlclose(handle);
  return found;
}

// In a library that a plugin brought, out of sight of the program.
static void *find_loaded(const char *name) {
  search s = {.start = strncmp(name, "nvrtc", 5) == 0 ? "libnvrtc" : "libcuda.so"};
  dl_iterate_phdr(find_object, &s);
  return s.path[0] == '\0' ? NULL : find_in_file(s.path, name);
}

void *symbols_next(const char *name) {
  void *found = symbols_in(RTLD_NEXT, name);
  if (found == NULL && (found = find_loaded(name)) != NULL)
    dlerror(); // nothing went wrong
  return found;
}

// Where a function is another library's of this kind, which has few of the driver's.
void *symbols_beside(void *function, const char *name) {
  Dl_info about;
  if (dladdr(function, &about) == 0 || about.dli_fname == NULL)
    return NULL;
  void *found = find_in_file(about.dli_fname, name);
  return found != NULL || !is_like_this(&about) ? found : find_loaded(name);
}

// ---- what stands in for dlsym

static void *find_in(void *handle, const char *name) {
  symbols_find *find = next_dlsym();
  return find == NULL ? NULL : find(handle, name);
}

static void *find_hooked(void *handle, const char *name) {
  void *found = handle == RTLD_DEFAULT ? symbols_next(name) : find_in(handle, name);
  // From the program itself, which sees this library's first.
  if (found != NULL && hooks_is_own(name, found))
    found = symbols_next(name);
  return hooks_for(name, found);
}

symbols_find *symbols_choose(void *handle, const char *name) {
  // Whoever asks for the next one is a library like this, and gets that.
  if (name == NULL || handle == RTLD_NEXT)
    return c_library_dlsym();
  return hooks_has(name) ? find_hooked : next_dlsym();
}
