// Stands in for libnvrtc.so.13: the PTX of a program is the file that its handle names. And for
// libnvJitLink.so.13: the machine code of a linker is its options and its input, its PTX the input.
// $FAKE_FAILS is an option with which linking fails, or `text`, which is that of PTX, or `adding`,
// of PTX with labels of LLVM's.
#define _GNU_SOURCE // memmem
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nvrtcGetPTXSize(void *program, size_t *size) {
  FILE *file = fopen(program, "rb");
  if (file == NULL)
    return 5;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file) + 1;
  fclose(file);
  return 0;
}

int nvrtcGetPTX(void *program, char *text) {
  size_t size;
  if (nvrtcGetPTXSize(program, &size) != 0)
    return 5;
  FILE *file = fopen(program, "rb");
  text[fread(text, 1, size - 1, file)] = '\0';
  fclose(file);
  return 0;
}

typedef struct linker {
  char options[256];
  char *data;
  size_t size;
  int has_text, is_complete;
} linker;

static int alive;

int nvJitLinkCreate(linker **made, unsigned count, const char **options) {
  linker *l = *made = calloc(1, sizeof *l);
  for (unsigned i = 0; i < count; i++)
    snprintf(l->options + strlen(l->options), sizeof l->options - strlen(l->options), "%s ",
             options[i]);
  alive++;
  return 0;
}

int nvJitLinkDestroy(linker **l) {
  free((*l)->data);
  free(*l);
  *l = NULL;
  printf("%d linkers left\n", --alive);
  return 0;
}

int nvJitLinkAddData(linker *l, int type, const void *data, size_t size, const char *name) {
  printf("nvJitLink type %d, %s\n", type, name);
  const char *fails = getenv("FAKE_FAILS");
  if (fails != NULL && strcmp(fails, "adding") == 0 && type == 2 &&
      memmem(data, size, "$L__BB", 6) != NULL)
    return 4;
  l->data = realloc(l->data, l->size + size + 1);
  memcpy(l->data + l->size, data, size);
  l->size += size;
  l->data[l->size] = '\0';
  l->has_text |= type == 2;
  return 0;
}

int nvJitLinkAddFile(linker *l, int type, const char *name) {
  FILE *file = fopen(name, "rb");
  char *data = calloc(1, 1 << 20);
  size_t size = fread(data, 1, 1 << 20, file);
  fclose(file);
  int status = nvJitLinkAddData(l, type, data, size, name);
  free(data);
  return status;
}

int nvJitLinkComplete(linker *l) {
  const char *fails = getenv("FAKE_FAILS");
  if (fails != NULL && (strstr(l->options, fails) != NULL || (l->has_text && fails[0] == 't')))
    return 6;
  l->is_complete = 1;
  return 0;
}

int nvJitLinkGetLinkedPtxSize(linker *l, size_t *size) {
  *size = l->size + 1;
  return !l->is_complete || strstr(l->options, "-ptx") == NULL;
}

int nvJitLinkGetLinkedPtx(linker *l, char *text) {
  memcpy(text, l->data, l->size + 1);
  return 0;
}

int nvJitLinkGetLinkedCubinSize(linker *l, size_t *size) {
  *size = strlen(l->options) + 1 + l->size;
  return !l->is_complete;
}

int nvJitLinkGetLinkedCubin(linker *l, char *cubin) {
  memcpy(cubin, l->options, strlen(l->options));
  cubin[strlen(l->options)] = '\n';
  memcpy(cubin + strlen(l->options) + 1, l->data, l->size);
  return 0;
}

int __nvJitLinkAddData_13_0(linker *l, int type, const void *data, size_t size, const char *name) {
  return nvJitLinkAddData(l, type, data, size, name);
}
