#include "jit_library.h"

#include <stdlib.h>
#include <string.h>

bool jit_library_find(jit_library *lib, void *(*find)(void *where, const char *name), void *where) {
  const struct {
    const char *name;
    void *at;
  } needed[] = {
      {"nvJitLinkCreate", &lib->create},        {"nvJitLinkDestroy", &lib->destroy},
      {"nvJitLinkAddData", &lib->add_data},     {"nvJitLinkAddFile", &lib->add_file},
      {"nvJitLinkComplete", &lib->complete},    {"nvJitLinkGetLinkedPtxSize", &lib->get_ptx_size},
      {"nvJitLinkGetLinkedPtx", &lib->get_ptx},
  };
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    void *found = find(where, needed[i].name);
    if (found == NULL)
      return false;
    memcpy(needed[i].at, &found, sizeof found);
  }
  return true;
}

char *jit_library_finish(const jit_library *lib, void *linker) {
  size_t size = 0;
  char *text = NULL;
  if (lib->complete(linker) == 0 && lib->get_ptx_size(linker, &size) == 0)
    text = calloc(1, size + 1);
  if (text != NULL && lib->get_ptx(linker, text) != 0) {
    free(text);
    text = NULL;
  }
  lib->destroy(&linker);
  return text;
}
