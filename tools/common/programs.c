#define _POSIX_C_SOURCE 200809L // strnlen

#include "programs.h"

#include "command_line.h"
#include "elf_sections.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool tool_is_program(const char *bytes, size_t length) {
  return elf_is(bytes, length) || fat_is(bytes, length);
}

// What a file has.
typedef struct search {
  lin_arena *arena;
  tool_modules ptx, code; // machine code, where a fat binary has that alone
  bool has_others;        // entries of other kinds: LTO-IR
  uint32_t newest;        // architecture of an entry
} search;

static void add(lin_arena *arena, tool_modules *modules, const fat_reader *entry) {
  modules->entry = LIN_ROOM(arena, modules->entry, modules->count, &modules->capacity);
  modules->entry[modules->count++] = *entry;
}

static _Noreturn void die_of_damage(const char *name) {
  tool_die(1, "%s: the file is damaged: a fat binary that ends too soon, or isn't understood",
           name);
}

// ---- where PTX is ------------------------------------------------------------------------------

// Adds the module of the fat binary at `data`. Returns how long that is.
static size_t add_fat_binary(search *s, const unsigned char *data, size_t size) {
  fat_reader r, best;
  if (!fat_start(&r, data, size))
    die_of_damage(s->ptx.name);
  unsigned kind = 0; // of the best one
  for (; fat_read(&r); r.at += fat_whole(&r.entry)) {
    const fat_entry *e = &r.entry;
    if (e->architecture > s->newest)
      s->newest = e->architecture;
    s->has_others |= e->kind != FAT_PTX && e->kind != FAT_CODE;
    if (e->kind != FAT_PTX && (e->kind != FAT_CODE || kind == FAT_PTX))
      continue;
    if (kind == e->kind && e->architecture <= best.entry.architecture)
      continue;
    best = r;
    kind = e->kind;
  }
  if (r.at != r.size)
    die_of_damage(s->ptx.name);
  if (kind != 0)
    add(s->arena, kind == FAT_PTX ? &s->ptx : &s->code, &best);
  return (size_t)r.size;
}

// Fat binaries behind each other, with room between them.
static void search_section(search *s, const elf_section *section) {
  enum { ALIGNMENT = 8 };
  for (size_t at = 0; at < section->size;) {
    const size_t left = section->size - at;
    size_t size =
        fat_is(section->data + at, left) ? add_fat_binary(s, section->data + at, left) : 1;
    at += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }
}

static bool has_fat_binaries(const elf_section *section) {
  return strcmp(section->name, ".nv_fatbin") == 0 || strcmp(section->name, "__nv_relfatbin") == 0;
}

static void search_sections(search *s, elf_reader *elf) {
  elf_section section;
  while (elf_next(elf, &section))
    if (has_fat_binaries(&section))
      search_section(s, &section);
  if (elf->next != elf->count)
    tool_die(1, "%s: the file is damaged: section %" PRIu64 " isn't inside of it", s->ptx.name,
             elf->next);
}

// The text of PTX that machine code has: lines, each with a zero at its end. False if it has none.
static bool find_debug_text(const char *code, size_t size, elf_section *section) {
  elf_reader elf;
  if (!elf_is(code, size) || elf_start(&elf, code, size) != NULL)
    return false;
  while (elf_next(&elf, section))
    if (strcmp(section->name, ".nv_debug_ptx_txt") == 0)
      return true;
  return false;
}

static const char *content_of(const tool_modules *modules, uint32_t i, char **owned,
                              size_t *length) {
  const char *reason;
  const char *content = fat_content(&modules->entry[i], dlsym, owned, length, &reason);
  if (content == NULL)
    tool_die(1, "%s: %s", modules->name, reason);
  return content;
}

// Keeps, of the machine code, what has its PTX.
static void keep_with_text(lin_arena *arena, const tool_modules *code, tool_modules *modules) {
  for (uint32_t i = 0; i < code->count; i++) {
    char *owned;
    size_t length;
    elf_section section;
    const char *content = content_of(code, i, &owned, &length);
    if (find_debug_text(content, length, &section))
      add(arena, modules, &code->entry[i]);
    free(owned);
  }
}

// ---- files -------------------------------------------------------------------------------------

// A cubin as the one entry of a fat binary.
static void add_cubin(search *s, const elf_reader *elf) {
  fat_reader whole = {.data = elf->data, .size = elf->size};
  whole.entry = (fat_entry){.kind = FAT_CODE, .payload = elf->size};
  add(s->arena, &s->code, &whole);
  s->newest = (elf->revision < 8 ? elf->flags : elf->flags >> 8) & 0xff; // as ptxas writes it
}

static void search_file(search *s, const char *bytes, size_t length) {
  if (fat_is(bytes, length)) {
    add_fat_binary(s, (const unsigned char *)bytes, length);
    return;
  }
  elf_reader elf;
  const char *reason = elf_start(&elf, bytes, length);
  if (reason != NULL)
    tool_die(1, "%s: %s", s->ptx.name, reason);
  if (elf.is_gpu)
    add_cubin(s, &elf);
  else
    search_sections(s, &elf);
}

static _Noreturn void die_without_ptx(const search *s) {
  if (s->code.count == 0 && !s->has_others)
    tool_die(1, "%s: it has no code for NVIDIA's GPUs", s->ptx.name);
  const char *what = s->code.count == 0 ? "LTO-IR" : "machine code";
  tool_die(
      1, "%s: it has %s alone, and no PTX; build it with -gencode arch=compute_%u,code=compute_%u",
      s->ptx.name, what, s->newest, s->newest);
}

tool_modules tool_modules_find(lin_arena *arena, const char *name, const char *bytes,
                               size_t length) {
  search s = {.arena = arena, .ptx.name = name, .code.name = name};
  search_file(&s, bytes, length);
  if (s.ptx.count == 0)
    keep_with_text(arena, &s.code, &s.ptx);
  if (s.ptx.count == 0)
    die_without_ptx(&s);
  return s.ptx;
}

// A copy that the caller owns; `end` stands where a text has zeros.
static char *copy_text(const char *text, size_t length, char end) {
  char *copy = malloc(length + 1);
  if (copy == NULL)
    tool_die(1, "out of memory");
  for (size_t i = 0; i < length; i++)
    copy[i] = text[i] == '\0' ? end : text[i];
  copy[length] = '\0';
  return copy;
}

char *tool_modules_text(const tool_modules *modules, uint32_t i, size_t *length) {
  char *owned, *copy;
  size_t size;
  elf_section section;
  const char *content = content_of(modules, i, &owned, &size);
  if (modules->entry[i].entry.kind == FAT_PTX) {
    *length = strnlen(content, size);
    copy = copy_text(content, *length, '\0');
  } else {
    bool has_text = find_debug_text(content, size, &section);
    *length = has_text ? section.size : 0;
    copy = copy_text(has_text ? (const char *)section.data : "", *length, '\n');
  }
  free(owned);
  return copy;
}
