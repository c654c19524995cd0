#include "elf_sections.h"

#include <elf.h>
#include <string.h>

bool elf_is(const void *data, size_t size) {
  return size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0;
}

static bool is_inside(const elf_reader *r, uint64_t at, uint64_t size) {
  return at <= r->size && size <= r->size - at;
}

// The header of section `i`, which is less than `count`.
static Elf64_Shdr header_of(const elf_reader *r, uint64_t i) {
  Elf64_Shdr header;
  memcpy(&header, r->data + r->sections + i * sizeof header, sizeof header);
  return header;
}

// Where the names of sections are; false if they make no sense.
static bool find_names(elf_reader *r, uint64_t index) {
  if (index >= r->count)
    return false;
  Elf64_Shdr header = header_of(r, index);
  r->names = header.sh_offset;
  r->names_size = header.sh_size;
  return header.sh_type == SHT_STRTAB && is_inside(r, r->names, r->names_size);
}

const char *elf_start(elf_reader *r, const void *data, size_t size) {
  Elf64_Ehdr file;
  *r = (elf_reader){.data = data, .size = size};
  if (size <= EI_DATA)
    return "the file ends too soon";
  if (r->data[EI_CLASS] != ELFCLASS64 || r->data[EI_DATA] != ELFDATA2LSB)
    return "a program for another kind of machine than nvcc compiles for";
  if (size < sizeof file)
    return "the file ends too soon";
  memcpy(&file, data, sizeof file);
  r->is_gpu = file.e_machine == EM_CUDA;
  r->flags = file.e_flags;
  r->revision = file.e_ident[EI_ABIVERSION];
  if (file.e_shoff == 0)
    return NULL;
  // What is too large for the file's header stands in that of section 0.
  Elf64_Shdr first;
  if (file.e_shentsize != sizeof first)
    return "the table of its sections is damaged";
  if (!is_inside(r, file.e_shoff, sizeof first))
    return "the file ends before the table of its sections";
  memcpy(&first, r->data + file.e_shoff, sizeof first);
  r->sections = file.e_shoff;
  r->count = file.e_shnum == 0 ? first.sh_size : file.e_shnum;
  if (r->count > (size - r->sections) / sizeof first)
    return "the file ends before the end of the table of its sections";
  if (!find_names(r, file.e_shstrndx == SHN_XINDEX ? first.sh_link : file.e_shstrndx))
    return "the names of its sections are damaged";
  return NULL;
}

bool elf_next(elf_reader *r, elf_section *section) {
  for (; r->next < r->count; r->next++) {
    Elf64_Shdr header = header_of(r, r->next);
    if (header.sh_type == SHT_NULL || header.sh_type == SHT_NOBITS)
      continue;
    if (header.sh_name >= r->names_size || !is_inside(r, header.sh_offset, header.sh_size))
      return false;
    section->name = (const char *)r->data + r->names + header.sh_name;
    if (memchr(section->name, '\0', r->names_size - header.sh_name) == NULL)
      return false;
    section->data = r->data + header.sh_offset;
    section->size = header.sh_size;
    r->next++;
    return true;
  }
  return false;
}
