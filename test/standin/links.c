// Linkers: PTX goes in beside the machine code that it stands for, which is what comes out, behind
// the header of an ELF file. PTX alone can't be linked.
#include "standin.h"

#include "exports.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_CODE = 0, INPUT_PTX = 1 };

typedef struct gpu_linker {
  object object;
  char *code; // behind a header
  size_t size;
} gpu_linker;

int cuLinkCreate_v2(unsigned options, int *option, void **value, void **made) {
  (void)options, (void)option, (void)value;
  LEAVE_UNLESS_OK(driver_enter_context("cuLinkCreate"));
  *made = object_new(LINKER, sizeof(gpu_linker));
  return driver_leave(OK);
}

int cuLinkAddData_v2(void *handle, int type, void *data, size_t size, const char *name,
                     unsigned options, int *option, void **value) {
  (void)name, (void)options, (void)option, (void)value;
  LEAVE_UNLESS_OK(driver_enter_context("cuLinkAddData"));
  gpu_linker *l = handle;
  if (!object_is(l, LINKER) || data == NULL || (type != INPUT_CODE && type != INPUT_PTX))
    return driver_leave(INVALID_VALUE);
  if (type == INPUT_PTX)
    return driver_leave(OK);
  Elf64_Ehdr h = {.e_ident = ELFMAG, .e_shoff = sizeof h + size};
  free(l->code);
  l->size = sizeof h + size;
  l->code = malloc(l->size);
  if (l->code == NULL)
    abort();
  memcpy(l->code, &h, sizeof h);
  memcpy(l->code + sizeof h, data, size);
  return driver_leave(OK);
}

int cuLinkComplete(void *handle, void **code, size_t *size) {
  LEAVE_UNLESS_OK(driver_enter_context("cuLinkComplete"));
  const gpu_linker *l = handle;
  if (!object_is(l, LINKER) || l->code == NULL)
    return driver_leave(INVALID_VALUE);
  *code = l->code;
  *size = l->size;
  return driver_leave(OK);
}

int cuLinkDestroy(void *handle) {
  LEAVE_UNLESS_OK(driver_enter_context("cuLinkDestroy"));
  gpu_linker *l = handle;
  if (!object_is(l, LINKER))
    return driver_leave(INVALID_VALUE);
  free(l->code);
  object_destroy(l);
  return driver_leave(OK);
}
