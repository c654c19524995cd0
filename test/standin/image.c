// Images: IR, or a list of kernels that do nothing.
#define _DEFAULT_SOURCE // strsep, strdup

#include "standin.h"

#include "common/fat_entries.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char idle[] = "idle\n";

// `\n` and `\t` become what they stand for. Returns the length.
static uint64_t unescape(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0'; from++) {
    if (from[0] == '\\' && (from[1] == 'n' || from[1] == 't'))
      *to++ = *++from == 'n' ? '\n' : '\t';
    else
      *to++ = *from;
  }
  *to = '\0';
  return (uint64_t)(to - text) + 1;
}

static void add_global(image *i, const char *name, uint64_t size, uint8_t *bytes,
                       uint8_t *written) {
  image_global *g = LIN_NEW(&i->arena, image_global);
  g->name = lin_arena_text(&i->arena, name, strlen(name));
  g->memory = memory_new(size, bytes, written);
  g->next = i->globals;
  i->globals = g;
}

static void add_idle_global(image *i, char *line) {
  char *name = strsep(&line, " ");
  uint64_t size = unescape(line);
  uint8_t *bytes = malloc(size);
  if (bytes == NULL)
    abort();
  memcpy(bytes, line, size);
  add_global(i, name, size, bytes, NULL);
}

static void add_idle_kernel(image *i, char *line) {
  enum { MOST_PARAMETERS = 32 };
  image_kernel *k = LIN_NEW(&i->arena, image_kernel);
  const char *name = strsep(&line, " ");
  k->name = lin_arena_text(&i->arena, name, strlen(name));
  k->offset = LIN_ARRAY(&i->arena, uint32_t, MOST_PARAMETERS);
  k->size = LIN_ARRAY(&i->arena, uint32_t, MOST_PARAMETERS);
  while (line != NULL && k->parameters < MOST_PARAMETERS) {
    uint32_t size = (uint32_t)strtoul(strsep(&line, " "), NULL, 10);
    k->offset[k->parameters] = (k->arguments + size - 1) / size * size;
    k->size[k->parameters] = size;
    k->arguments = k->offset[k->parameters++] + size;
  }
  k->next = i->kernels;
  i->kernels = k;
}

static image *read_idle(const char *text) {
  image *i = calloc(1, sizeof *i);
  char *copy = strdup(text), *rest = copy, *line;
  if (i == NULL || copy == NULL)
    abort();
  while ((line = strsep(&rest, "\n")) != NULL) {
    char *word = strsep(&line, " ");
    if (strcmp(word, "kernel") == 0)
      add_idle_kernel(i, line);
    else if (strcmp(word, "global") == 0)
      add_idle_global(i, line);
  }
  free(copy);
  return i;
}

// The machine code of a fat binary, which is IR, too; or the image itself.
static const char *find_code(const void *data) {
  fat_reader r;
  if (memcmp(data, ELFMAG, SELFMAG) == 0) // links.c
    return (const char *)data + sizeof(Elf64_Ehdr);
  if (!fat_start(&r, data, 0))
    return data;
  for (; fat_read(&r); r.at += fat_whole(&r.entry))
    if (r.entry.kind == FAT_CODE)
      return (const char *)r.data + r.at + r.entry.size;
  return "";
}

image *image_read(const void *data) {
  const char *text = find_code(data);
  return strncmp(text, idle, strlen(idle)) == 0 ? read_idle(text) : ir_read(text);
}

void image_release(image *i) {
  if (i->module != NULL)
    ir_release(i);
  for (image_global *g = i->globals; g != NULL; g = g->next)
    memory_release(g->memory);
  lin_arena_release(&i->arena);
  free(i);
}

image_global *image_find_global(image *i, const char *name) {
  for (image_global *g = i->globals; g != NULL; g = g->next)
    if (strcmp(g->name, name) == 0)
      return g;
  uint64_t size;
  uint8_t *bytes, *written;
  if (i->module == NULL || !ir_global(i, name, &size, &bytes, &written))
    return NULL;
  add_global(i, name, size, bytes, written);
  return i->globals;
}

uint64_t image_run(image *i, const gpu_launch *l, int *error) {
  return i->module == NULL ? 1000 : ir_run(i, l, error);
}
