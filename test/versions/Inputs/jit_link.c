// nvJitLink and NVRTC, whose LTO-IR is a mark, the length of PTX, PTX, and the machine code of the stand-in driver.
#include <elf.h>
#include <stdlib.h>
#include <string.h>

typedef struct linker {
  int makes_ptx;
  size_t length, size; // of PTX, and of code
  char *text, *code;
} linker;

int nvJitLinkCreate(linker **made, unsigned count, const char **options) {
  linker *l = *made = calloc(1, sizeof *l);
  int has_lto = 0;
  for (unsigned i = 0; i < count; i++) {
    has_lto |= strcmp(options[i], "-lto") == 0;
    l->makes_ptx |= strcmp(options[i], "-ptx") == 0;
  }
  return has_lto ? 0 : 1;
}

int nvJitLinkDestroy(linker **l) {
  free((*l)->text);
  free(*l);
  return 0;
}

int nvJitLinkAddData(linker *l, int type, const char *data, size_t size, const char *name) {
  (void)name;
  if (type != 3)
    return 0; // a library
  memcpy(&l->length, data + 4, sizeof l->length);
  l->size = size - 4 - sizeof l->length - l->length;
  l->text = malloc(size);
  memcpy(l->text, data + 4 + sizeof l->length, size - 4 - sizeof l->length);
  l->code = l->text + l->length;
  return 0;
}

int nvJitLinkAddFile(const linker *l, int type, const char *name) { return l == NULL || type < 0 || name == NULL; }

int nvJitLinkComplete(const linker *l) { return l->text == NULL; }

int nvJitLinkGetLinkedPtxSize(const linker *l, size_t *size) {
  *size = l->length + 1;
  return l->makes_ptx ? 0 : 1;
}

int nvJitLinkGetLinkedPtx(const linker *l, char *text) {
  memcpy(text, l->text, l->length);
  text[l->length] = '\0';
  return 0;
}

int nvJitLinkGetLinkedCubinSize(const linker *l, size_t *size) {
  *size = sizeof(Elf64_Ehdr) + l->size;
  return l->makes_ptx;
}

int nvJitLinkGetLinkedCubin(const linker *l, char *code) {
  const Elf64_Ehdr h = {.e_ident = ELFMAG, .e_shoff = sizeof h + l->size};
  memcpy(code, &h, sizeof h);
  memcpy(code + sizeof h, l->code, l->size);
  return 0;
}

int nvrtcGetCUBIN(const linker *l, char *code) { return nvJitLinkGetLinkedCubin(l, code); }

int nvrtcGetPTXSize(const linker *l, size_t *size) {
  *size = l->length + 1;
  return 0;
}

int nvrtcGetPTX(const linker *l, char *text) { return nvJitLinkGetLinkedPtx(l, text); }
